"""Record of one tensor in a header, for all formats that hold weights."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tensor:
    """The record of one tensor in a header; `start` is where its bytes begin, if known."""

    dtype: str
    shape: tuple[int, ...]
    file: str
    nbytes: int
    start: int | None = None  # where its numbers begin in the file, if that is known
