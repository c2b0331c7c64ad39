"""What a class puts around the texts of a SentencePiece file, and before them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from format_files import config, spec_of

from tokaudit.runtimes.adapters.sentencepiece_adapter import load
from tokaudit.runtimes.protocol import EncodeOptions, Encoding
from tokaudit.runtimes.subject_requests import loaded_request
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_folders.example_folders import sentencepiece
from tokaudit_reference.spec import Standing, TokenizerSpec
from tokaudit_reference.tokenizer import ReferenceTokenizer

AROUND = EncodeOptions(add_special_tokens=True)
UNKNOWN, CONTROL = 2, 3  # types of pieces
PIECES = [["<unk>", UNKNOWN], ["<s>", CONTROL], ["</s>", CONTROL], "\u2581a", "a"]
WITH, WITHOUT = 3, 4  # the id of a text "a", with a space before it and without


def llama(folder: Path, name: str = "tokenizer.model", **named: Any) -> TokenizerSpec:
    """A model of two words that a class reads."""
    stated = {"tokenizer_class": "LlamaTokenizer", **named}
    files = {name: sentencepiece({"pieces": PIECES}), "tokenizer_config.json": config(**stated)}
    return spec_of(folder, files)


def with_ends(spec: TokenizerSpec, text: str = "a") -> list[int]:
    return ReferenceTokenizer(spec).encode(text, add_special_tokens=True).ids


@pytest.mark.parametrize(
    ("switches", "ids"),
    [
        ({}, [1, WITH]),
        ({"add_bos_token": True}, [1, WITH]),
        ({"add_bos_token": False}, [WITH]),
        ({"add_eos_token": True}, [1, WITH, 2]),
        ({"add_bos_token": False, "add_eos_token": True}, [WITH, 2]),
        ({"add_bos_token": None}, [1, WITH]),
    ],
)
def test_the_switches_of_the_class_decide_what_is_put_around_a_text(
    tmp_path: Path, switches: dict[str, Any], ids: list[int]
) -> None:
    spec = llama(tmp_path, **switches)
    assert spec.post_processor.standing is Standing.IMPLIED
    assert with_ends(spec) == ids
    assert of_library(tmp_path, spec).ids == tuple(ids)


@pytest.mark.parametrize(
    ("name", "file", "ids"),
    [
        ("T5Tokenizer", "spiece.model", [WITH, 2]),
        ("PegasusTokenizer", "spiece.model", [WITH + 103, 1]),
        ("XLMRobertaTokenizer", "sentencepiece.bpe.model", [0, WITH + 1, 2]),
        ("DebertaV2Tokenizer", "spm.model", None),  # has no [CLS]
        ("NllbTokenizer", "sentencepiece.bpe.model", None),  # which depend on the language
        ("LlamaTokenizer", "spiece.model", None),  # which reads another file
    ],
)
def test_a_class_puts_its_own_tokens_around_a_text_where_its_record_says_so(
    tmp_path: Path, name: str, file: str, ids: list[int] | None
) -> None:
    spec = llama(tmp_path, file, tokenizer_class=name)
    implied = spec.post_processor.standing is Standing.IMPLIED
    assert implied == (ids is not None)
    assert ids is None or with_ends(spec) == ids
    assert ids is None or of_library(tmp_path, spec).ids == tuple(ids)


def test_the_places_of_what_is_put_around_a_text_are_empty(tmp_path: Path) -> None:
    spec = llama(tmp_path, add_eos_token=True)
    options = EncodeOptions(add_special_tokens=True, offsets=True)
    assert of_library(tmp_path, spec, options).offsets == ((0, 0), (0, 1), (0, 0))


@pytest.mark.parametrize(
    ("name", "file", "stated", "id"),
    [
        ("LlamaTokenizer", "tokenizer.model", False, WITHOUT),
        ("LlamaTokenizer", "tokenizer.model", True, WITH),
        ("LlamaTokenizer", "tokenizer.model", None, WITH),
        ("LlamaTokenizer", "tokenizer.model", "no", WITH),  # what no loader takes for a switch
        ("T5Tokenizer", "spiece.model", False, WITHOUT),
        ("GemmaTokenizer", "tokenizer.model", False, WITH),  # which takes no such setting
        ("AcornTokenizer", "tokenizer.model", False, WITH),
    ],
)
def test_a_class_that_takes_the_setting_puts_no_space_before_a_text(
    tmp_path: Path, name: str, file: str, stated: object, id: int
) -> None:
    spec = llama(tmp_path, file, tokenizer_class=name, add_prefix_space=stated)
    assert ReferenceTokenizer(spec).encode("a").ids == [id]
    assert of_library(tmp_path, spec, EncodeOptions()).ids == (id,)


def test_next_to_a_tokenizer_json_the_setting_is_that_files(tmp_path: Path) -> None:
    llama(tmp_path, add_prefix_space=False)
    (tmp_path / "tokenizer.json").write_text('{"model": {"vocab": {"a": 0}, "unk_token": "a"}}')
    specs = {each.format: each.spec for each in parse_all(open_subject(tmp_path)).all}
    spec = specs["sentencepiece"]
    assert spec is not None
    assert with_ends(spec) == [1, WITH]


@pytest.mark.parametrize("prefix", [True, False])
def test_what_the_library_writes_of_itself_has_the_same_prefix_and_ends(
    tmp_path: Path, prefix: bool
) -> None:
    spec = llama(tmp_path, add_prefix_space=prefix, add_eos_token=True)
    again = EncodeOptions(add_special_tokens=True, reloaded=True)
    assert of_library(tmp_path, spec, again) == of_library(tmp_path, spec)


def test_without_a_prefix_ids_become_the_text_that_they_were(tmp_path: Path) -> None:
    for prefix, ids in ((True, [WITH]), (False, [WITHOUT])):
        folder = tmp_path / str(prefix)
        folder.mkdir()
        spec = llama(folder, add_prefix_space=prefix)
        assert ReferenceTokenizer(spec).decode(ids) == "a"


def of_library(folder: Path, spec: TokenizerSpec, options: EncodeOptions = AROUND) -> Encoding:
    """The text "a" by the library, as an audit has its worker load the files."""
    subject = open_subject(str(folder))
    [(representation, _)] = parse_all(subject).parsed
    library = load(loaded_request(subject, representation, spec, "sentencepiece"))
    return library.encode(["a"], options)[0]
