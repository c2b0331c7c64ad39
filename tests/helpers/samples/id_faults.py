"""The ways in which documents of ids are wrong: what is done to them, and what has to be found."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from small_ids import END, documents, small_folder
from tokenizers import Tokenizer

from tokaudit_folders.folder import Folder

Rows = list[list[int]]
LAST = small_folder().vocab[END]
UNUSED = 40_000  # an id that the vocabulary has not


@dataclass(frozen=True)
class IdFault:
    """A change of rows, and the finding; `streams` whether it shows without stated ends."""

    name: str
    change: Callable[[Rows], Rows]
    found: str
    streams: bool = True


def _each(change: Callable[[list[int]], list[int]], every: int = 1) -> Callable[[Rows], Rows]:
    return lambda rows: [
        change(list(row)) if at % every == 0 else list(row) for at, row in enumerate(rows)
    ]


def other_equal() -> Folder:
    """A tokenizer of the same size: two long tokens in three are on each other's ids."""
    tokenizer = json.loads(small_folder().text())
    vocab = tokenizer["model"]["vocab"]
    moved = [token for token, id in vocab.items() if id >= 1000]
    ids = [vocab[token] for token in moved]
    vocab |= dict(zip(moved, [*ids[1:], ids[0]], strict=True))
    return Folder(tokenizer)


def without_merges(count: int) -> Folder:
    """The tokenizer without some of the merges that its texts need most."""
    tokenizer = json.loads(small_folder().text())
    merges = tokenizer["model"]["merges"]
    del merges[260 : 260 + count]
    return Folder(tokenizer)


def lower_cased() -> Folder:
    """The tokenizer with a normalizer that writes lower case."""
    return Folder(json.loads(small_folder().text())).changed(normalizer={"type": "Lowercase"})


def with_dropout(rows: Rows) -> Rows:
    """Every other document with merges left out at random."""
    import random

    draw, found = random.Random(0), []
    library = Tokenizer.from_str(small_folder().text())
    spelled = {library.id_to_token(id): id for id in range(256 + 1)}
    for at, row in enumerate(rows):
        made: list[int] = []
        for id in row:
            token = library.id_to_token(id)
            apart = at % 2 == 0 and draw.random() < 0.2 and id != LAST
            letters = [spelled.get(letter) for letter in token] if apart else [None]
            made += [id] if None in letters else [each for each in letters if each is not None]
        found.append(made)
    return found


def as_text(rows: Rows) -> Rows:
    """The end of text spelled out within each document."""
    library = Tokenizer.from_str(small_folder().text())
    library.encode_special_tokens = True
    spelled = library.encode(END).ids
    return [[*row[:9], *spelled, *row[9:]] for row in rows]


FAULTS = (
    IdFault(
        "another tokenizer of the same size",
        lambda _: documents(folder=other_equal()),
        "data/own-encoding:other",
    ),
    IdFault(
        "one merge less", lambda _: documents(folder=without_merges(1)), "data/own-encoding:other"
    ),
    IdFault(
        "ten merges less", lambda _: documents(folder=without_merges(10)), "data/own-encoding:other"
    ),
    IdFault(
        "ids moved by one",
        _each(lambda row: [*((id + 1) % LAST for id in row[:-1]), row[-1]]),
        "data/own-encoding:other",
    ),
    IdFault(
        "ids wrapped",
        _each(lambda row: [*(id % 4096 for id in row[:-1]), row[-1]]),
        "data/own-encoding:other",
    ),
    IdFault("dropout", with_dropout, "data/own-encoding:two-ways"),
    IdFault("special tokens as text", as_text, "data/own-encoding:special-as-text"),
    IdFault(
        "bytes cut apart",
        _each(lambda row: [*row[:5], 129, *row[5:]]),
        "data/own-encoding:not-utf-8",
    ),
    IdFault(
        "an id outside", _each(lambda row: [*row[:5], UNUSED, *row[5:]], 20), "data/range:outside"
    ),
    IdFault("twice the end", _each(lambda row: [*row, LAST], 6), "data/boundaries:ends-twice"),
    IdFault("always twice the end", _each(lambda row: [*row, LAST]), "data/boundaries:ends-twice"),
    IdFault(
        "some without an end",
        _each(lambda row: row[:-1], 6),
        "data/boundaries:end-is-mixed",
        streams=False,
    ),
    IdFault(
        "none with an end", _each(lambda row: row[:-1]), "data/boundaries:no-end", streams=False
    ),
    IdFault(
        "an end inside",
        _each(lambda row: [*row[:9], LAST, *row[9:]], 10),
        "data/boundaries:end-inside",
        streams=False,
    ),
    IdFault(
        "an empty document",
        lambda rows: [*rows[:5], [], *rows[5:]],
        "data/boundaries:empty",
        streams=False,
    ),
)
