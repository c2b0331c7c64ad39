"""Checks that the index, header and bytes of each shard agree."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Finding, Harm, Measured, Measurement, Severity, check
from tokaudit.products.data.files.opening import Corpus
from tokaudit.products.data.work.scan import DataScan
from tokaudit_suites.data._places import shard_place
from tokaudit_suites.data._shard_names import missing, twins
from tokaudit_suites.shared.repairs import DATA_FROM_ITS_SOURCE


@check(
    "data/whole",
    title="Index, header and bytes of each shard agree",
    why="A data loader reads documents at the positions that an index file states. A wrong index "
    "makes the loader read wrong documents; a data file that is too short stops the run or is "
    "skipped.",
    incident="Lengths were written without the end of the document (NVIDIA/Megatron-LM#431).",
    remedy="Write {file|the shard} again from its source.",
    repair=DATA_FROM_ITS_SOURCE,
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=Basis.INTRINSIC,
    measures=(Measured("data/shards"), Measured("data/ids"), Measured("data/documents")),
    no_example="Its subject is files of ids; the tests break samples of each format.",
)
def whole(corpus: Corpus, scan: DataScan | None) -> Iterator[Finding | Measurement]:
    """Report each contradiction within a shard as an error; twins and gaps are warnings."""
    for name, why in corpus.unreadable:
        yield _finding(name, why, "unreadable")
    if scan is not None:  # one shard at least was opened
        yield from _counted(scan)
        yield from _contradictions(scan)
        yield from twins(scan)
        yield from missing(scan)


def _counted(scan: DataScan) -> Iterator[Measurement]:
    total = scan.total
    for key, title, value in (
        ("shards", "Shards", len(scan.shards)),
        ("ids", "Ids on disk", total.ids),
        ("documents", "Documents on disk", total.documents),
    ):
        yield Measurement(f"data/{key}", title, value, key, len(scan.shards), "counted")


def _contradictions(scan: DataScan) -> Iterator[Finding]:
    """Report shards that contradict themselves or are empty."""
    for name, info in scan.shards.items():
        for fault in info.faults:
            number = f" (document {fault.document:,})" if fault.document >= 0 else ""
            yield _finding(name, f"{fault.file}: {fault.message}{number}", fault.cause)
        found = scan.tallies[name]
        for cause, message, file, document in found.faults[:1]:
            more = f"; {found.faulty:,} such rows" if found.faulty > 1 else ""
            at = f", document {document:,}" if document >= 0 else ""
            yield _finding(name, f"{file}{at}: {message}{more}", cause)
        if not found.ids and not info.faults and not found.faults:
            yield Finding(
                Severity.WARNING, f"{name}: holds no ids", (shard_place(name),), cause="empty"
            )


def _finding(name: str, message: str, cause: str) -> Finding:
    return Finding(Severity.ERROR, message, (shard_place(name),), cause=cause)
