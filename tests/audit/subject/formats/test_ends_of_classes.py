"""What a class puts around the texts of files that state no post-processor."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from format_files import config, spec_of, vocab

from tokaudit.products.compare.proofs.merges.model import merge_model
from tokaudit.products.identity.hashes import stage_identity
from tokaudit.products.identity.short_id import short_id
from tokaudit.runtimes.adapters.tokenizers_adapter import load
from tokaudit.runtimes.protocol import EncodeOptions
from tokaudit.runtimes.subject_requests import loaded_request
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_reference.spec import Standing, TokenizerSpec
from tokaudit_reference.text.bytes_alphabet import BYTE_OF
from tokaudit_reference.tokenizer import ReferenceTokenizer

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "hi", "<s>", "</s>"]
BYTES = [*BYTE_OF, "hi", "<s>", "</s>", "<|endoftext|>"]
Layout = list[tuple[str, int]]
BERT: Layout = [("[CLS]", 0), ("A", 0), ("[SEP]", 0), ("B", 1), ("[SEP]", 1)]


def bert(tmp_path: Path, **named: Any) -> TokenizerSpec:
    lines = "".join(f"{token}\n" for token in WORDS)
    return spec_of(tmp_path, {"vocab.txt": lines, "tokenizer_config.json": config(**named)})


def pair(tmp_path: Path, tokens: list[str] = BYTES, **named: Any) -> TokenizerSpec:
    """GPT-2's pair of files, of bytes alone."""
    files = {"vocab.json": vocab(tokens), "merges.txt": ""}
    return spec_of(tmp_path, {**files, "tokenizer_config.json": config(**named)})


def with_ends(spec: TokenizerSpec, text: str) -> list[int]:
    return ReferenceTokenizer(spec).encode(text, add_special_tokens=True).ids


def two_texts(spec: TokenizerSpec) -> Layout:
    """The pieces of two texts, each with its type."""
    [step] = spec.post_processor.steps
    return [(piece.name, piece.type_id) for piece in step.effects.two_texts or ()]


def test_berts_class_puts_its_tokens_around_a_text_and_types_the_second(tmp_path: Path) -> None:
    spec = bert(tmp_path, tokenizer_class="BertTokenizer")
    assert spec.post_processor.standing is Standing.IMPLIED
    assert spec.post_processor.rule == "tokenizer_config.json names BertTokenizer"
    assert (with_ends(spec, "hi"), two_texts(spec)) == ([2, 5, 3], BERT)


@pytest.mark.parametrize(
    ("stated", "first"), [("<s>", 6), ({"content": "<s>", "lstrip": True}, 6), (None, 2)]
)
def test_a_token_that_a_file_names_for_the_role_is_put_there(
    tmp_path: Path, stated: object, first: int
) -> None:
    spec = bert(tmp_path, tokenizer_class="BertTokenizer", cls_token=stated)
    assert with_ends(spec, "hi") == [first, 5, 3]


def test_a_model_type_names_the_class_too(tmp_path: Path) -> None:
    lines = "".join(f"{token}\n" for token in WORDS)
    spec = spec_of(tmp_path, {"vocab.txt": lines, "config.json": config(model_type="bert")})
    assert spec.post_processor.rule == "config.json names BertTokenizer"


def test_robertas_class_puts_its_last_token_twice_between_texts(tmp_path: Path) -> None:
    spec = pair(tmp_path, tokenizer_class="RobertaTokenizer", add_prefix_space=True)
    assert spec.post_processor.options == {
        "type": "RobertaProcessing",
        "cls": ["<s>", 257],
        "sep": ["</s>", 258],
        "trim_offsets": True,
        "add_prefix_space": True,
    }


@pytest.mark.parametrize(
    ("name", "ids", "two"),
    [
        ("MPNetTokenizer", [6, 5, 7], "<s> A </s> </s> B </s>"),
        ("LayoutLMTokenizer", [2, 5, 3], "[CLS] A [SEP] B [SEP]"),
    ],
)
def test_each_class_that_reads_the_file_has_its_own_layout(
    tmp_path: Path, name: str, ids: list[int], two: str
) -> None:
    spec = bert(tmp_path, tokenizer_class=name)
    assert with_ends(spec, "hi") == ids
    assert " ".join(name for name, _ in two_texts(spec)) == two


BARE = (
    "sha256:38e0b9de817f645c4bec37c0d4a3e58baecccb040f5718dc069a72c7385a0bed",
    "id1-u7613a643-b2b85858dade6b99bf863197b03f8af5",
)
BEGUN = (
    "sha256:400622cdc774d0c8b8b7664dc4f1862b71fc4fc60edf4fbbd281616344f2a6f5",
    "id1-u7613a643-d5b3aa37198069e62e8ecd54e93b5426",
)


@pytest.mark.parametrize(
    ("switches", "ids", "identities"),
    [
        ({}, [71], BARE),
        ({"add_bos_token": False}, [71], BARE),
        ({"add_bos_token": True}, [259, 71], BEGUN),
        ({"add_eos_token": True}, [71], BARE),  # which version 4 of the class does not take
    ],
)
def test_a_switch_that_the_class_takes_changes_ids_and_identities(
    tmp_path: Path, switches: dict[str, bool], ids: list[int], identities: tuple[str, str]
) -> None:
    spec = pair(tmp_path, tokenizer_class="GPT2Tokenizer", **switches)
    assert spec.post_processor.standing is Standing.IMPLIED
    assert with_ends(spec, "h") == ids
    digest = stage_identity("post_processor", spec.post_processor).digest
    assert (digest, short_id(spec, merge_model(spec)).id) == identities


def test_a_switched_token_is_put_around_each_of_two_texts(tmp_path: Path) -> None:
    spec = pair(tmp_path, tokenizer_class="GPT2Tokenizer", add_bos_token=True)
    end = "<|endoftext|>"
    assert two_texts(spec) == [(end, 0), ("A", 0), (end, 1), ("B", 1)]


def test_the_rule_names_the_switch(tmp_path: Path) -> None:
    spec = pair(tmp_path, tokenizer_class="GPT2Tokenizer", add_bos_token=True)
    assert spec.post_processor.rule == (
        "tokenizer_config.json names GPT2Tokenizer; tokenizer_config.json states add_bos_token"
    )


def test_a_class_that_always_puts_its_tokens_there_asks_no_switch(tmp_path: Path) -> None:
    named = {"tokenizer_class": "DebertaTokenizer", "cls_token": "<s>", "sep_token": "</s>"}
    spec = pair(tmp_path, **named, add_bos_token=False)
    assert with_ends(spec, "h") == [257, 71, 258]


@pytest.mark.parametrize(
    ("name", "ids"), [("ByT5Tokenizer", [100, 1]), ("PerceiverTokenizer", [4, 103, 5])]
)
def test_a_class_that_reads_bytes_alone_has_ends_too(
    tmp_path: Path, name: str, ids: list[int]
) -> None:
    spec = spec_of(tmp_path, {"tokenizer_config.json": config(tokenizer_class=name)})
    assert with_ends(spec, "a") == ids


def test_a_class_that_puts_nothing_around_texts_says_so(tmp_path: Path) -> None:
    spec = pair(tmp_path, tokenizer_class="Qwen2Tokenizer", add_eos_token=True)
    found = spec.post_processor
    assert (found.options, found.standing) == (None, Standing.IMPLIED)


@pytest.mark.parametrize(
    "named",
    [
        {},
        {"tokenizer_class": "PreTrainedTokenizerFast"},
        {"tokenizer_class": "AcornTokenizer"},
        {"tokenizer_class": "WhisperTokenizer"},  # which depend on the language and the task
        {"tokenizer_class": "GPTNeoXTokenizer"},  # whose record says no pipeline of these files
        {"tokenizer_class": "BertTokenizer"},  # which reads another file
        {"tokenizer_class": "BartTokenizer", "eos_token": "<end>", "sep_token": "<end>"},
    ],
)
def test_what_no_record_says_stays_unstated(tmp_path: Path, named: dict[str, str]) -> None:
    assert pair(tmp_path, **named).post_processor.standing is Standing.UNSTATED


@pytest.mark.parametrize(
    "named",
    [
        {"tokenizer_class": "BertTokenizer"},
        {"tokenizer_class": "MPNetTokenizer"},
    ],
)
def test_the_library_is_told_what_bert_puts_around_texts(
    tmp_path: Path, named: dict[str, str]
) -> None:
    spec = bert(tmp_path, **named)
    assert of_library(tmp_path, spec, "hi") == with_ends(spec, "hi")


@pytest.mark.parametrize(
    "named",
    [
        {"tokenizer_class": "RobertaTokenizer"},
        {"tokenizer_class": "GPT2Tokenizer", "add_bos_token": True},
        {"tokenizer_class": "GPT2Tokenizer"},
    ],
)
def test_the_library_is_told_what_is_put_around_bytes(
    tmp_path: Path, named: dict[str, Any]
) -> None:
    spec = pair(tmp_path, **named)
    assert of_library(tmp_path, spec, "hi") == with_ends(spec, "hi")


def of_library(folder: Path, spec: TokenizerSpec, text: str) -> list[int]:
    """The ids with special tokens by the library, as an audit has its worker load the files."""
    subject = open_subject(str(folder))
    [(representation, _)] = parse_all(subject).parsed
    library = load(loaded_request(subject, representation, spec, "tokenizers"))
    return list(library.encode([text], EncodeOptions(add_special_tokens=True))[0].ids)
