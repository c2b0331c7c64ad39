"""Asks the vendor and the reference about the same strings, and counts where they differ.

A difference is explained only by what is computed: code points that the vendor's Unicode tables
class otherwise than this Python's, found by asking the vendor about each.  It excuses a string that
holds one, and only if both agree as soon as those code points are taken out of it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

from tokaudit.exactness import texts
from tokaudit.exactness.subjects import Pair
from tokaudit.protocol import EncodeOptions, Encoding
from tokaudit.worker.client import WorkerTokenizer

AT_ONCE = 20_000
PATIENCE = 120.0  # seconds for one batch
SHOWN = 3  # mismatches kept


@dataclass(frozen=True)
class Mismatch:
    """A string on which the two differ, and what each of them says."""

    what: str  # ids, offsets or decoded
    text: str
    vendor: str
    reference: str


@dataclass
class Row:
    """What came of comparing one kind of strings for one tokenizer."""

    tokenizer: str
    vendor: str
    kind: str
    strings: int = 0
    mismatches: int = 0
    explained: int = 0
    seconds: float = 0.0
    examples: list[Mismatch] = field(default_factory=list)

    @property
    def unexplained(self) -> int:
        """The mismatches that nothing excuses."""
        return self.mismatches - self.explained


def compare(pair: Pair, tier: texts.Tier, seed: int) -> Iterator[Row]:
    """A row for each kind of strings."""
    with ExitStack() as stack:
        vendor, ours = (
            stack.enter_context(WorkerTokenizer(source, timeout=PATIENCE))
            for source in (pair.vendor, pair.reference)
        )
        both = Both(vendor, ours)
        label = f"{vendor.info.package} {vendor.info.version}"
        characters = texts.scalars(tier, seed)
        kinds: dict[str, Iterable[str]] = {
            "entries": texts.entries(pair.spec, tier, seed),
            "scalars": characters,
            "between letters": texts.between(characters),
            "fuzz": texts.fuzz(pair.spec, tier, seed),
        }
        for kind, strings in kinds.items():
            row = Row(pair.name, label, kind)
            started = time.perf_counter()
            both.fill(row, strings, whole=kind in ("entries", "fuzz"))
            row.seconds = time.perf_counter() - started
            yield row


class Both:
    """The two tokenizers, asked at the same time."""

    def __init__(self, vendor: WorkerTokenizer, ours: WorkerTokenizer) -> None:
        self.vendor, self.ours = vendor, ours
        shared = vendor.capabilities & ours.capabilities
        self._offsets = "offsets" in shared
        self._decodes = bool({"decode", "decode_bytes"} & vendor.capabilities) and (
            "decode" in ours.capabilities
        )

    @cached_property
    def _other(self) -> set[str]:
        """The code points that excuse a difference; found when the first one is met."""
        return set(map(chr, self.vendor.table_differences(unassigned=True)))

    def fill(self, row: Row, strings: Iterable[str], *, whole: bool) -> None:
        """Count into a row; `whole`: offsets and decoded text are compared too."""
        waiting = iter(strings)
        while batch := list(islice(waiting, AT_ONCE)):
            row.strings += len(batch)
            for mismatch in self._mismatches(batch, whole):
                row.mismatches += 1
                if self._explained(mismatch, whole):
                    row.explained += 1
                elif len(row.examples) < SHOWN:
                    row.examples.append(mismatch)

    def _mismatches(self, batch: Sequence[str], whole: bool) -> Iterator[Mismatch]:
        options = EncodeOptions(offsets=whole and self._offsets)
        with ThreadPoolExecutor(2) as pool:
            theirs, found = pool.map(
                lambda who: who.encode(batch, options), (self.vendor, self.ours)
            )
        for text, one, other in zip(batch, theirs, found, strict=True):
            if one.error is not None or other.error is not None:
                if (one.error is None) != (other.error is None):
                    yield Mismatch("error", text, str(one.error), str(other.error))
            elif one.ids != other.ids:
                yield Mismatch("ids", text, str(one.ids), str(other.ids))
            elif one.offsets != other.offsets:
                yield Mismatch("offsets", text, str(one.offsets), str(other.offsets))
        if whole and self._decodes:
            yield from self._decoded(batch, theirs)

    def _decoded(self, batch: Sequence[str], encoded: Sequence[Encoding]) -> Iterator[Mismatch]:
        ids = [one.ids for one in encoded]
        with ThreadPoolExecutor(2) as pool:
            theirs, found = pool.map(lambda who: who.decode(ids), (self.vendor, self.ours))
        for text, one, other in zip(batch, theirs, found, strict=True):
            told = one.decode("utf-8", "replace") if isinstance(one, bytes) else one
            if told != other:
                yield Mismatch("decoded", text, repr(told), repr(other))

    def _explained(self, mismatch: Mismatch, whole: bool) -> bool:
        kept = "".join(c for c in mismatch.text if c not in self._other)
        return kept != mismatch.text and not any(self._mismatches([kept], whole))
