"""Counts of ids on disk, by shard and in total."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tokaudit.engine.evidence import shown
from tokaudit.foundation.errors import UpstreamTrouble
from tokaudit.products.data.files.batch import ShardInfo
from tokaudit.products.data.ids.counts.tally import Sign, Tally, merged
from tokaudit.products.data.ids.plan import Expected
from tokaudit.runtimes.protocol import DecodeOptions, Tokenizer

JUDGED = (
    Sign.OWN,
    Sign.CUT,
    Sign.JOINED,
    Sign.SPECIAL_AS_TEXT,
    Sign.NORMALIZED,
    Sign.SAMPLED,
    Sign.TWO_WAYS,
    Sign.OTHER,
    Sign.NOT_UTF8,
)


MISSED = 0.05  # the probability with which a sample has none of so many wrong ones


def share_missed(looked_at: int) -> float:
    """Return the share of errors that a sample of this size misses one time in twenty.

    >>> f"{share_missed(300):.2%}", f"{share_missed(1):.0%}"
    ('0.99%', '95%')
    """
    return float(1 - MISSED ** (1 / looked_at))


def missed(looked_at: int) -> str:
    """Describe the missed share as the end of a sentence; empty without a sample.

    >>> missed(300)
    '; if 0.99% of all were wrong, 1 sample in 20 would show none'
    """
    if not looked_at:
        return ""
    return f"; if {share_missed(looked_at):.2%} of all were wrong, 1 sample in 20 would show none"


@dataclass(frozen=True)
class DataScan:
    """Shards of ids with their counts, and the tokenizer that decodes them."""

    shards: Mapping[str, ShardInfo]
    tallies: Mapping[str, Tally]
    unreadable: tuple[tuple[str, str], ...]
    others: tuple[str, ...]
    expected: Expected
    names: Mapping[int, str]
    tokenizer: Tokenizer | None
    share: float  # of the documents that were drawn

    @cached_property
    def total(self) -> Tally:
        """Add up all shards."""
        return merged(self.tallies.values())

    @property
    def method(self) -> str:
        """Describe how documents were sampled."""
        if self.share >= 1:
            return f"every {self.unit}, decoded and encoded again"
        return (
            f"{self.units} drawn by hash, {self.decoded:.2%} of all ids, decoded and encoded again"
        )

    def method_of(self, wrong: int) -> str:
        """Describe the sample, its size, and its missed share if nothing is wrong."""
        end = "" if wrong else self.missed_by_the_sample
        return f"{self.judged:,} {self.method}{end}" if end else self.method

    @property
    def missed_by_the_sample(self) -> str:
        """Describe the missed share of a sample; empty if everything was checked."""
        return missed(self.judged) if self.share < 1 else ""

    @property
    def decoded(self) -> float:
        """Return the share of all ids that were decoded."""
        if self.share >= 1:
            return 1.0
        return min(1.0, self.total.drawn_ids / max(1, self.total.ids))

    @property
    def unit(self) -> str:
        """Return the name of a checked unit, in the singular."""
        if not self.total.windows:
            return "document"
        alone = self.total.windows == self.total.drawn
        return "window" if alone else "document and window"

    @property
    def units(self) -> str:
        """Return the name of the checked units, in the plural."""
        return self.unit.replace("document", "documents").replace("window", "windows")

    @property
    def judged(self) -> int:
        """Count the documents that were decoded, encoded again and decided."""
        return sum(map(self.total.count, JUDGED))

    def text(self, ids: Sequence[int]) -> str:
        """Decode some ids; an unknown id is shown by number."""
        if self.tokenizer is None or not all(map(self.expected.has, ids)):
            return "".join(self.names.get(id, f"<{id}>") for id in ids)
        try:
            return shown(self.tokenizer.decode([list(ids)], DecodeOptions())[0])
        except UpstreamTrouble:
            return "".join(self.names.get(id, f"<{id}>") for id in ids)
