"""Batches of ids read from a shard, with the ends of documents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tokaudit.foundation.errors import UnreadableError
from tokaudit.foundation.extras import imported

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_IDS = 1 << 20  # of a batch


class HoldsNoIds(UnreadableError):
    """Raised for a sound file that contains something else, such as texts."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something in a shard that contradicts its own index, header or lengths."""

    cause: str
    message: str
    file: str
    document: int = -1


@dataclass(frozen=True, slots=True)
class ShardInfo:
    """A shard's statements about itself; `derived` explains how gaps were filled.

    `bounded` is False where nothing states the ends of documents, so that an id has to; `packed`
    is True for rows of one length, which may cut a document.
    """

    name: str
    format: str
    dtype: str
    ids: int
    documents: int
    bytes: int
    files: tuple[str, ...]
    bounded: bool = True
    packed: bool = False
    rollout: bool = False
    tokenizer: str = ""
    derived: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True)
class UnlikeLabels:
    """A row with more or fewer labels than ids."""

    document: int
    labels: int
    ids: int


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns next to the ids, of equal length; None if missing."""

    labels: NDArray[Any] | None = None
    mask: NDArray[Any] | None = None
    positions: NDArray[Any] | None = None
    loss: NDArray[Any] | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """Consecutive ids of a shard, and the ends of documents in them.

    `first` is the number of the document that the batch begins in, and -1 where documents have
    none; `offset` is the place of the first id in the shard.  The first document may have begun
    before (`opens` is False), and the last may go on (`closes` is False).
    """

    ids: NDArray[Any]
    ends: NDArray[Any]
    first: int
    offset: int
    opens: bool = True
    closes: bool = True
    columns: Columns = Columns()
    faults: tuple[Fault, ...] = ()
    prompts: tuple[int, ...] = field(default=())  # of rollouts: the length of each prompt
    unlike: tuple[UnlikeLabels, ...] = ()

    def spans(self) -> Iterator[tuple[int, int, int, bool]]:
        """Yield each document's number, start and stop in the batch, and if it is complete."""
        start, last = 0, len(self.ends) - 1
        for place, stop in enumerate(self.ends.tolist()):
            whole = (place > 0 or self.opens) and (place < last or self.closes)
            yield place, start, stop, whole
            start = stop


def numpy() -> Any:
    """Return numpy; raise `UsageError` with the command to install it."""
    return imported("numpy", "data")
