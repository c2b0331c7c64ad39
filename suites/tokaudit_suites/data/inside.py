"""Checks that padding, unknown and reserved ids stay out of documents."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Finding, Harm, Measured, Measurement, Severity, Worse, check
from tokaudit.products.data.ids.counts.tally import Sign
from tokaudit.products.data.work.scan import DataScan
from tokaudit_suites.data._places import sign_finding
from tokaudit_suites.shared.repairs import DATA_FROM_ITS_SOURCE

SOME = 1e-3  # of all ids; an unknown token now and then is what it is there for


@check(
    "data/inside",
    title="No padding or reserved id inside documents",
    why="A model learns to write whatever its documents contain, including padding, unknown "
    "tokens and reserved ids.",
    incident="Padding was the id 0, which is a word of Llama 3 (AI-Hypercomputer/maxtext PR#1416).",
    remedy="Remove these ids from the documents, or tokenize the documents again with the right "
    "tokenizer.",
    repair=DATA_FROM_ITS_SOURCE,
    severity=Severity.WARNING,
    harm=Harm.OTHER_PROMPT,
    milder="a text may hold such an id on purpose.",
    basis=Basis.CROSS_FILE,
    measures=(Measured("data/unknown", Worse.HIGHER),),
    no_example="Its subject is files of ids; the tests write padding inside of documents.",
)
def inside(scan: DataScan) -> Iterator[Finding | Measurement]:
    """Report padding, reserved ids, and more than occasional unknown tokens."""
    total = scan.total
    unknown = total.count(Sign.UNKNOWN)
    yield Measurement(
        "data/unknown", "Unknown tokens", unknown / max(1, total.ids), "share", total.ids, "counted"
    )
    if total.count(Sign.PAD_INSIDE):
        yield sign_finding(
            scan, Sign.PAD_INSIDE, Severity.WARNING, "{n} ids of padding are inside texts"
        )
    if total.count(Sign.RESERVED):
        yield sign_finding(scan, Sign.RESERVED, Severity.WARNING, "{n} ids are reserved entries")
    if unknown > SOME * total.ids:
        yield sign_finding(scan, Sign.UNKNOWN, Severity.WARNING, "{n} ids are the unknown token")
