"""The sentence that a report begins with, and what nobody examined.

Both are made from the report each time, so that they never say something else than it does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokaudit.report.model import CheckResult, Severity, Status, Verdict
from tokaudit.report.sentences.of_comparison import comparison_sentence, listed
from tokaudit.report.sentences.of_replacement import replacement_sentence
from tokaudit.report.wording import counted, cut, few, in_part, small

if TYPE_CHECKING:
    from tokaudit.report.report import Report

MOST_SAID = 2  # findings that the sentence quotes
POINTERS = "the weights are only git-lfs pointers"
LONGEST = 220  # characters of one of them


@dataclass(frozen=True, slots=True)
class Unexamined:
    """A reason for which checks could not decide, and these; `crashed` where a check itself broke.

    `not_given`: no option names what they compare the subject with.
    """

    reason: str
    checks: tuple[str, ...]
    crashed: bool = False
    not_given: bool = False


def verdict_sentence(report: Report) -> str:
    """State what to do with the subject and the first reasons for it, in one sentence."""
    if report.replacements:
        return replacement_sentence(report.replacements) + "."
    about_two = report.comparisons and not report.results
    said = comparison_sentence(report, report.comparisons) if about_two else _of_audit(report)
    return said.rstrip(".") + "."


def unexamined(report: Report) -> list[Unexamined]:
    """The checks that crashed or were skipped, those with the same reason together.

    Of several tokenizers the reason names those that it is about.
    """
    found: list[Unexamined] = []
    for status in (Status.CRASHED, Status.SKIPPED):
        parts: dict[tuple[str, str], list[str]] = {}
        optional: set[str] = set()
        for result in sorted(report.results, key=lambda each: each.check):
            if result.status is status:
                why = result.reason or "no reason given"
                parts.setdefault((why, result.check), []).append(result.part)
                optional |= {why} if result.not_given else set()
        named: dict[str, dict[str, None]] = {}
        for (why, _), those in parts.items():
            named.setdefault(why, {}).update(dict.fromkeys(filter(None, those)))
        together: dict[tuple[str, tuple[str, ...]], list[str]] = {}
        for (why, check), those in parts.items():
            about_all = named[why] if why in optional else filter(None, those)
            together.setdefault((why, tuple(about_all)), []).append(check)
        for (why, names), checks in together.items():
            about = f"{why} [{few(names, len(report.parts))}]" if names else why
            crashed = status is Status.CRASHED
            found.append(Unexamined(about, tuple(checks), crashed, why in optional))
    return found


def _of_audit(report: Report) -> str:
    """State what to do; that a check crashed comes before everything that the others say."""
    crashed = [each for each in report.results if each.status is Status.CRASHED]
    return f"{_crashes(crashed)}. {_decided(report)}" if crashed else _decided(report)


def _crashes(crashed: Sequence[CheckResult]) -> str:
    names = list(dict.fromkeys(each.check for each in crashed))
    shown = names[:MOST_SAID] + ([f"{len(names) - MOST_SAID} more"] if names[MOST_SAID:] else [])
    checks = "A check" if len(names) == 1 else f"{len(names)} checks"
    return f"{checks} crashed, so their questions are open: {listed(shown)}"


def _decided(report: Report) -> str:
    match report.verdict:
        case Verdict.FAIL:
            failed = sum(each.verdict is Verdict.FAIL for each in report.parts)
            these = f" {failed:,} of {len(report.parts):,} tokenizers" if failed else ""
            return f"Do not ship{these}: {_quoted(list(_errors(report))) or report.verdict_reason}"
        case Verdict.UNVERIFIABLE:
            return f"Cannot tell whether to ship: {report.verdict_reason}"
        case _:
            warned = counted(_warned(report), Severity.WARNING)
            said = f"{_passed(report)}; {warned}"
            if report.suppressed:
                return f"No error is left: {said}; {len(report.suppressed):,} suppressed"
            first = "The weights were not examined. " if POINTERS in report.scope else ""
            return f"{first}No error was found: {said}"


def _passed(report: Report) -> str:
    """Return how many checks passed; of an audit that only measured, how many did."""
    ended = [each.only_measured for each in report.results if each.status is Status.PASSED]
    passed, measured = ended.count(False), ended.count(True)
    n, what = (measured, "measured") if measured and not passed else (passed, "passed")
    return f"{n:,} check{'' if n == 1 else 's'} {what}"


def _errors(report: Report) -> Iterator[str]:
    """The message of each cause of errors, but one of those that fail in the same way."""
    seen = set()
    for cause in report.causes:
        way = (cause.part, cause.finding.identity)
        if cause.severity is Severity.ERROR and way not in seen:
            seen.add(way)
            yield in_part(cause.part, cause.finding.message)


def _warned(report: Report) -> int:
    """Return how many causes there are to look at where no error was found."""
    return sum(each.severity is Severity.WARNING for each in report.causes)


def _quoted(messages: Sequence[str]) -> str:
    shown = [small(cut(each.rstrip("."), LONGEST)) for each in messages[:MOST_SAID]]
    more = len(messages) - len(shown)
    if more:
        shown.append(f"and {more:,} more error{'' if more == 1 else 's'}")
    return "; ".join(shown)
