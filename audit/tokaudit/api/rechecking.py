"""`tokaudit.recheck`: the proofs and texts of a stored comparison, checked again on the files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from tokaudit.api.comparing import judged
from tokaudit.api.opening import SubjectName, subjects_of
from tokaudit.api.settings import FilesByRole
from tokaudit.comparison.facets.recheck import Rechecked, rechecked
from tokaudit.engine.comparing import Compared, prepared
from tokaudit.engine.needs import Options
from tokaudit.engine.rerun import rerun
from tokaudit.engine.workers import Workers
from tokaudit.foundation.errors import UsageError
from tokaudit.report.comparison import Comparison, Outcome
from tokaudit.report.reading import decode_report
from tokaudit.report.report import Report
from tokaudit.subject.material import SourceFile, read_bytes

LARGEST = 256 * 1024 * 1024  # bytes of a report


def recheck(
    report: Report | str | os.PathLike[str],
    *subjects: SubjectName,
    pattern: str | None = None,
    special: Mapping[str, int] | None = None,
    files: FilesByRole | None = None,
) -> tuple[Rechecked, ...]:
    """Check every proof and every text of a stored comparison again, without the search.

    Where the `subjects` are not named, those that the report names are opened.  A claim that was
    changed, or whose files were, has an `objection`.
    """
    stored = report if isinstance(report, Report) else _read(Path(report))
    found = [each for each in (stored.comparison, *stored.further) if each is not None]
    if not found or not all(each.facets for each in found):
        raise UsageError("the report is not one of tokaudit compare")
    named = subjects or (found[0].left, *(each.right for each in found))
    if len(named) != len(found) + 1:
        raise UsageError(f"the report is about {len(found) + 1} tokenizers, not {len(named)}")
    opened = subjects_of(named, pattern, special, files)
    workers = Workers(Options().limits())
    try:
        sides = [prepared(each, workers, str(at)) for at, each in enumerate(opened)]
        claims = [
            claim
            for other, each in zip(sides[1:], found, strict=True)
            for claim in _claims(sides[0], other, each)
        ]
    finally:
        workers.close()
    derived, facets = judged(found)[0], [facet for each in found for facet in each.facets]
    wrong = "" if derived is stored.verdict else f"by its facets it would be {derived}"
    searched = sum(f.outcome is Outcome.UNDIFFERING and not f.certificate for f in facets)
    but = f", but for {searched} facets that were searched, which is not done again"
    return (*claims, Rechecked(f"verdict: {stored.verdict}{but if searched else ''}", wrong))


def _claims(left: Compared, right: Compared, stored: Comparison) -> Iterator[Rechecked]:
    yield from rechecked(left.side, right.side, stored)
    yield from rerun(left, right, stored)


def _read(path: Path) -> Report:
    file = SourceFile(path.name, path, 0, "report")
    return decode_report(read_bytes(file, LARGEST), str(path))
