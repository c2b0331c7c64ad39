"""Tokenizers of any size for `growth.py`, made by a seed."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from functools import cache
from itertools import count, islice, product
from pathlib import Path
from random import Random
from typing import Any

from tokaudit_reference.text.bytes_alphabet import BYTE_OF

LONGEST = 16  # characters of a token that merges make
Json = dict[str, Any]


def words() -> Iterator[str]:
    """Distinct words without end, of syllables, the short ones first."""
    syllables = ["".join(each) for each in product("bdfgklmnprstvz", "aeiou")]
    for length in count(1):
        yield from ("".join(each) for each in product(syllables, repeat=length))


@cache
def bpe(entries: int) -> Json:
    """Bytes and merges of two parts each, drawn by a seed; the short parts more often."""
    draw, tokens, merges = Random(entries), sorted(BYTE_OF), []
    letters = [each for each in tokens if each.isascii() and each.isalpha()]
    known, parts = set(tokens), list(letters)
    while len(tokens) < entries:
        left = parts[draw.randrange(min(len(letters) + len(parts) // 4, len(parts)))]
        right = draw.choice(parts)
        if len(left + right) <= LONGEST and left + right not in known:
            known.add(left + right)
            parts.append(left + right)
            tokens.append(left + right)
            merges.append([left, right])
    return {
        "model": {
            "type": "BPE",
            "vocab": {token: id for id, token in enumerate(tokens)},
            "merges": merges,
        },
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True},
        "decoder": {"type": "ByteLevel"},
    }


@cache
def unigram(entries: int) -> Json:
    """Letters and words with falling scores."""
    letters = [chr(code) for code in range(33, 127)]
    pieces = ["<unk>", "▁", *letters, *(f"▁{word}" for word in islice(words(), entries))][:entries]
    vocab = [[piece, -math.log(2 + rank)] for rank, piece in enumerate(pieces)]
    space = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    return {
        "model": {"type": "Unigram", "unk_id": 0, "vocab": vocab, "byte_fallback": False},
        "pre_tokenizer": space,
        "decoder": space,
    }


@cache
def wordpiece(entries: int) -> Json:
    """Letters, letters that continue a word, and words."""
    letters = [chr(code) for code in range(33, 127)]
    pieces = ["[UNK]", *letters, *(f"##{each}" for each in letters), *islice(words(), entries)]
    return {
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": {piece: id for id, piece in enumerate(pieces[:entries])},
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
    }


FAMILIES = {"bpe": bpe, "unigram": unigram, "wordpiece": wordpiece}


def write(folder: Path, family: str, entries: int, added: int = 0) -> None:
    """A folder with a tokenizer of so many entries, and so many added tokens after them."""
    folder.mkdir(parents=True)
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    listed = [
        {"id": entries + number, "content": f"<|extra_{number}|>", "special": True, **flags}
        for number in range(added)
    ]
    settings = {"normalizer": None, "post_processor": None, "truncation": None, "padding": None}
    data = {"version": "1.0", **settings, **FAMILIES[family](entries), "added_tokens": listed}
    (folder / "tokenizer.json").write_text(json.dumps(data), "utf-8")
