"""A GGUF file none of whose markers has a type that engines look for in text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tokaudit.report.model import Finding
from tokaudit_defects.recipes import engines

Ask = Callable[..., list[object]]


@pytest.mark.parametrize(("typed", "severities"), [(True, []), (False, ["error"])])
def test_markers_without_a_type_are_an_error(
    ask: Ask, tmp_path: Path, typed: bool, severities: list[str]
) -> None:
    engines.alone(tmp_path / "model")
    if not typed:
        engines.write(tmp_path / "model", lambda keys: keys.pop("tokenizer.ggml.token_type"))
    output = ask("special_tokens/gguf-ends", tmp_path / "model")
    found = [item for item in output if isinstance(item, Finding) and item.cause == "no types"]
    assert [finding.severity for finding in found] == severities
