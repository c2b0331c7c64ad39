"""Merge a gate's reports into one, in which each subject is a part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tokaudit.products.audit.folding import Member, folded, in_part, part_name, part_record
from tokaudit.report.model import CheckResult, Finding, Suppressed
from tokaudit.report.recorded import FileRecord, PartRecord, SubjectRecord
from tokaudit.report.report import Report
from tokaudit.report.wording import located

HERE = "."  # what the report is on: the folder from which all files are named


def one_report(reports: Sequence[Report]) -> Report:
    """Return the only subject's report, or a merged one with folders before files."""
    if len(reports) == 1:
        return reports[0]
    located_ones = [_located(each) for each in reports]
    members = [
        Member(each.subject.name, located, tuple(_parts(each)))
        for each, located in zip(reports, located_ones, strict=True)
    ]
    passed = "no errors in any subject"
    comparisons = [each for report in reports for each in report.comparisons]
    return folded(
        members,
        _subject(located_ones),
        passed,
        seconds=sum(each.seconds for each in reports),
        comparison=comparisons[0] if comparisons else None,
        further=tuple(comparisons[1:]),
    )


def _parts(report: Report) -> list[PartRecord]:
    """Return a subject as a part; a repository gives one for each of its tokenizers."""
    name = report.subject.name
    if report.parts:
        return [replace(part, name=part_name(name, part.name)) for part in report.parts]
    return [part_record(name, report)]


def _located(report: Report) -> Report:
    """Return a report as a part of the whole, with places named from there."""
    name = report.subject.name
    part = in_part(report, name)
    return replace(part, results=tuple(_result(each, name) for each in part.results))


def _result(result: CheckResult, subject: str) -> CheckResult:
    return replace(
        result,
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
