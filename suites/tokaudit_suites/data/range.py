"""Checks that every id has a vocabulary entry and an embedding row."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Finding, Harm, Measured, Measurement, Severity, check
from tokaudit.products.data.ids.counts.tally import Sign
from tokaudit.products.data.work.scan import DataScan
from tokaudit_suites.data._places import sign_finding
from tokaudit_suites.shared.repairs import DATA_FROM_ITS_SOURCE


@check(
    "data/range",
    title="Every id is a token of the vocabulary",
    why="An id beyond the embedding stops the run or makes the model read a wrong row; an id "
    "without a vocabulary entry has no text.",
    incident="Ids were out of range (allenai/dolma#142).",
    remedy="Write {file|the shard} again with the tokenizer of the model.",
    repair=DATA_FROM_ITS_SOURCE,
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=Basis.CROSS_FILE,
    measures=(Measured("data/highest_id"),),
    no_example="Its subject is files of ids; the tests write ids that no entry has.",
)
def range_(scan: DataScan) -> Iterator[Finding | Measurement]:
    """Report ids past the vocabulary, past the rows, and between entries."""
    total, expected = scan.total, scan.expected
    yield Measurement(
        "data/highest_id", "Highest id on disk", total.highest, "id", total.ids, "counted"
    )
    texts = {
        Sign.OUTSIDE: f"{{n}} ids are outside the vocabulary, which has {expected.size:,} ids",
        Sign.NO_ROW: f"{{n}} ids have no row of the embedding, which has {expected.rows:,}",
        Sign.HOLE: "{n} ids are in the vocabulary's range and have no entry in it",
    }
    for sign, what in texts.items():
        if total.count(sign):
            yield sign_finding(scan, sign, Severity.ERROR, what)
