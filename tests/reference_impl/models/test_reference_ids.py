"""The reference gives the ids of the libraries and of the outside golden vectors."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from law_examples import some

from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_reference.spec import (
    Component,
    ModelType,
    Piece,
    Standing,
    TokenizerSpec,
    TokenType,
    Unsupported,
)
from tokaudit_reference.tokenizer import ReferenceTokenizer

VECTORS = [
    ("gpt2", "tokenizer.json", "tokenizers/{}_tokens_gpt2.txt"),
    ("clip-base", "tokenizer.json", "tokenizers/{}_tokens_clip_base.txt"),
    ("mpt", "tokenizer.json", "tokenizers/{}_tokens_mpt.txt"),
    ("mistral-7b-v0.1", "tokenizer.json", "tokenizers/{}_tokens_mistral01.txt"),
    ("mistral-7b-v0.1", "sentencepiece", "sentencepiece/{}_tokens_mistral01.txt"),
    ("cl100k_base", "tiktoken", "tiktoken/{}_tokens_cl100k_base.txt"),
]


@cache
def reference(folder: str, format: str) -> ReferenceTokenizer:
    found = parse_all(open_subject(folder)).parsed
    return ReferenceTokenizer(next(spec for r, spec in found if r.format == format))


def cases(folder: Path, kind: str) -> list[str]:
    text = (folder / f"{kind}_input.txt").read_bytes().decode()
    if kind == "utf8":
        return [text]
    marks = {"\\n": "\n", "\\s": " ", "\\x": ""}
    lines = text.removesuffix("\n").split("\n")
    for mark, meant in marks.items():
        lines = [line.replace(mark, meant) for line in lines]
    return lines


@pytest.mark.parametrize("kind", ["small", "mixed", "utf8"])
@pytest.mark.parametrize(("name", "format", "file"), VECTORS)
def test_the_golden_ids_are_given(
    material: Path, name: str, format: str, file: str, kind: str
) -> None:
    folder = material / "vectors" / "kitoken"
    tokenizer = reference(str(material / "tokenizers" / name), format)
    golden = (folder / file.format(kind)).read_text().removesuffix("\n").split("\n")
    expected = [[int(id) for id in line.replace(",", " ").split()] for line in golden]
    assert [tokenizer.encode(text).ids for text in cases(folder, kind)] == expected


@pytest.mark.parametrize(("name", "vector"), [("gpt2", "gpt-2"), ("mpt", "mpt")])
def test_the_ids_of_another_project_s_vocabulary_tests_are_given(
    material: Path, name: str, vector: str
) -> None:
    stem = material / "vectors" / "llama.cpp" / f"ggml-vocab-{vector}.gguf"
    texts = Path(f"{stem}.inp").read_text().split("\n__ggml_vocab_test__\n")
    expected = [
        [int(id) for id in line.split()] for line in Path(f"{stem}.out").read_text().splitlines()
    ]
    tokenizer = reference(str(material / "tokenizers" / name), "tokenizer.json")
    assert [tokenizer.encode(text).ids for text in texts[: len(expected)]] == expected


@pytest.mark.parametrize("name", ["gpt2", "phi-3-mini", "roberta-base", "t5-small"])
def test_fuzzed_texts_get_the_library_s_ids(material: Path, name: str) -> None:
    from tokenizers import Tokenizer

    file = material / "tokenizers" / name / "tokenizer.json"
    upstream = Tokenizer.from_file(str(file))
    tokenizer = reference(str(material / "tokenizers" / name), "tokenizer.json")
    alphabet = st.sampled_from(list(" \t\n.,'\"aAzZ019éßñ漢字かなق🙂́‍<>/s|")) | st.characters(
        codec="utf-8", max_codepoint=0x2FFF, exclude_categories=["Cn"]
    )

    @settings(max_examples=some(300), deadline=None, derandomize=True, database=None)
    @given(st.text(alphabet, max_size=30))
    def agree(text: str) -> None:
        assert tokenizer.encode(text).ids == upstream.encode(text, add_special_tokens=False).ids

    agree()


NONE = Component(None, Standing.STATED)


def spec_of(tokens: list[str], merges: list[tuple[str, str]], **more: object) -> TokenizerSpec:
    pieces = {id: Piece(TokenType.ORDINARY, token) for id, token in enumerate(tokens)}
    return TokenizerSpec(
        ModelType.BPE,
        pieces,
        merges=tuple(merges),
        normalizer=NONE,
        pre_tokenizer=NONE,
        **more,  # type: ignore[arg-type]
    )


def test_a_merge_that_comes_first_in_the_list_wins_over_one_further_left() -> None:
    spec = spec_of(["a", "b", "c", "ab", "bc"], [("b", "c"), ("a", "b")])
    assert ReferenceTokenizer(spec).encode("abc").ids == [0, 4]


def test_a_character_without_a_piece_is_dropped_where_there_is_no_unknown_token() -> None:
    assert ReferenceTokenizer(spec_of(["a"], [])).encode("aza").ids == [0, 0]


def test_an_unstated_split_pattern_is_refused_and_not_guessed() -> None:
    spec = TokenizerSpec(ModelType.BPE, {0: Piece(TokenType.ORDINARY, b"a")}, byte_level=True)
    with pytest.raises(Unsupported, match="split pattern is not stated"):
        ReferenceTokenizer(spec)


def test_dropout_is_refused_because_its_ids_are_random() -> None:
    with pytest.raises(Unsupported, match="dropout"):
        ReferenceTokenizer(spec_of(["a"], [], dropout=0.1))
