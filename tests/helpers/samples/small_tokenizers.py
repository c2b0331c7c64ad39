"""Pairs of small random tokenizers, and every text up to a length run through both.

The search is nothing but a loop over all texts of a few characters: it shares no code with the
comparison that is checked by it.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

from tokaudit_reference.spec import (
    AddedToken,
    Component,
    ModelType,
    Piece,
    Standing,
    TokenizerSpec,
    TokenType,
)
from tokaudit_reference.tokenizer import ReferenceTokenizer

LETTERS = "abA 1."
NONE = Component(None, Standing.STATED)


def stage(**options: Any) -> Component:
    return Component(options, Standing.STATED)


def split(pattern: str, behavior: str = "Isolated") -> Component:
    return stage(type="Split", pattern={"Regex": pattern}, behavior=behavior)


NORMALIZERS = (
    NONE,
    stage(type="Lowercase"),
    stage(type="Replace", pattern={"String": "a"}, content="b"),
    stage(type="Replace", pattern={"String": "ab"}, content="1"),
    stage(type="Replace", pattern={"Regex": " +"}, content=" "),
    stage(type="Strip", strip_left=True, strip_right=True),
    stage(type="Prepend", prepend=" "),
)
PRE_TOKENIZERS = (
    NONE,
    split(r"\s+"),
    split(r"\s"),
    split("[a-z]+"),
    split(r"[A-Za-z]+|\d"),
    split(" ?[a-z]+"),
    split(r"\d", "MergedWithPrevious"),
    split(r"\d", "MergedWithNext"),
    stage(type="Whitespace"),
    stage(type="Punctuation", behavior="Isolated"),
)
ADDED: tuple[tuple[AddedToken, ...], ...] = (
    (),
    (AddedToken(100, "ab", special=True, normalized=False),),
    (AddedToken(100, "ab", special=True, normalized=False, lstrip=True),),
    (AddedToken(100, "ab", special=True, normalized=False, rstrip=True),),
    (AddedToken(100, "ab", special=True, normalized=False, single_word=True),),
    (AddedToken(100, "1.", normalized=False), AddedToken(101, "a1", normalized=False)),
    (AddedToken(100, "Ab", normalized=True),),
)


def random_pair(seed: int) -> tuple[TokenizerSpec, TokenizerSpec]:
    """A tokenizer, and itself with one or two things changed."""
    random = Random(seed)
    one = _random_tokenizer(random)
    other = one
    for _ in range(random.randint(1, 2)):
        match random.randrange(4):
            case 0:
                other = replace(other, merges=_changed(random, other.merges or ()))
            case 1:
                other = replace(other, normalizer=random.choice(NORMALIZERS))
            case 2:
                other = replace(other, pre_tokenizer=random.choice(PRE_TOKENIZERS))
            case 3:
                other = replace(other, added_tokens=random.choice(ADDED))
    return one, other


def _random_tokenizer(random: Random) -> TokenizerSpec:
    words, merges = list(LETTERS), []
    for _ in range(random.randint(3, 9)):
        left, right = random.choice(words), random.choice(words)
        if len(left + right) <= 5 and left + right not in words:
            words.append(left + right)
            merges.append((left, right))
    pieces = {0: Piece(TokenType.UNKNOWN, "<unk>")}
    pieces |= {id: Piece(TokenType.ORDINARY, word) for id, word in enumerate(words, start=1)}
    rich = random.random() < 0.7
    return TokenizerSpec(
        ModelType.BPE,
        pieces,
        merges=tuple(merges),
        unk_id=0,
        added_tokens=random.choice(ADDED) if rich else (),
        normalizer=random.choice(NORMALIZERS) if rich else NONE,
        pre_tokenizer=random.choice(PRE_TOKENIZERS) if rich else NONE,
        post_processor=NONE,
        decoder=NONE,
        format="tokenizer.json",
        files=("tokenizer.json",),
    )


def _changed(random: Random, merges: tuple[Any, ...]) -> tuple[Any, ...]:
    """The merges with one left out, or with two neighbours exchanged."""
    if len(merges) < 2:
        return merges
    at = random.randrange(len(merges) - 1)
    if random.random() < 0.5:
        return merges[:at] + merges[at + 1 :]
    return (*merges[:at], merges[at + 1], merges[at], *merges[at + 2 :])


def first_difference(one: TokenizerSpec, other: TokenizerSpec, most: int) -> str | None:
    """The first text of at most so many characters that gets different ids, the shortest first."""
    left, right = ReferenceTokenizer(one), ReferenceTokenizer(other)
    for length in range(1, most + 1):
        for text in map("".join, product(LETTERS, repeat=length)):
            if left.encode(text).ids != right.encode(text).ids:
                return text
    return None
