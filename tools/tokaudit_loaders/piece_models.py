"""Small SentencePiece models of every kind, whose scores are not in the order of their ids."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from random import Random

SPECIAL = {"<unk>": 2, "<s>": 3, "</s>": 3, "<pad>": 3}
FIRST = (
    ("<unk>", "<s>", "</s>", "<pad>"),
    ("<pad>", "</s>", "<unk>", "<s>"),
    ("<s>", "<pad>", "</s>", "<unk>"),
    ("<pad>", "</s>", "<s>", "<unk>"),
)
"""The first pieces of a model, as families train it; classes take what they know of."""
LETTERS = "\u2581thecasondDER.,1"
WORDS = (
    ("\u2581t", -6.0), ("th", -4.0), ("\u2581th", -5.0), ("he", -7.0), ("\u2581the", -3.5),
    ("ca", -3.0), ("cas", -8.0), ("on", -2.5), ("do", -9.0), ("\u2581do", -2.0), ("1,", -6.5),
)  # fmt: skip
KINDS = {"Unigram": 1, "BPE": 2}


@dataclass(frozen=True)
class DrawnModel:
    """A model: its bytes and pieces, its kind, whether it has a map, where its unknown is."""

    data: bytes
    pieces: Sequence[str]
    kind: str
    has_map: bool
    has_flags: bool  # both switches of its normalizer are on, as the trainer has them
    unknown: int
    first: Sequence[str]
    scores: Mapping[str, float]


@cache
def drawn_models(charsmap: bytes) -> tuple[DrawnModel, ...]:
    """One of each kind, with and without the map, in each order of its first pieces."""
    return tuple(_models(charsmap))


def _models(charsmap: bytes) -> Iterator[DrawnModel]:
    for kind, used, flags in product(KINDS, (b"", charsmap), (True, False)):
        for first in FIRST:
            bytes_ = [f"<0x{value:02X}>" for value in range(256)] if kind == "BPE" else []
            pieces = [(each, 0.0, SPECIAL[each]) for each in first]
            pieces += [(each, 0.0, 6) for each in bytes_]
            pieces += [(each, score, 1) for each, score in WORDS]
            pieces += [(each, -10.0 - at, 1) for at, each in enumerate(LETTERS)]
            data = written_model(pieces, KINDS[kind], used, flags=flags)
            names = [each for each, _, _ in pieces]
            scores = {each: score for each, score, _ in pieces}
            unknown = first.index("<unk>")
            yield DrawnModel(data, names, kind, bool(used), flags, unknown, first, scores)


def written_model(
    pieces: Sequence[tuple[str, float, int]], kind: int, charsmap: bytes, *, flags: bool
) -> bytes:
    """The file of a model, as SentencePiece writes it."""
    names = [each for each, _, _ in pieces]
    ids = {number: names.index(each) if each in names else -1 for number, each in ROLES.items()}
    trainer = _number(3, kind) + _number(35, int(kind == KINDS["BPE"]))
    trainer += b"".join(_number(number, id) for number, id in ids.items())
    normalizer = (_bytes(2, charsmap) if charsmap else b"") + _number(3, flags) + _number(4, flags)
    return _listed(pieces) + _bytes(2, trainer) + _bytes(3, normalizer)


def _listed(pieces: Sequence[tuple[str, float, int]]) -> bytes:
    return b"".join(
        _bytes(1, _bytes(1, each.encode()) + b"\x15" + struct.pack("<f", score) + _number(3, type))
        for each, score, type in pieces
    )


TYPES = (1, 1, 1, 1, 4, 5)  # of pieces: ordinary, the user's, unused
BYTE_FALLBACK = 35
TRAINER_FLAGS, NORMALIZER_FLAGS = (24, BYTE_FALLBACK), (3, 4, 5)
BEGINS = ("", "<s>", "</s>", "<begin>", "on")
ONE = 0.5


def drawn_model(draw: Random, charsmap: bytes) -> bytes:
    """A model with settings, types and a name of BOS that are there, absent, on or off."""
    kind = draw.choice((*KINDS.values(), 3, 4))
    pieces = [(each, 0.0, SPECIAL[each]) for each in draw.choice(FIRST)]
    if has_bytes := draw.random() < ONE:
        pieces += [(f"<0x{value:02X}>", 0.0, 6) for value in range(256)]
    pieces += [(each, score, draw.choice(TYPES)) for each, score in WORDS]
    pieces += [(each, -10.0 - at, draw.choice(TYPES)) for at, each in enumerate(LETTERS)]
    trainer = _number(3, kind)
    begin = draw.choice(BEGINS)
    trainer += _bytes(46, begin.encode()) if begin else b""
    for field in TRAINER_FLAGS:
        on = draw.random() < ONE / 2
        if field == BYTE_FALLBACK and draw.random() > ONE / 4:  # else against the pieces
            on = has_bytes
        trainer += _number(field, on)
    normalizer = _bytes(2, charsmap) if draw.random() < ONE else b""
    for field in NORMALIZER_FLAGS:
        normalizer += _number(field, draw.random() < ONE) if draw.random() < ONE else b""
    return _listed(pieces) + _bytes(2, trainer) + _bytes(3, normalizer)


ROLES = {40: "<unk>", 41: "<s>", 42: "</s>", 43: "<pad>"}


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value & (2**64 - 1))


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes((*found, value))
