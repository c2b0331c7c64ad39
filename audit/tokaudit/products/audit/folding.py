"""Merge several reports into one: of a repository's tokenizers, or a gate's subjects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from tokaudit.report.model import Verdict
from tokaudit.report.recorded import PartRecord, SubjectRecord
from tokaudit.report.report import Report
from tokaudit.report.wording import few

WORST = (Verdict.FAIL, Verdict.UNVERIFIABLE, Verdict.PASS)
T = TypeVar("T")


@dataclass(frozen=True)
class Member:
    """One of the reports, with its name and the parts that it becomes."""

    name: str
    report: Report
    parts: tuple[PartRecord, ...]


def folded(
    members: Sequence[Member],
    subject: SubjectRecord,
    passed: str,
    unexamined: str = "",
    **of_all: Any,
) -> Report:
    """Merge several reports: the worst verdict, every result, and each as a part.

    `passed` is the reason of a *pass*; what was left `unexamined` leaves none.  `of_all` are fields
    that no part has of its own; what nobody gives is taken from the first.
    """
    reports = [each.report for each in members]
    verdict = min((each.verdict for each in reports), key=WORST.index)
    reasons = [_reason(each) for each in members if each.report.verdict is verdict]
    if verdict is Verdict.PASS:
        reasons = [passed]
    if unexamined and verdict is not Verdict.FAIL:
        reasons = [unexamined, *(reasons if verdict is not Verdict.PASS else ())]
        verdict = Verdict.UNVERIFIABLE
    total: Counter[str] = sum((Counter(each.summary) for each in reports), Counter())
    return replace(
        reports[0],
        subject=subject,
        scope=_scope(members),
        verdict=verdict,
        verdict_reason="; ".join(reasons),
        summary={name: total[name] for name in reports[0].summary},
        identity=(),
        results=tuple(one for report in reports for one in report.results),
        checks=_each_once(one for report in reports for one in report.checks),
        parts=tuple(part for each in members for part in each.parts),
        others=_each_once(one for report in reports for one in report.others),
        loaders=tuple(one for report in reports for one in report.loaders),
        transcripts=tuple(one for report in reports for one in report.transcripts),
        traces=tuple(one for report in reports for one in report.traces),
        **of_all,
    )


def in_part(report: Report, name: str) -> Report:
    """Return a report with its results, loaders and texts assigned to a part."""
    return replace(
        report,
        results=tuple(replace(one, part=part_name(name, one.part)) for one in report.results),
        loaders=tuple(replace(one, part=part_name(name, one.part)) for one in report.loaders),
        transcripts=tuple(
            replace(one, part=part_name(name, one.part)) for one in report.transcripts
        ),
        traces=tuple(replace(one, part=part_name(name, one.part)) for one in report.traces),
    )


def part_name(whole: str, part: str) -> str:
    """Return the name of a part within a part.

    >>> part_name("models", "chat"), part_name("models", "."), part_name("models", "")
    ('models/chat', 'models', 'models')
    """
    return f"{whole}/{part}" if part and part != "." else whole


def part_record(name: str, report: Report, original: str = "") -> PartRecord:
    """Record a report as a part of another; `original` is the part that it copies."""
    return PartRecord(
        name,
        report.verdict,
        report.verdict_reason,
        report.scope,
        report.summary,
        report.subject.formats,
        report.identity,
        original,
    )


def _scope(members: Sequence[Member]) -> str:
    """Describe the scope, once for all reports with the same scope."""
    alike: dict[str, list[str]] = {}
    for each in members:
        alike.setdefault(each.report.scope, []).append(each.name)
    if len(alike) == 1:
        return f"each of {len(members)} tokenizers: {next(iter(alike))}"
    every = [each.name for each in members]
    return "; ".join(f"{few(names, every)}: {scope}" for scope, names in alike.items())


def _reason(member: Member) -> str:
    """Return the reason after the name, unless it begins with the name already."""
    named = f"{member.name}: "
    return f"{named}{member.report.verdict_reason.removeprefix(named)}"


def _each_once(found: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(found))
