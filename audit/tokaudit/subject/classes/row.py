"""What the table says of a class: the files it reads, where its ids come from, who has it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Ids(StrEnum):
    """Where a class takes its ids from."""

    FILE = "file"  # as vocab.json or tokenizer.json states them
    LINES = "lines"  # the number of the line
    PIECES = "pieces"  # the place of the piece in the model
    MOVED = "moved"  # the place of the piece, moved behind tokens of the class
    BESIDE = "beside"  # as the vocab.json beside the pieces states them
    LISTED = "listed"  # behind tokens of the class, in the order of a list
    NONE = "none"  # bytes or characters; the class reads no file


@dataclass(frozen=True, slots=True)
class ClassRow:
    """One class of transformers, slow and fast together; `name` is without the mark of the fast.

    A fast class, and one that transformers 5 builds on tokenizers, reads `tokenizer.json` before
    the files that are named here.
    """

    name: str
    files: tuple[str, ...]
    ids: Ids
    four: str  # what transformers 4.57 has of it: slow, fast, both or nothing
    five: str  # what it is built on in transformers 5, or the one file that it reads there
    source: str  # in `src/transformers/models/`; of 4.57 where the class is there, else of 5
