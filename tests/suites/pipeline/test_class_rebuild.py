"""A class that builds another pipeline than tokenizer.json states is found with a text."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

import tokaudit
from tokaudit.foundation.errors import NotApplicable
from tokaudit.report.model import Finding, Severity
from tokaudit_folders.folder import Folder

Ask = Callable[..., list[object]]
LETTERS = {"type": "Split", "pattern": {"Regex": r"\w"}, "behavior": "Isolated", "invert": False}
LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False}


def named(sick: ModuleType, folder: Path, name: str | None, model: str = "llama") -> None:
    sick.edit(folder, "config.json", lambda c: c.update(model_type=model))
    sick.edit(folder, "tokenizer_config.json", lambda c: c.update(tokenizer_class=name))


def cut_into_letters(sick: ModuleType, folder: Path) -> None:
    steps = {"type": "Sequence", "pretokenizers": [LETTERS, LEVEL]}
    sick.edit(folder, "tokenizer.json", lambda t: t.update(pre_tokenizer=steps))


def reported(ask: Ask, folder: Path) -> list[Finding]:
    return [f for f in ask("pipeline/class-rebuild", folder) if isinstance(f, Finding)]


@pytest.mark.parametrize(
    ("name", "model"),
    [("GPT2Tokenizer", "llama"), ("GPT2TokenizerFast", "brand-new"), (None, "gpt2")],
)
def test_gpt2_over_a_pattern_of_its_own_is_an_error_with_a_text(
    ask: Ask, folder: Path, sick: ModuleType, name: str | None, model: str, processes: None
) -> None:
    named(sick, folder, name, model)
    cut_into_letters(sick, folder)
    [finding] = reported(ask, folder)
    assert finding.severity is Severity.ERROR
    assert "build GPT2Tokenizer with its own pre_tokenizer" in finding.message
    [evidence] = finding.evidence
    assert evidence.text == " m" and len(evidence.actual) == 1 and len(evidence.expected) == 2


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("PreTrainedTokenizerFast", "llama"),
        ("GPT2Tokenizer", "olmo2"),  # loaded as the file is, whatever class is named
        (None, "llama"),
    ],
)
def test_a_file_that_is_loaded_as_it_is_is_not_asked_about(
    ask: Ask, folder: Path, sick: ModuleType, name: str | None, model: str
) -> None:
    named(sick, folder, name, model)
    cut_into_letters(sick, folder)
    with pytest.raises(NotApplicable):
        reported(ask, folder)


def test_bytes_under_a_class_of_marks_are_a_warning_and_not_compared(
    ask: Ask, folder: Path, sick: ModuleType
) -> None:
    named(sick, folder, "LlamaTokenizer", "llama")
    cut_into_letters(sick, folder)
    [finding] = ask("pipeline/class-rebuild", folder)
    assert isinstance(finding, Finding)
    assert (finding.severity, finding.cause) == (Severity.WARNING, "bytes")


def test_a_class_that_builds_what_the_file_states_is_left_alone(
    ask: Ask, folder: Path, sick: ModuleType
) -> None:
    named(sick, folder, "GPT2Tokenizer")
    with pytest.raises(NotApplicable, match="GPT2Tokenizer builds what"):
        reported(ask, folder)


def test_a_cased_file_whose_class_lower_cases_is_an_error(
    ask: Ask, material: Path, sick: ModuleType, tmp_path: Path, processes: None
) -> None:
    folder = tmp_path / "bert"
    shutil.copytree(material / "tokenizers" / "bert-base-uncased", folder)
    for path in folder.iterdir():
        path.chmod(0o644)
    with pytest.raises(NotApplicable):
        reported(ask, folder)
    sick.edit(folder, "tokenizer.json", lambda t: t["normalizer"].update(lowercase=False))
    sick.edit(folder, "tokenizer_config.json", lambda c: c.pop("do_lower_case"))
    [finding] = reported(ask, folder)
    assert (finding.severity, finding.cause) == (Severity.ERROR, "rebuilt")
    assert "its own normalizer" in finding.message


@pytest.mark.parametrize("name", ["T5Tokenizer", "XLMRobertaTokenizer", "BarthezTokenizer"])
@pytest.mark.parametrize("folder_of", [Folder.wordlevel, Folder.wordpiece, Folder.bpe])
def test_a_unigram_class_over_an_object_of_ids_is_said_to_refuse_it(
    tmp_path: Path, name: str, folder_of: Callable[[list[str]], Folder]
) -> None:
    made = folder_of(["<unk>", "[UNK]", "</s>", "<pad>", "<s>", "a"])
    made = made.tokenizer_config(tokenizer_class=name)
    report = tokaudit.audit(made.write(tmp_path / "a"), select=["pipeline/class-rebuild"])
    [finding] = report.findings
    assert (finding.cause, finding.severity) == ("kind", Severity.ERROR)
    assert f"{name}, which is made for Unigram" in finding.message
