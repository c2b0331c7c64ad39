"""First sentence of a report, built anew each time that it is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tokaudit.report.model import CheckResult, Severity, Status, Verdict
from tokaudit.report.sentences.not_examined import about_data
from tokaudit.report.sentences.of_comparison import comparison_sentence, listed
from tokaudit.report.sentences.of_replacement import replacement_sentence
from tokaudit.report.wording import counted, cut, in_part, small

if TYPE_CHECKING:
    from tokaudit.report.report import Report

MOST_SAID = 2  # findings that the sentence quotes
POINTERS = "the weights are only git-lfs pointers"
LONGEST = 220  # characters of one of them


def verdict_sentence(report: Report) -> str:
    """State what to do with the subject and the first reasons for it, in one sentence."""
    if report.replacements:
        return replacement_sentence(report.replacements) + "."
    about_two = report.comparisons and not report.results
    said = comparison_sentence(report, report.comparisons) if about_two else _of_audit(report)
    return said.rstrip(".") + "."


def _of_audit(report: Report) -> str:
    """State what to do; a crashed check comes before all other results."""
    crashed = [each for each in report.results if each.status is Status.CRASHED]
    return f"{_crashes(crashed)}. {_decided(report)}" if crashed else _decided(report)


def _crashes(crashed: Sequence[CheckResult]) -> str:
    names = list(dict.fromkeys(each.check for each in crashed))
    shown = names[:MOST_SAID] + ([f"{len(names) - MOST_SAID} more"] if names[MOST_SAID:] else [])
    checks = "A check" if len(names) == 1 else f"{len(names)} checks"
    return f"{checks} crashed, so their questions are open: {listed(shown)}"


def _decided(report: Report) -> str:
    data = about_data(report)
    match report.verdict:
        case Verdict.FAIL:
            failed = sum(each.verdict is Verdict.FAIL for each in report.parts)
            said = _quoted(list(_errors(report))) or report.verdict_reason
            if failed:
                said = said.replace("in ", "In ", 1) if said.startswith("in ") else said
                undecided = sum(each.verdict is Verdict.UNVERIFIABLE for each in report.parts)
                more = f"; {undecided:,} more could not be decided" if undecided else ""
                return f"Do not ship {failed:,} of {len(report.parts):,} tokenizers{more}. {said}"
            return f"{'Do not train on this data' if data else 'Do not ship'}: {said}"
        case Verdict.UNVERIFIABLE:
            act = "train on this data" if data else "ship"
            return f"Cannot tell whether to {act}: {report.verdict_reason}"
        case _:
            warned = counted(_warned(report), Severity.WARNING)
            said = f"{_passed(report)}; {warned}"
            if report.suppressed:
                return f"No error is left: {said}; {len(report.suppressed):,} suppressed"
            first = "The weights were not examined. " if POINTERS in report.scope else ""
            where = " in the data" if data else ""
            return f"{first}No error was found{where}: {said}"


def _passed(report: Report) -> str:
    """Count the checks that passed, or that measured if the audit only measures."""
    ended = [each.only_measured for each in report.results if each.status is Status.PASSED]
    passed, measured = ended.count(False), ended.count(True)
    n, what = (measured, "measured") if measured and not passed else (passed, "passed")
    return f"{n:,} check{'' if n == 1 else 's'} {what}"


def _errors(report: Report) -> Iterator[str]:
    """Yield the message of each cause of errors, one of those that fail alike."""
    seen = set()
    for cause in report.causes:
        way = (cause.part, cause.finding.identity)
        if cause.severity is Severity.ERROR and way not in seen:
            seen.add(way)
            yield in_part(cause.part, cause.finding.message)


def _warned(report: Report) -> int:
    """Count the causes of warnings, when no error was found."""
    return sum(each.severity is Severity.WARNING for each in report.causes)


def _quoted(messages: Sequence[str]) -> str:
    shown = [small(cut(each.rstrip("."), LONGEST)) for each in messages[:MOST_SAID]]
    more = len(messages) - len(shown)
    if more:
        shown.append(f"and {more:,} more error{'' if more == 1 else 's'} below")
    return "; ".join(shown)
