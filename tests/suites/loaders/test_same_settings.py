"""Settings that the two versions of transformers do not take alike: one warning names them."""

from __future__ import annotations

from pathlib import Path

import pytest

import tokaudit
from tokaudit.report.model import Finding
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_folders.folder import Folder

ROLES = {"bos_token": "<s>", "eos_token": "</s>"}


def found(path: Path, kind: str, **settings: object) -> list[Finding]:
    folder = Folder.bpe("ab", ["a b"]).added("<s>", "</s>").tokenizer_config(**settings)
    folder = folder.config(model_type=kind, eos_token_id=4).write(path)
    return list(tokaudit.run_check("loaders/same-settings", folder, tier="quick").findings)


def test_roles_that_only_one_version_takes_are_a_warning_with_both(tmp_path: Path) -> None:
    [finding] = found(tmp_path, "llama")
    assert str(finding.severity) == "warning"
    assert f"transformers {FOUR} and transformers {FIVE} (emulated)" in finding.message
    own = f"(default of LlamaTokenizer) in {FOUR} and absent"
    assert f"eos_token is </s> {own}" in finding.message
    assert f"before a text is <s> {own}" in finding.message


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        ("llama", {"tokenizer_class": "PreTrainedTokenizerFast", **ROLES}),
        ("gemma", {"tokenizer_class": "GemmaTokenizer", "pad_token": "<s>", **ROLES}),
        ("gpt2", {"tokenizer_class": "GPT2Tokenizer", **ROLES}),
    ],
    ids=["stated", "mask", "alike"],
)
def test_what_both_take_and_a_mask_of_one_alone_are_no_finding(
    tmp_path: Path, kind: str, settings: dict[str, object]
) -> None:
    assert found(tmp_path, kind, add_bos_token=False, **settings) == []


def test_a_token_that_one_version_alone_adds_is_named(tmp_path: Path) -> None:
    stated = {"tokenizer_class": "PreTrainedTokenizerFast", "image_token": "<x>", **ROLES}
    [finding] = found(tmp_path, "llama", **stated)
    assert f"transformers {FIVE} alone adds '<x>'" in finding.message


def test_a_folder_that_a_version_refuses_is_left_to_the_check_of_loading(tmp_path: Path) -> None:
    assert found(tmp_path, "llama", tokenizer_class="TokenizersBackend") == []
