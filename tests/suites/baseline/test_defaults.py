"""What a class decides for a folder and not for its base, version by version."""

from __future__ import annotations

from pathlib import Path

import pytest

import tokaudit
from tokaudit.report.model import Finding
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_folders.folder import Folder

SMALL = Folder.bpe("ab", ["a b"]).added("<unk>", "<s>", "</s>").config(model_type="llama")
ANY = {"tokenizer_class": "PreTrainedTokenizerFast"}


def found(tmp_path: Path, mine: Folder, theirs: Folder) -> list[Finding]:
    folder, base = mine.write(tmp_path / "mine"), theirs.write(tmp_path / "base")
    report = tokaudit.audit(folder, base=base, select=["baseline/defaults"], tier="quick")
    return [each for result in report.results for each in result.findings]


def test_a_class_that_is_lost_brings_the_defaults_of_the_models_type(tmp_path: Path) -> None:
    """As AutoTokenizer of version 4 does: LlamaTokenizer has tokens and a side of its own."""
    [finding] = found(tmp_path, SMALL, SMALL.tokenizer_config(**ANY))
    assert str(finding.severity) == "warning"
    assert f"bos_token in transformers {FOUR} is <s> (default of LlamaTokenizer)" in finding.message
    assert "is left (default of LlamaTokenizer), not right" in finding.message
    assert FIVE not in finding.message


@pytest.mark.parametrize(
    "settings",
    [ANY, {**ANY, "padding_side": "left"}, {"tokenizer_class": "TokenizersBackend"}],
)
def test_what_a_file_states_and_what_both_classes_take_alike_is_silent(
    tmp_path: Path, settings: dict[str, str]
) -> None:
    assert found(tmp_path, SMALL.tokenizer_config(**settings), SMALL.tokenizer_config(**ANY)) == []
