"""One report on all subjects of a gate, in which each subject is a part with its own verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from tokaudit.api.repository import part_record
from tokaudit.report.model import CheckResult, Finding, Suppressed, Verdict
from tokaudit.report.recorded import FileRecord, PartRecord, SubjectRecord
from tokaudit.report.report import Report
from tokaudit.report.wording import located

HERE = "."  # what the report is on: the folder from which all files are named
WORST = (Verdict.FAIL, Verdict.UNVERIFIABLE, Verdict.PASS)


def together(reports: Sequence[Report]) -> Report:
    """The report of the one subject, or one over all, with its folder before each file."""
    if len(reports) == 1:
        return reports[0]
    located_ones = [_located(each) for each in reports]
    verdict = min((each.verdict for each in reports), key=WORST.index)
    decisive = [each for each in reports if each.verdict is verdict]
    reason = "; ".join(map(_reason, decisive))
    total: Counter[str] = sum((Counter(each.summary) for each in reports), Counter())
    comparisons = [c for r in reports for c in (r.comparison, *r.further) if c is not None]
    return replace(
        reports[0],
        seconds=sum(each.seconds for each in reports),
        subject=_subject(located_ones),
        scope=_scope(reports),
        verdict=verdict,
        verdict_reason=reason if verdict is not Verdict.PASS else "no errors in any subject",
        summary={name: total[name] for name in reports[0].summary},
        identity=(),
        results=tuple(result for each in located_ones for result in each.results),
        comparison=comparisons[0] if comparisons else None,
        further=tuple(comparisons[1:]),
        parts=tuple(part for each in reports for part in _parts(each)),
        others=tuple(dict.fromkeys(other for each in reports for other in each.others)),
    )


def _scope(reports: Sequence[Report]) -> str:
    """What was examined, once for all subjects of which the same was."""
    alike: dict[str, list[str]] = {}
    for each in reports:
        alike.setdefault(each.scope, []).append(each.subject.name)
    if len(alike) == 1:
        return f"each of {len(reports)} subjects: {reports[0].scope}"
    return "; ".join(f"{', '.join(names)}: {scope}" for scope, names in alike.items())


def _reason(report: Report) -> str:
    """Why, after the name of the subject, with which an error of reading begins already."""
    named = f"{report.subject.name}: "
    return f"{named}{report.verdict_reason.removeprefix(named)}"


def _parts(report: Report) -> list[PartRecord]:
    """A subject as a part; one that is a repository gives a part for each of its tokenizers."""
    name = report.subject.name
    if report.parts:
        return [replace(part, name=_part(name, part.name)) for part in report.parts]
    return [part_record(name, report)]


def _part(subject: str, part: str) -> str:
    return f"{subject}/{part}" if part and part != "." else subject


def _located(report: Report) -> Report:
    name = report.subject.name
    return replace(report, results=tuple(_result(each, name) for each in report.results))


def _result(result: CheckResult, subject: str) -> CheckResult:
    return replace(
        result,
        part=_part(subject, result.part),
        findings=tuple(_finding(each, subject) for each in result.findings),
        suppressed=tuple(_suppressed(each, subject) for each in result.suppressed),
    )


def _suppressed(held: Suppressed, subject: str) -> Suppressed:
    return replace(held, finding=_finding(held.finding, subject))


def _finding(finding: Finding, subject: str) -> Finding:
    places = tuple(
        replace(place, file=located(subject, place.file))
        if place.file and not place.outside
        else place
        for place in finding.places
    )
    return replace(finding, places=places)


def _subject(reports: Sequence[Report]) -> SubjectRecord:
    def named(report: Report, files: Sequence[FileRecord]) -> list[FileRecord]:
        return [replace(file, name=located(report.subject.name, file.name)) for file in files]

    return SubjectRecord(
        name=HERE,
        files=tuple(file for each in reports for file in named(each, each.subject.files)),
        unread=tuple(file for each in reports for file in named(each, each.subject.unread)),
        facts=tuple(
            replace(fact, file=located(each.subject.name, fact.file))
            for each in reports
            for fact in each.subject.facts
        ),
        formats=tuple(dict.fromkeys(f for each in reports for f in each.subject.formats)),
    )
