"""Models of every kind and setting give the library's ids and offsets, on small vocabularies."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from law_examples import some

from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_folders.folder import Folder
from tokaudit_reference.tokenizer import ReferenceTokenizer

LAW = settings(deadline=None, derandomize=True, database=None, max_examples=some(120))
TEXTS = st.text("aabcxyé東 🙂", max_size=12)
WORDS = {"type": "WhitespaceSplit"}
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
LETTERS = ["a", "b", "c", "x"]
FLAGS = (False, True)


def merges(mark: str, end: str) -> list[list[str]]:
    """A few merges as a trainer would list them, parts first."""
    inner = [mark + letter for letter in LETTERS]
    return [
        ["a", inner[0]],
        ["a", inner[1]],
        [inner[1], inner[2]],
        ["aa", inner[1]],
        ["b", f"{mark}c{end}"],
        ["a", f"{mark}bc"],
    ]


def bpe(mark: str, end: str, unk: bool, fuse: bool, fall_back: bool, whole: bool) -> dict[str, Any]:
    listed = merges(mark, end)
    tokens = [*LETTERS, *(mark + c for c in LETTERS), *(c + end for c in LETTERS)]
    tokens += [mark + c + end for c in LETTERS]
    tokens += [left + right.removeprefix(mark) for left, right in listed]
    names = dict.fromkeys(
        [*(["<u>"] if unk else []), *tokens, *(BYTES if fall_back else []), "xab"]
    )
    vocab = {token: id for id, token in enumerate(names)}
    folder = Folder.bpe(
        vocab,
        [pair for pair in listed if all(part in vocab for part in pair)],
        dropout=None,
        unk_token="<u>" if unk else None,
        continuing_subword_prefix=mark or None,
        end_of_word_suffix=end or None,
        fuse_unk=fuse,
        byte_fallback=fall_back,
        ignore_merges=whole,
    )
    model: dict[str, Any] = folder.tokenizer["model"]
    return model


def unigram(fall_back: bool, seed: int) -> dict[str, Any]:
    chance = Random(seed)
    pieces = ["<u>", *LETTERS, "ab", "abc", "bc", "aa", "aab", "xy", *(BYTES if fall_back else [])]
    scored = [[piece, -round(chance.uniform(0.5, 9), 3)] for piece in pieces]
    return {"type": "Unigram", "unk_id": 0, "vocab": scored, "byte_fallback": fall_back}


MODELS = {
    **{
        f"bpe{'-'.join(map(str, given))}": bpe(*given)
        for given in product(["", "##"], ["", "</w>"], FLAGS, FLAGS, FLAGS, FLAGS)
    },
    **{f"unigram-{fall}-{seed}": unigram(fall, seed) for fall in FLAGS for seed in range(4)},
    "wordpiece": {
        "type": "WordPiece",
        "unk_token": "[UNK]",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 6,
        "vocab": {
            token: id
            for id, token in enumerate(
                ["[UNK]", "a", "ab", "##b", "##bc", "##a", "c", "##c", "##x"]
            )
        },
    },
    "wordlevel": {"type": "WordLevel", "unk_token": "<u>", "vocab": {"<u>": 0, "a": 1, "abc": 2}},
}


def opened(folder: Path, model: dict[str, Any]) -> tuple[Any, ReferenceTokenizer]:
    from tokenizers import Tokenizer

    content = json.dumps(
        {
            "version": "1.0",
            "added_tokens": [],
            "normalizer": None,
            "pre_tokenizer": WORDS,
            "post_processor": None,
            "decoder": None,
            "model": model,
        }
    )
    (folder / "tokenizer.json").write_text(content)
    [(_, spec)] = parse_all(open_subject(str(folder))).parsed
    return Tokenizer.from_str(content), ReferenceTokenizer(spec)


@pytest.mark.parametrize("name", MODELS)
def test_ids_and_offsets_are_the_library_s(tmp_path: Path, name: str) -> None:
    upstream, ours = opened(tmp_path, MODELS[name])

    @LAW
    @given(TEXTS)
    def law(text: str) -> None:
        theirs = upstream.encode(text, add_special_tokens=False)
        found = ours.encode(text, offsets=True)
        assert found.ids == theirs.ids
        assert ours.encode(text).ids == theirs.ids
        if told_truly(MODELS[name], text):
            assert found.offsets == theirs.offsets

    law()


def told_truly(model: dict[str, Any], text: str) -> bool:
    """Whether the library's offsets can be right: see the last test below."""
    unknown = not set(text) <= {*LETTERS, " "} and model["type"] == "BPE"
    marked = model.get("end_of_word_suffix") or model.get("continuing_subword_prefix")
    return not (unknown and model["byte_fallback"] and marked)


def test_offsets_forget_a_character_that_is_dropped_as_the_library_s_do(tmp_path: Path) -> None:
    upstream, ours = opened(tmp_path, bpe("", "", False, False, False, False))
    assert upstream.encode("ya").offsets == [(0, 1)]
    assert ours.encode("ya", offsets=True).offsets == [(0, 1)]


def test_the_library_falls_back_to_the_bytes_of_the_mark_too(tmp_path: Path) -> None:
    upstream, ours = opened(tmp_path, bpe("", "</w>", True, False, True, False))
    assert upstream.encode("y").tokens == ["<0x79>", "<0x3C>", "<0x2F>", "<0x77>", "<0x3E>"]
    assert upstream.encode("y").offsets[-1] == (4, 5)
    assert ours.encode("y", offsets=True).offsets == [(0, 1)] * 5
