"""What a header says of one tensor; the formats that hold weights give these too."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tensor:
    """What a header says of one tensor; `start` is where its bytes begin in the file, if known."""

    dtype: str
    shape: tuple[int, ...]
    file: str
    nbytes: int
    start: int | None = None  # where its numbers begin in the file, if that is known
