"""What a GGUF file made of a folder would state otherwise than transformers takes it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tokaudit
from tokaudit.report.model import Finding
from tokaudit_folders.folder import Folder

ROLES = {"bos_token": "<s>", "eos_token": "</s>"}
AS_OBJECT = {"__type": "AddedToken", "content": "<s>"}


def put_before(token: str, id: int) -> dict[str, Any]:
    before = {"SpecialToken": {"id": token, "type_id": 0}}
    texts = [{"Sequence": {"id": name, "type_id": 0}} for name in "AB"]
    return {
        "type": "TemplateProcessing",
        "single": [before, texts[0]],
        "pair": [before, *texts],
        "special_tokens": {token: {"id": token, "ids": [id], "tokens": [token]}},
    }


def found(path: Path, *, loaders: tuple[str, ...] = (), **settings: object) -> list[Finding]:
    folder = Folder.bpe("ab", ["a b"]).added("<s>", "</s>")
    folder = folder.changed(post_processor=put_before("<s>", 3)).config(
        model_type="llama", architectures=["LlamaForCausalLM"], bos_token_id=3, eos_token_id=4
    )
    stated = {"tokenizer_class": "PreTrainedTokenizerFast", **ROLES, **settings}
    written = folder.tokenizer_config(**stated).write(path)
    return list(
        tokaudit.run_check("loaders/converted", written, tier="quick", loaders=loaders).findings
    )


def test_a_bos_written_as_an_object_is_not_added_by_the_gguf_file(tmp_path: Path) -> None:
    [finding] = found(tmp_path, bos_token=AS_OBJECT)
    assert (str(finding.severity), finding.cause) == ("warning", "add_bos_token")
    assert "writes add_bos_token = false" in finding.message
    assert "put '<s>' before a text" in finding.message
    assert finding.repair is not None
    assert [(c.file, c.pointer, c.wanted) for c in finding.repair.changes] == [
        ("tokenizer_config.json", "/add_bos_token", True)
    ]


def test_it_is_an_error_for_who_says_that_llama_cpp_must_load_the_folder(tmp_path: Path) -> None:
    [finding] = found(tmp_path, loaders=("llama.cpp",), bos_token=AS_OBJECT)
    assert str(finding.severity) == "error"


@pytest.mark.parametrize("stated", [{}, {"bos_token": AS_OBJECT, "add_bos_token": True}])
def test_a_text_or_a_flag_is_what_the_converter_reads(
    tmp_path: Path, stated: dict[str, object]
) -> None:
    assert found(tmp_path, **stated) == []


def test_an_eos_that_is_no_added_token_becomes_the_one_of_config_json(tmp_path: Path) -> None:
    [finding] = found(tmp_path, eos_token="b")
    assert (str(finding.severity), finding.cause) == ("warning", "eos_token")
    assert "writes eos_token_id = 4 (from config.json#/eos_token_id)" in finding.message
    assert "use 'b', id 1" in finding.message
