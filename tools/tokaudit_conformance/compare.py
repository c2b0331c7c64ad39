"""Counts where the reference differs from a library, for each kind of strings, and what excuses it.

What excuses a difference is computed in `tokaudit.runtimes.unicode_tables`.  It excuses a string
that holds such a code point, and only if both agree as soon as those code points are taken out of
it or are others.  What ids decode to needs no tables, so there nothing is excused.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

from tokaudit.engine.texts.shrink import minimise
from tokaudit.foundation.errors import UpstreamTrouble
from tokaudit.runtimes.unicode_tables import Excuses, all_characters, excuses
from tokaudit.runtimes.worker.client import WorkerTokenizer
from tokaudit_conformance.both import Both, Mismatch
from tokaudit_conformance.kinds import IdKind, Kind, id_kinds, kinds
from tokaudit_conformance.subjects import LoadPair
from tokaudit_conformance.texts import Tier

AT_ONCE = 20_000
PATIENCE = 120.0  # seconds for one batch
SHOWN = 3  # mismatches kept
STAND_INS = ("", "x", "7", ".")
BY_TABLES = frozenset({"ids", "offsets"})


@dataclass
class ComparedStrings:
    """What came of comparing one kind of strings for one tokenizer."""

    tokenizer: str
    upstream: str
    kind: str
    compared: str = "ids"
    strings: int = 0
    mismatches: int = 0
    explained: int = 0
    by_table: dict[str, int] = field(default_factory=dict)  # the mismatches that each excuses
    seconds: float = 0.0
    examples: list[Mismatch] = field(default_factory=list)
    trouble: str = ""  # why nothing could be compared

    @property
    def unexplained(self) -> int:
        """The mismatches that nothing excuses."""
        return self.mismatches - self.explained


def compare(pair: LoadPair, tier: Tier, seed: int) -> Iterator[ComparedStrings]:
    """A row for each kind of strings, or one that says why there are none."""
    with ExitStack() as stack:
        upstream, ours = (
            stack.enter_context(WorkerTokenizer(request, timeout=PATIENCE))
            for request in (pair.upstream, pair.reference)
        )
        try:
            comparison = Comparison(pair, Both(upstream, ours))
        except UpstreamTrouble as error:
            yield ComparedStrings(
                pair.name, pair.upstream.adapter, "not compared", trouble=str(error)
            )
            return
        abilities = upstream.capabilities & ours.capabilities
        for kind in kinds(pair.spec, tier, seed, abilities):
            yield comparison.of_texts(kind)
        if comparison.both.decodes:
            for id_kind in id_kinds(pair.spec, tier, seed, abilities):
                yield comparison.of_ids(id_kind)


class Comparison:
    """The rows of one tokenizer."""

    def __init__(self, pair: LoadPair, both: Both) -> None:
        self.pair, self.both = pair, both
        self._upstream = f"{both.upstream.info.package} {both.upstream.info.version}"

    @cached_property
    def excuses(self) -> Excuses:
        """What excuses a difference; found when the first one is met."""
        return excuses(self.pair.spec, self.both.upstream, all_characters())

    def of_texts(self, kind: Kind) -> ComparedStrings:
        """The row of strings to encode."""
        row = ComparedStrings(self.pair.name, self._upstream, kind.name, self.both.compared(kind))
        started, waiting = time.perf_counter(), iter(kind.strings)
        while batch := list(islice(waiting, AT_ONCE)):
            row.strings += len(batch)
            found = list(self.both.mismatches(batch, kind))
            row.mismatches += len(found)
            excused = self._excused(found, kind)
            for mismatch in found:
                if mismatch.what in BY_TABLES and mismatch.text in excused:
                    row.explained += 1
                    for name in self.excuses.tables_of(mismatch.text):
                        row.by_table[name] = row.by_table.get(name, 0) + 1
                elif len(row.examples) < SHOWN:
                    row.examples.append(self._smallest(mismatch, kind))
        row.seconds = time.perf_counter() - started
        return row

    def of_ids(self, kind: IdKind) -> ComparedStrings:
        """The row of lists of ids to decode."""
        row = ComparedStrings(self.pair.name, self._upstream, kind.name, "decoded", len(kind.ids))
        started = time.perf_counter()
        found = list(self.both.decoded_otherwise(kind.ids, kind.options))
        row.mismatches, row.examples = len(found), found[:SHOWN]
        row.seconds = time.perf_counter() - started
        return row

    def _excused(self, found: Sequence[Mismatch], kind: Kind) -> set[str]:
        """The texts on which both agree once the excused code points are out, or are others."""
        texts = [mismatch.text for mismatch in found if mismatch.what in BY_TABLES]
        left = [text for text in texts if self.excuses.tables_of(text)]
        for instead in STAND_INS:
            others = [self.excuses.without(text, instead) for text in left]
            wrong = {m.text for m in self.both.mismatches(others, kind)}
            left = [text for text, other in zip(left, others, strict=True) if other not in wrong]
        return set(left)

    def _smallest(self, mismatch: Mismatch, kind: Kind) -> Mismatch:
        """A minimal text with a mismatch of the same sort that no code point excuses."""

        def fails(texts: Sequence[str]) -> list[bool]:
            wrong = {m.text for m in self.both.mismatches(texts, kind) if m.what == mismatch.what}
            return [text in wrong and not self.excuses.tables_of(text) for text in texts]

        start = self.excuses.without(mismatch.text)
        start = start if fails([start])[0] else mismatch.text
        if not fails([start])[0]:
            return mismatch
        small = minimise(start, fails)
        return next(m for m in self.both.mismatches([small], kind) if m.what == mismatch.what)
