"""Documents that differ from the tokenizer's own encoding, by shard."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import comb

from tokaudit.products.data.ids.counts.tally import Sign, Tally
from tokaudit.products.data.work.scan import JUDGED, DataScan

WRONG = (Sign.OTHER, Sign.TWO_WAYS, Sign.NOT_UTF8, Sign.NORMALIZED)
CERTAIN = (Sign.OTHER, Sign.NOT_UTF8)
BY_CHANCE = {Sign.NOT_UTF8: 0.1}  # of documents, as of a text with broken bytes
ELSE_BY_CHANCE = 0.01  # as of a text that another writer made
ANY_BY_CHANCE = 0.1  # of the ways that are certain, together
SURE = 1e-3  # how likely it may be that chance makes any shard look wrong
LEAST_DRAWN = 4  # documents of a shard, below which nothing is said of undecided ones
MOST_UNDECIDED = 0.25  # of these
MOST_NAMED = 3
MOST_SUMMED = 1000  # documents of a shard, whose tail is summed term by term


def wrong_in(tally: Tally) -> int:
    """Count the documents of a shard that differ from the tokenizer's encoding."""
    return sum(map(tally.count, WRONG))


def judged_in(tally: Tally) -> int:
    """Count the documents of a shard that could be decided."""
    return sum(map(tally.count, JUDGED))


def wrong_shards(scan: DataScan) -> list[str]:
    """Return the shards with more wrong documents than chance explains, the worst first.

    What all shards share, such as a writer that drops merges, makes none of them another's.
    """
    if len(scan.tallies) < 2:
        return []
    signs = {(sign,): _usual(scan, sign) for sign in WRONG} | {CERTAIN: ANY_BY_CHANCE}
    found = []
    for name, tally in scan.tallies.items():
        n, shards = judged_in(tally), len(scan.tallies)
        for some, rate in signs.items():
            count = sum(map(tally.count, some))
            if count and tail(count, n, rate) * shards < SURE:
                found.append((-wrong_in(tally) / n, name))
                break
    return [name for _, name in sorted(found)]


def _usual(scan: DataScan, sign: Sign) -> float:
    """Return the share of documents with a sign that is usual: that of the median shard.

    Few shards tell nothing of a sign that the tokenizer's own writer may cause.
    """
    chance = BY_CHANCE.get(sign, ELSE_BY_CHANCE)
    if sign in CERTAIN:
        return chance
    shares = sorted(
        tally.count(sign) / n for tally in scan.tallies.values() if (n := judged_in(tally))
    )
    return max(chance, shares[len(shares) // 2]) if shares[2:] else 1.0


def undecided_shards(scan: DataScan) -> Iterator[str]:
    """Yield the shards in which many sampled documents could not be decided."""
    for name, tally in scan.tallies.items():
        undecided = tally.drawn - judged_in(tally)
        if tally.drawn >= LEAST_DRAWN and undecided > MOST_UNDECIDED * tally.drawn:
            yield name


def tail(count: int, n: int, share: float) -> float:
    """Return the probability of at least `count` of `n`, given the share of each.

    >>> round(tail(3, 3, 0.01) * 1e6, 3), tail(0, 9, 0.5)
    (1.0, 1.0)
    """
    if share >= 1 or count <= 0:
        return 1.0
    if count > n * share and n > MOST_SUMMED:  # one term bounds the rest of a long sum
        return min(1.0, (n * share * 2.8 / count) ** count)
    terms = (comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(count, n + 1))
    return min(1.0, sum(terms))


def named(shards: Iterable[str], total: int) -> str:
    """Name some of the shards, and count the rest.

    >>> named(["b.bin"], 200)
    'in 1 of 200 shards: b.bin'
    """
    names = list(shards)
    more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
    return f"in {len(names):,} of {total:,} shards: {', '.join(names[:MOST_NAMED])}{more}"
