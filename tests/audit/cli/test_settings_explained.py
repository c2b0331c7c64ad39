"""`tokaudit checks --setting KEY`: what a key decides, its defaults, and what compares it."""

from __future__ import annotations

import pytest

from tokaudit.foundation.errors import UsageError
from tokaudit.products.audit.known_settings import setting_section


def test_a_setting_shows_its_file_its_check_and_its_default_by_class() -> None:
    shown = setting_section("eos_token").splitlines()
    assert shown[0] == "tokenizer_config.json: eos_token"
    assert "  compared by: special_tokens/role-ids" in shown
    assert next(line for line in shown if "CohereTokenizer" in line).startswith(
        "  <|END_OF_TURN_TOKEN|>: "
    )


def test_an_id_shows_its_default_by_kind_of_model() -> None:
    line = next(each for each in setting_section("eos_token_id").splitlines() if " codegen" in each)
    assert line.startswith("  50256: ")


def test_an_unknown_setting_is_answered_with_the_nearest_ones() -> None:
    with pytest.raises(
        UsageError, match="'eos_tokn' is not a known setting; did you mean eos_token"
    ):
        setting_section("eos_tokn")
