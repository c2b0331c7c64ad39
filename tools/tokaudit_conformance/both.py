"""The library and the reference, each in its own worker, asked at the same time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TypeVar

from tokaudit.runtimes.protocol import DecodeOptions, Encoding
from tokaudit.runtimes.worker.client import WorkerTokenizer
from tokaudit_conformance.kinds import Kind

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Mismatch:
    """A string, or list of ids, on which the two differ, and what each of them says."""

    what: str  # error, ids, offsets or decoded
    text: str
    upstream: str
    reference: str


class Both:
    """The two tokenizers, and what of them can be compared."""

    def __init__(self, upstream: WorkerTokenizer, ours: WorkerTokenizer) -> None:
        self.upstream, self.ours = upstream, ours
        shared = upstream.capabilities & ours.capabilities
        self.offsets = "offsets" in shared
        self.as_bytes = "decode_bytes" in upstream.capabilities
        self.decodes = "decode" in ours.capabilities and (self.as_bytes or "decode" in shared)

    def compared(self, kind: Kind) -> str:
        """What is compared of a kind, in words."""
        extra = [("offsets", self.offsets), ("decoded", self.decodes)]
        return ", ".join(["ids", *(word for word, there in extra if there and kind.whole)])

    def mismatches(self, batch: Sequence[str], kind: Kind) -> Iterator[Mismatch]:
        """Where the two differ on texts, in order; then on what the library's ids decode to."""
        options = replace(kind.options, offsets=kind.whole and self.offsets)
        theirs, found = self._ask(lambda who: who.encode(batch, options))
        for text, one, other in zip(batch, theirs, found, strict=True):
            what = _difference(one, other)
            if what:
                yield Mismatch(what, text, _shown(one, what), _shown(other, what))
        if kind.whole and self.decodes:
            ids = [list(one.ids) for one in theirs]
            yield from self._decoded(batch, ids, DecodeOptions())

    def decoded_otherwise(
        self, ids: Sequence[list[int]], options: DecodeOptions
    ) -> Iterator[Mismatch]:
        """Where lists of ids decode to another text."""
        return self._decoded(list(map(str, ids)), ids, options)

    def _decoded(
        self, names: Sequence[str], ids: Sequence[list[int]], options: DecodeOptions
    ) -> Iterator[Mismatch]:
        chosen = replace(options, as_bytes=self.as_bytes)
        theirs, found = self._ask(lambda who: who.decode(ids, chosen))
        for name, one, other in zip(names, theirs, found, strict=True):
            if one != other:
                yield Mismatch("decoded", name, repr(one), repr(other))

    def _ask(self, question: Callable[[WorkerTokenizer], Answer]) -> tuple[Answer, Answer]:
        with ThreadPoolExecutor(2) as pool:
            theirs, found = pool.map(question, (self.upstream, self.ours))
        return theirs, found


def _difference(one: Encoding, other: Encoding) -> str:
    if one.error is not None or other.error is not None:
        return "error" if (one.error is None) != (other.error is None) else ""
    if one.ids != other.ids:
        return "ids"
    return "offsets" if one.offsets != other.offsets else ""


def _shown(one: Encoding, what: str) -> str:
    if what == "error":
        return one.error if one.error is not None else f"ids {list(one.ids)}"
    return str(list(one.ids if what == "ids" else one.offsets or ()))
