"""Encoders with a documented fault, for `--against`."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path
from unicodedata import category, ucd_3_2_0

import regex

import tokaudit
from tokaudit_faults.healthy.folders import thinking
from tokaudit_folders import sick
from tokaudit_reference.text.bytes_alphabet import to_characters
from tokaudit_reference.text.published_patterns import PATTERNS
from tokaudit_reference.tokenizer import ReferenceTokenizer

(GPT2,) = PATTERNS["gpt2"]


def left_to_right(text: str) -> list[int]:
    """The ids of the small vocabulary, with merges applied by position and not by rank."""
    ids, pairs = _small()
    parts = list(to_characters(text.encode()))
    at = 0
    while at < len(parts) - 1:
        if (parts[at], parts[at + 1]) in pairs:
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
            at = max(at - 1, 0)
        else:
            at += 1
    return [ids[part] for part in parts]


def off_by_one(text: str) -> list[int]:
    """The ids of the small vocabulary, each with the number of special tokens added once more."""
    return [id + 1000 for id in _reference().encode(text, parse_special=True).ids]


def without_ordinary_added(text: str) -> list[int]:
    """The small vocabulary without added tokens that are not special."""
    return list(_reference(special_alone=True).encode(text, parse_special=True).ids)


def refusing(text: str) -> list[int]:
    """The ids of the small vocabulary, but for texts that spell a special token: those raise."""
    tokenizer = _reference()
    if any(token.special and token.content in text for token in tokenizer.spec.added_tokens):
        raise ValueError("a special token is in the text")
    return list(tokenizer.encode(text).ids)


def with_old_tables(text: str) -> list[int]:
    """The small vocabulary after the letters and numbers of Unicode 3.2."""
    newer = {c for c in text if category(c)[0] in "LN" and ucd_3_2_0.category(c) == "Cn"}
    known = "".join("\ue000" if c in newer else c for c in text)
    parts, at = list[str](), 0
    for part in regex.findall(GPT2, known):
        parts.append(text[at : at + len(part)])
        at += len(part)
    tokenizer = _reference()
    return [id for part in parts for id in tokenizer.model.encode(to_characters(part.encode()))]


@cache
def _reference(special_alone: bool = False) -> ReferenceTokenizer:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "model"
        thinking(folder)
        with tokaudit.open(folder) as opened:
            spec = opened.spec
    kept = tuple(t for t in spec.added_tokens if t.special or not special_alone)
    return ReferenceTokenizer(replace(spec, added_tokens=kept))


@cache
def _small() -> tuple[dict[str, int], set[tuple[str, str]]]:
    merges = sick.train()
    ids = {token: id for id, token in enumerate(sorted(sick.alphabet().values()))}
    for left, right in merges:
        ids.setdefault(left + right, len(ids))
    return ids, set(merges)
