"""The distribution of ids: by rank, by role and by the length of documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tokaudit.plugin import (
    Basis,
    Finding,
    Harm,
    Measured,
    Measurement,
    NotApplicable,
    Severity,
    check,
)
from tokaudit.products.data.ids.counts.ranks import band_of
from tokaudit.products.data.ids.counts.tally import Sign, Tally
from tokaudit.products.data.ids.plan import Expected
from tokaudit.products.data.work.scan import DataScan
from tokaudit_suites.shared.repairs import DATA_FROM_ITS_SOURCE

EDGES = {"begin": "beginning", "end": "end", "pad": "padding", "unknown": "unknown"}
OTHERS = {
    "reserved": "reserved",
    "special": "other special",
    "part": "bytes of characters",
    "holes": "no entry",
}
ORDINARY, OUTSIDE = "ordinary", "outside"
Roles = Mapping[str, Sequence[int]]
RANKS = (10, 100, 1_000, 10_000, 100_000)  # most frequent ids, whose shares are measured
AROUND_TEXTS = ("begin", "end", "pad")  # roles that the encoding of a text has no ids of
MOST_SHARDS = 200  # with one figure for each role
ALL = "counted, every id"
OF_TEXTS = "on disk: every id but those that begin, end and pad, from each rank to twice as far"


@check(
    "data/distribution",
    title="How ids and lengths are spread",
    why="Three figures show how the ids of a corpus were made: how much of the vocabulary the ids "
    "use, how their ranks differ from the tokenizer's own encoding of the same text, and how long "
    "the documents are.",
    incident="Ids of another tokenizer were used and nothing said so (marin-community/marin#301).",
    remedy="Compare these figures with the figures of data that you trust.",
    repair=DATA_FROM_ITS_SOURCE,
    severity=Severity.INFO,
    harm=Harm.STYLE,
    basis=Basis.INTRINSIC,
    measures=(
        Measured("data/ids_by_rank"),
        Measured("data/share_of_ranks"),
        Measured("data/share_of_roles"),
        Measured("data/share_of_roles_by_shard"),
        Measured("data/documents_by_length"),
        Measured("data/entries_used"),
    ),
    only_measures=True,
)
def distribution(scan: DataScan) -> Iterator[Finding | Measurement]:
    """Measure ids by rank and by role, and documents by length."""
    total = scan.total
    counted = sum(total.counts.values())
    if not counted:
        raise NotApplicable("there are no ids")
    often = sorted(total.counts.values(), reverse=True)
    used = len(often) / max(1, scan.expected.size)
    yield Measurement("data/entries_used", "Entries used", used, "share", counted, ALL)
    yield from _by_rank(scan)
    ranks = {f"{rank:,}": sum(often[:rank]) / counted for rank in RANKS if rank < len(often)}
    yield from _rows("share_of_ranks", "Share of the most frequent ids", ranks, "number", counted)
    yield from _by_role(scan)
    lengths = {_lengths(bucket): float(total.lengths[bucket]) for bucket in sorted(total.lengths)}
    yield from _rows(
        "documents_by_length", "Documents", lengths, "ids", total.documents, "documents"
    )


def _by_rank(scan: DataScan) -> Iterator[Measurement]:
    """Measure the share of ids in each band of ranks, on disk and in fresh encodings.

    What is to be expected is what the tokenizer itself makes of the texts that the ids decode to.
    """
    around = {id for role in AROUND_TEXTS for id in getattr(scan.expected, role)}
    on_disk: Counter[int] = Counter()
    for id, count in scan.total.counts.items():
        if id not in around:
            on_disk[band_of(id)] += count
    own = f"own encoding: of the texts on disk; {scan.method}"
    for name, bands, method in (
        ("on disk", on_disk, OF_TEXTS),
        ("own encoding", scan.total.own_ranks, own),
    ):
        n = sum(bands.values())
        for band in sorted(bands):
            yield Measurement(
                "data/ids_by_rank",
                "Share of ids",
                bands[band] / n,
                "share",
                n,
                method,
                dimensions={"ids": name, "rank": str(1 << band)},
            )


def _by_role(scan: DataScan) -> Iterator[Measurement]:
    """Measure the share of each role that occurs, over all ids and by shard."""
    roles = ids_by_role(scan.expected)
    every = shares_of_roles(scan.total, roles)
    n = sum(scan.total.counts.values())
    yield from _rows("share_of_roles", "Share of ids", every, "role", n)
    if len(scan.tallies) < 2:
        return
    for name, tally in list(scan.tallies.items())[:MOST_SHARDS]:
        shares = shares_of_roles(tally, roles)
        for role in every if shares else ():
            yield Measurement(
                "data/share_of_roles_by_shard",
                "Share of ids",
                shares.get(role, 0.0),
                "share",
                tally.ids,
                ALL,
                dimensions={"role": role, "shard": name},
            )


def _lengths(bucket: int) -> str:
    """Name the range of lengths that a power of two covers.

    >>> _lengths(0), _lengths(5)
    ('1', '32 to 63')
    """
    return f"{1 << bucket:,} to {(2 << bucket) - 1:,}" if bucket else "1"


def _rows(
    key: str, title: str, values: Mapping[str, float], of: str, n: int, unit: str = "share"
) -> Iterator[Measurement]:
    """Yield a measurement for each value of one dimension."""
    for name, value in values.items():
        yield Measurement(f"data/{key}", title, value, unit, n, ALL, dimensions={of: name})


def ids_by_role(expected: Expected) -> Roles:
    """Return the ids of each role; an id that begins and ends texts has its own role.

    >>> ids_by_role(Expected(9, begin=(1,), end=(1, 2), special=(1, 2, 3)))
    {'beginning, end': [1], 'end': [2], 'other special': [3]}
    """
    words: dict[int, list[str]] = {}
    for name, word in EDGES.items():
        for id in getattr(expected, name):
            words.setdefault(id, []).append(word)
    for name, word in OTHERS.items():
        for id in getattr(expected, name):
            words.setdefault(id, [word])
    found: dict[str, list[int]] = {}
    for id, several in words.items():
        found.setdefault(", ".join(several), []).append(id)
    return found


def shares_of_roles(tally: Tally, roles: Roles) -> dict[str, float]:
    """Return the share of each role that occurs, ordinary ids first; they add up to one."""
    if not tally.ids:
        return {}
    counts = {role: sum(tally.counts.get(id, 0) for id in ids) for role, ids in roles.items()}
    counts[OUTSIDE] = tally.count(Sign.OUTSIDE)
    ordinary = sum(tally.counts.values()) + counts[OUTSIDE] - sum(counts.values())
    return {
        role: count / tally.ids for role, count in {ORDINARY: ordinary, **counts}.items() if count
    }
