"""How ids are spread: by rank, by role and by the length of documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tokaudit.engine.check import check
from tokaudit.engine.data.scan import DataScan
from tokaudit.engine.measured import Measured
from tokaudit.foundation.errors import NotApplicable
from tokaudit.report.model import Basis, Finding, Harm, Measurement, Severity
from tokaudit_suites.shared.repairs import DATA_FROM_ITS_SOURCE

RANKS = (10, 100, 1_000, 10_000, 100_000)  # most frequent ids, whose shares are measured
ROLES = {"begin": "beginning", "end": "end", "pad": "padding", "unknown": "unknown"}
ALL = "counted, every id"


@check(
    "data/distribution",
    title="How ids and lengths are spread",
    why="A vocabulary of which few ids are used, or documents that all have one length, tell how "
    "the ids were made.",
    incident="Ids of another tokenizer were used and nothing said so (marin-community/marin#301).",
    remedy="Compare the figures with those of data that is known to be right.",
    repair=DATA_FROM_ITS_SOURCE,
    severity=Severity.INFO,
    harm=Harm.STYLE,
    basis=Basis.INTRINSIC,
    measures=(
        Measured("data/share_of_ranks"),
        Measured("data/share_of_roles"),
        Measured("data/documents_by_length"),
        Measured("data/entries_used"),
    ),
    only_measures=True,
)
def distribution(scan: DataScan) -> Iterator[Finding | Measurement]:
    """The share of the most frequent ids and of each role, and documents by length."""
    total = scan.total
    counted = sum(total.counts.values())
    if not counted:
        raise NotApplicable("there are no ids")
    often = sorted(total.counts.values(), reverse=True)
    used = len(often) / max(1, scan.expected.size)
    yield Measurement("data/entries_used", "Entries used", used, "share", counted, ALL)
    ranks = {f"{rank:,}": sum(often[:rank]) / counted for rank in RANKS if rank < len(often)}
    yield from _rows("share_of_ranks", "Ids that are of the most frequent", ranks, "rank", counted)
    roles = {
        word: sum(total.counts.get(id, 0) for id in getattr(scan.expected, name)) / counted
        for name, word in ROLES.items()
        if getattr(scan.expected, name)
    }
    yield from _rows("share_of_roles", "Ids of a role", roles, "role", counted)
    lengths = {_lengths(bucket): float(total.lengths[bucket]) for bucket in sorted(total.lengths)}
    yield from _rows(
        "documents_by_length", "Documents", lengths, "ids", total.documents, "documents"
    )


def _lengths(bucket: int) -> str:
    """The lengths of documents that one power of two counts.

    >>> _lengths(0), _lengths(5)
    ('1', '32 to 63')
    """
    return f"{1 << bucket:,} to {(2 << bucket) - 1:,}" if bucket else "1"


def _rows(
    key: str, title: str, values: Mapping[str, float], of: str, n: int, unit: str = "share"
) -> Iterator[Measurement]:
    """A measurement for each value of one dimension."""
    for name, value in values.items():
        yield Measurement(f"data/{key}", title, value, unit, n, ALL, dimensions={of: name})
