"""What llama.cpp makes of a GGUF file by rules of its own, each as it was seen in the engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tokaudit.subject.formats.gguf.as_meant import as_meant
from tokaudit.subject.upstream.llama_cpp.gguf_patterns import SPLITS, of_the_engine
from tokaudit.subject.upstream.llama_cpp.gguf_splits import rules
from tokaudit_folders.gguf_files import (
    BYTE,
    CONTROL,
    F32,
    I32,
    NORMAL,
    TEXT,
    UNKNOWN,
    UNUSED,
    USER_DEFINED,
    Value,
    parsed,
    tokenizer,
)
from tokaudit_reference.spec import Dialect, TokenizerSpec
from tokaudit_reference.steps.pattern import Pattern
from tokaudit_reference.steps.pre_tokenizers.llama_cpp_split import LlamaCppSplit
from tokaudit_reference.steps.pre_tokenizers.split import Split
from tokaudit_reference.tokenizer import ReferenceTokenizer

MARKED = ["<unk>", "<s>", "</s>", "▁", "a", "b", "▁a", "▁b", "<x>", "?", "▁?"]
KINDS = [UNKNOWN, CONTROL, USER_DEFINED, *[NORMAL] * 5, USER_DEFINED, NORMAL, NORMAL]


def scored(folder: Path, *tokens: str, **others: Value) -> TokenizerSpec:
    listed = [*MARKED, *tokens]
    kinds = [*KINDS, *[NORMAL] * len(tokens)]
    scores = (F32, [0.0] * len(listed))
    keys = tokenizer("llama", listed, scores=scores, token_type=(I32, kinds))
    return parsed(folder, keys | others)


def ids(spec: TokenizerSpec, text: str, **options: Any) -> list[int]:
    return ReferenceTokenizer(spec).encode(text, **options).ids


def named(name: str) -> dict[str, Value]:
    return {"general.name": (TEXT, name)}


def test_an_end_of_text_that_the_file_calls_user_defined_is_a_control_token(tmp_path: Path) -> None:
    spec = scored(tmp_path)
    assert {t.content: t.special for t in spec.added_tokens} == {
        "<unk>": True,
        "<s>": True,
        "</s>": True,
        "<x>": False,
    }
    assert ids(spec, "a</s>") == [6, 2]


@pytest.mark.parametrize(
    ("name", "expected"), [("Phi3", [8, 7]), ("Phi-3 mini", [8, 7]), ("Acorn", [8, 3, 7])]
)
def test_phi_3_is_known_by_the_model_s_name_and_takes_the_space_after_a_token(
    tmp_path: Path, name: str, expected: list[int]
) -> None:
    assert ids(scored(tmp_path, **named(name)), "<x> b") == expected


def test_phi_3_leaves_the_space_after_the_beginning_of_a_text(tmp_path: Path) -> None:
    assert ids(scored(tmp_path, **named("phi-3")), "<s> b") == [1, 3, 7]


def test_a_token_of_the_user_is_found_where_special_tokens_are_read_as_text(tmp_path: Path) -> None:
    spec = scored(tmp_path)
    assert ids(spec, "<x>a", parse_special=False) == [8, 6]


def test_the_longest_token_takes_its_place_first(tmp_path: Path) -> None:
    tokens = ["<unk>", "<s>", "</s>", "▁", "a", "ab", "bcd"]
    kinds = [UNKNOWN, CONTROL, CONTROL, NORMAL, NORMAL, USER_DEFINED, USER_DEFINED]
    keys = tokenizer("llama", tokens, scores=(F32, [0.0] * 7), token_type=(I32, kinds))
    assert ids(parsed(tmp_path, keys), "abcd") == [3, 4, 6]


def test_the_markers_of_harmony_are_shown(tmp_path: Path) -> None:
    kinds = [UNKNOWN, CONTROL, CONTROL, CONTROL, CONTROL]
    tokens = ["<unk>", "<|channel|>", "<|end|>", "<|return|>", "<|call|>"]
    keys = tokenizer("llama", tokens, scores=(F32, [0.0] * 5), token_type=(I32, kinds))
    found = {t.content: t.special for t in parsed(tmp_path, keys).added_tokens}
    assert found["<|channel|>"] is found["<|end|>"] is False
    assert found["<|return|>"] is found["<|call|>"] is True


def test_a_marker_of_a_gap_is_guessed_by_its_text_unless_a_key_names_one(tmp_path: Path) -> None:
    tokens = ["<unk>", "<s>", "</s>", "<PRE>", "<SUF>"]
    kinds = [UNKNOWN, CONTROL, CONTROL, NORMAL, NORMAL]
    keys = tokenizer("llama", tokens, scores=(F32, [0.0] * 5), token_type=(I32, kinds))
    keys["tokenizer.ggml.fim_suf_token_id"] = (I32, 4)
    found = [t.content for t in parsed(tmp_path, keys).added_tokens]
    assert found == ["<unk>", "<s>", "</s>", "<PRE>"]


def test_only_the_first_token_loses_its_space_in_decoding(tmp_path: Path) -> None:
    decode = ReferenceTokenizer(scored(tmp_path)).decode
    assert decode([6, 7]) == "a b"
    assert decode([1, 6]) == "<s> a"
    assert decode([1, 6], skip_special_tokens=True) == " a"


WORDS = ["[UNK]", "[CLS]", "[SEP]", "▁a", "▁b", "▁ᄀ", "ᅡ", "a", "▁1", "▁가"]
WORD_KINDS = [UNKNOWN, CONTROL, CONTROL, *[NORMAL] * 7]


def words(folder: Path) -> TokenizerSpec:
    keys = tokenizer("bert", WORDS, token_type=(I32, WORD_KINDS))
    keys["tokenizer.ggml.unknown_token_id"] = (I32, 0)
    return parsed(folder, keys)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("가", [5]),  # the vowel is lost: only the first character of a decomposition is kept
        ("1\ufe0f\u20e3", [8]),  # an enclosing mark is dropped like an accent
        ("a\u0903", [3]),  # and so is one that takes up space
        ("a▁b", [3, 4]),  # the mark goes on with what begins a word
        ("aa", [3, 7]),
        ("a" * 200, [3, *[7] * 199]),  # no word is too long
        ("c", [0]),
    ],
)
def test_words_are_cut_as_the_engine_does_it(
    tmp_path: Path, text: str, expected: list[int]
) -> None:
    assert ids(words(tmp_path), text) == expected


def test_as_meant_a_korean_syllable_keeps_its_vowel(tmp_path: Path) -> None:
    meant = as_meant(words(tmp_path))
    assert meant.dialect is Dialect.PUBLISHED
    assert ids(meant, "가") == [5, 6]


def test_a_unigram_takes_unused_entries_and_no_bytes(tmp_path: Path) -> None:
    tokens = ["<pad>", "</s>", "<unk>", "▁", "a", "ab", "<0x63>"]
    kinds = [CONTROL, CONTROL, UNKNOWN, NORMAL, NORMAL, UNUSED, BYTE]
    scores = (F32, [0.0, 0.0, 0.0, -1.0, -1.0, -1.0, -1.0])
    keys = tokenizer("t5", tokens, scores=scores, token_type=(I32, kinds))
    assert ids(parsed(tmp_path, keys), "abcc") == [5, 2]


@pytest.mark.parametrize("pre", sorted(rules()))
def test_the_engine_splits_english_as_the_tokenizer_json_does(pre: str) -> None:
    text = "It's 12345 o'clock,  isn't it?\n\n  Yes: WE'LL see (a_b)!"
    own = LlamaCppSplit(of_the_engine(pre, rules()[pre])).build().pieces(text, True)
    parts = [text]
    for pattern in SPLITS[rules()[pre]]:
        split = Split(Pattern(pattern, is_regex=True)).build()
        parts = [piece for part in parts for piece in split.pieces(part, True)]
    assert own == parts
