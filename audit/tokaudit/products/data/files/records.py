"""Rows with named ids: the meaning of names, and batches of rows.

One table serves Parquet, JSON lines and rollouts: a row is a list of ids with lists next to it that
are as long, or a prompt and a response.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sized
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tokaudit.foundation.errors import UnreadableError
from tokaudit.products.data.files.batch import MOST_IDS, Batch, Columns, Fault, UnlikeLabels, numpy
from tokaudit.subject.id_columns import KNOWN

if TYPE_CHECKING:
    from numpy.typing import NDArray

NUMBERS = tuple(name for names in KNOWN.values() for name in names)
COLUMNS = ("labels", "mask", "positions", "loss")  # as long as the ids
LARGEST_ID = 1 << 62


@dataclass(frozen=True, slots=True)
class Names:
    """The names that a table uses for each column; empty if missing."""

    ids: str = ""
    prompt: str = ""
    response: str = ""
    labels: str = ""
    mask: str = ""
    positions: str = ""
    loss: str = ""
    logprobs: str = ""

    @property
    def hold_ids(self) -> bool:
        """Return whether there are ids at all."""
        return bool(self.ids or (self.prompt and self.response))

    @property
    def used(self) -> tuple[str, ...]:
        """Return the names to read."""
        every = (self.ids, self.prompt, self.response, self.labels, self.mask, self.positions)
        return tuple(name for name in (*every, self.loss, self.logprobs) if name)


def names_of(there: Iterable[str], given: Iterable[tuple[str, str]] = ()) -> Names:
    """Match a table's names to roles, by the user's word first; a rollout has prompt and response.

    >>> names_of(["input_ids", "labels"]).labels, names_of(["text"]).hold_ids
    ('labels', False)
    >>> names_of(["doc", "labels"], [("ids", "doc")]).ids
    'doc'
    """
    held, said = set(there), dict(given)

    def first(role: str) -> str:
        known = (said[role],) if role in said else KNOWN[role]
        return next((name for name in known if name in held), "")

    found = {role: first(role) for role in KNOWN}
    both = bool(found["prompt"] and found["response"]) and "ids" not in said
    gone = ("ids",) if both else ("prompt", "response")
    return Names(**(found | dict.fromkeys(gone, "")))


def refuse_missing(file: str, there: Iterable[str], given: Iterable[tuple[str, str]]) -> None:
    """Raise `UnreadableError` if a table lacks a name that the user gave."""
    held = list(there)
    for role, name in given:
        if name not in held:
            known = ", ".join(held[:9])
            raise UnreadableError(
                f"{file}: has no column {name!r} for {role}; its columns are {known}"
            )


@dataclass
class RowBatches:
    """Collects rows until a batch is full; an unreadable row is a fault."""

    file: str
    names: Names
    number: int = 0  # of the next row
    _first: int = 0
    _ids: list[NDArray[Any]] = field(default_factory=list)
    _columns: dict[str, list[NDArray[Any]]] = field(default_factory=dict)
    _faults: list[Fault] = field(default_factory=list)
    _prompts: list[int] = field(default_factory=list)
    _unlike: list[UnlikeLabels] = field(default_factory=list)
    _held: int = 0

    def __post_init__(self) -> None:
        named = ((field, getattr(self.names, field)) for field in COLUMNS)
        self._named = [(field, name) for field, name in named if name]
        self._numpy = numpy()  # once, and not for each of many rows

    def take(self, rows: Iterable[Mapping[str, Any] | None]) -> Iterator[Batch]:
        """Yield batches of rows; None stands for a row already reported as a fault."""
        for row in rows:
            if row is None:
                self._ids.append(numpy().zeros(0, "i8"))
            else:
                self._add(row)
            self.number += 1
            if self._held >= MOST_IDS:
                yield self._made()
        if self._ids or self._faults:
            yield self._made()

    def _add(self, row: Mapping[str, Any]) -> None:
        ids = self._ids_of(row)
        self._ids.append(ids)
        self._held += len(ids) + 1
        for field_name, name in self._named:
            self._columns.setdefault(field_name, []).append(self._as_long_as(row, name, ids))
        if self.names.logprobs:
            self._as_long_as(row, self.names.logprobs, ids)

    def _ids_of(self, row: Mapping[str, Any]) -> NDArray[Any]:
        if self.names.ids:
            return self._whole(row, self.names.ids)
        prompt, response = (self._whole(row, n) for n in (self.names.prompt, self.names.response))
        self._prompts.append(len(prompt))
        found: NDArray[Any] = numpy().concatenate([prompt, response])
        return found

    def _whole(self, row: Mapping[str, Any], name: str) -> NDArray[Any]:
        """Return the whole numbers under a name; empty if there is something else."""
        np = self._numpy
        try:
            found: NDArray[Any] = np.asarray(row.get(name))
            if found.ndim == 1 and (found.dtype.kind in "iu" or not found.size):
                return found.astype(np.int64, copy=False)
        except (ValueError, OverflowError, TypeError):
            pass
        self.fault("row", f"{name} is not a list of whole numbers")
        return np.zeros(0, "i8")  # type: ignore[no-any-return]

    def _as_long_as(self, row: Mapping[str, Any], name: str, ids: NDArray[Any]) -> NDArray[Any]:
        """Return the numbers under another name, as long as the ids or the response."""
        np, value = numpy(), row.get(name)
        count = len(value) if isinstance(value, Sized) else -1
        response = len(ids) - self._prompts[-1] if self._prompts else -1
        if count not in (len(ids), response):
            expected = response if self._prompts else len(ids)
            if name == self.names.labels and not self._prompts and count >= 0:
                self._unlike.append(UnlikeLabels(self.number, count, expected))
            else:
                self.fault("length", f"{name} has {max(count, 0):,} entries for {expected:,} ids")
            return np.full(len(ids), -100)  # type: ignore[no-any-return]
        if name == self.names.logprobs:
            return ids
        try:
            found = np.asarray(value).astype("i8")
        except (ValueError, OverflowError, TypeError):
            self.fault("row", f"{name} is not a list of whole numbers")
            return np.full(len(ids), -100)  # type: ignore[no-any-return]
        return np.concatenate([np.zeros(len(ids) - count, "i8"), found])  # type: ignore[no-any-return]

    def fault(self, cause: str, message: str) -> None:
        """Record a fault of the next row."""
        self._faults.append(Fault(cause, message, self.file, self.number))

    def _made(self) -> Batch:
        np = numpy()
        ends = np.cumsum([len(each) for each in self._ids])
        columns = {name: np.concatenate(parts) for name, parts in self._columns.items()}
        faults, prompts = tuple(self._faults), tuple(self._prompts)
        ids = np.concatenate(self._ids) if self._ids else np.zeros(0, "i8")
        batch = Batch(
            ids,
            ends,
            self._first,
            -1,
            columns=Columns(**columns),
            faults=faults,
            prompts=prompts,
            unlike=tuple(self._unlike),
        )
        self._first, self._held = self.number, 0
        self._ids, self._columns, self._faults, self._prompts, self._unlike = [], {}, [], [], []
        return batch
