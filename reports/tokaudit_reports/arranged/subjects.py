"""The table of the subjects of a gate, or of the tokenizers of a repository."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tokaudit.plugin import Report, Severity, Verdict, cut
from tokaudit.report.recorded import PartRecord
from tokaudit.report.sentences.not_examined import unexamined
from tokaudit.report.wording import counted

LONGEST = 160  # characters of what was found
MOST_LEFT_OUT = 2  # the most important things that were not examined
WORST_FIRST = (Verdict.FAIL, Verdict.UNVERIFIABLE, Verdict.PASS)


@dataclass(frozen=True, slots=True)
class SubjectRow:
    """A subject with its verdict, its findings, and its most important unexamined part."""

    part: PartRecord
    found: str
    not_examined: str


def subject_rows(report: Report) -> list[SubjectRow]:
    """A row for each subject, the worst first."""
    ranked = sorted(report.parts, key=lambda part: WORST_FIRST.index(part.verdict))
    return [SubjectRow(part, _found(report, part), _left_out(report, part)) for part in ranked]


def _found(report: Report, part: PartRecord) -> str:
    """Name the worst finding, and count the errors, warnings and notes."""
    causes = [each for each in report.causes if each.part == part.name]
    levels = [each.severity for each in causes]
    counts = ", ".join(counted(levels.count(s), s) for s in Severity if s in levels)
    if part.verdict is Verdict.UNVERIFIABLE:
        return cut(part.verdict_reason, LONGEST)
    worst = next((each.finding for each in causes if each.severity is not Severity.INFO), None)
    said = f": {cut(worst.message, LONGEST)}" if worst is not None else ""
    if part.verdict is Verdict.PASS:
        return f"no error{f', {counts}' if counts else ''}{said}"
    return f"{counts}{said}" or part.verdict_reason


def _left_out(report: Report, part: PartRecord) -> str:
    """Name an unexamined part that could change a decision: the weights, the base, or another."""
    mine = tuple(each for each in report.results if each.part == part.name)
    alone = unexamined(replace(report, results=mine, parts=(), scope=part.scope))
    return ", ".join(each.short for each in alone[:MOST_LEFT_OUT])
