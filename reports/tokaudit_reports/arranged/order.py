"""Arranges what a report holds in the order in which every written report has it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from tokaudit.plugin import (
    Cause,
    CheckResult,
    Comparison,
    CorpusSlice,
    Evidence,
    Rate,
    Report,
    Severity,
    Status,
    Suppressed,
    TokenView,
    Transcript,
    TranscriptToken,
    located,
    width,
)
from tokaudit.report.model import identity_of
from tokaudit.report.wording import counted, of_part

if TYPE_CHECKING:
    from tokaudit.plugin import CheckRecord

STATUS_ORDER = (
    Status.FAILED,
    Status.CRASHED,
    Status.SKIPPED,
    Status.PASSED,
    Status.NOT_APPLICABLE,
)


@dataclass(frozen=True, slots=True)
class Alike:
    """Causes of one check that fail in the same way, with one remedy for all."""

    severity: Severity
    check: str
    remedy: str
    members: tuple[Cause, ...]


NARROWEST, WIDEST = 3, 24  # letters of a box; a longer piece breaks within it
NO_TOKEN = 7  # letters of the box that says so


@dataclass(frozen=True, slots=True)
class Column:
    """The tokens at one index in both rows; `first` marks the first difference."""

    index: int
    expected: TokenView | None
    actual: TokenView | None
    first: bool

    @property
    def width(self) -> int:
        """Return the width of both boxes in letters, so that the rows stay in line.

        >>> Column(0, TokenView(7, "abcd"), TokenView(12345, "a"), False).width
        5
        """
        views = [view for view in (self.expected, self.actual) if view is not None]
        sizes = [max(width(view.piece or ""), len(str(view.id))) for view in views]
        missing = NO_TOKEN if self.first and len(views) == 1 else NARROWEST
        return min(max(*sizes, missing), WIDEST)


@dataclass(frozen=True, slots=True)
class Window:
    """The columns around the first difference, and the numbers left out on both sides."""

    columns: tuple[Column, ...]
    before: int
    after: int


def by_severity(report: Report) -> list[tuple[Severity, list[Cause]]]:
    """The causes of each severity that has any, the worst first."""
    causes = list(_facets(report) if report.compared else report.causes)
    groups = ((level, [each for each in causes if each.severity is level]) for level in Severity)
    return [(level, found) for level, found in groups if found]


def _facets(report: Report) -> Iterator[Cause]:
    """Yield the findings of a comparison, each of which is its own cause."""
    every = ((result, finding) for result in report.results for finding in result.findings)
    for number, (result, finding) in enumerate(every):
        yield Cause(replace(finding, check=result.check), part=result.part, number=number)


def cause_of_each(report: Report) -> list[str]:
    """Return the identity of each finding's cause; empty for a finding that is itself one."""
    found = [""] * len(report.findings)
    for cause in () if report.compared else report.causes:
        for number in cause.numbers:
            found[number] = cause.identity
    return found


def cause_counts(report: Report) -> list[tuple[str, int]]:
    """Return how many causes there are of each severity that has any."""
    return [(str(level), len(found)) for level, found in by_severity(report)]


def explained_count(report: Report) -> int:
    """Return how many findings are below a cause."""
    return sum(len(each.explains) for _, found in by_severity(report) for each in found)


def explains_text(cause: Cause) -> str:
    """Return how many findings a cause explains, in words.

    >>> from tokaudit.plugin import Finding
    >>> note = Finding(Severity.INFO, "m", check="a/b", cause="c")
    >>> explains_text(Cause(note, (note, note)))
    'explains 2 more findings'
    """
    return f"explains {counted(len(cause.explains), 'more finding')}"


def alike(causes: Iterable[Cause]) -> list[Alike]:
    """Causes put together by check, cause and remedy, each group where its first one was."""
    groups: dict[tuple[str, str, str], list[Cause]] = {}
    for each in causes:
        finding = each.finding
        groups.setdefault((each.severity, finding.identity, finding.remedy), []).append(each)
    return [
        Alike(together[0].severity, together[0].finding.check, remedy, tuple(together))
        for (_, _, remedy), together in groups.items()
    ]


def anchors(report: Report) -> list[str]:
    """Return the anchor of each finding: its identity, so that a link holds from run to run."""
    seen: Counter[str] = Counter()
    found = []
    for result in report.results:
        for finding in result.findings:
            words = f"{identity_of(result.check, finding.cause)} {result.part}".lower()
            name = re.sub(r"[^a-z0-9]+", "-", words).strip("-")
            seen[name] += 1
            found.append(f"finding-{name}" + (f"-{seen[name]}" if seen[name] > 1 else ""))
    return found


def suppressed(report: Report) -> list[tuple[str, Suppressed]]:
    """List the findings that do not count, with identities, in the order of the checks."""
    return [
        (of_part(identity_of(result.check, each.finding.cause), result.part), each)
        for result in report.results
        for each in result.suppressed
    ]


def by_status(report: Report) -> list[CheckResult]:
    """Sort the results: first the failed ones, then by check id."""
    return sorted(report.results, key=lambda r: (STATUS_ORDER.index(r.status), r.check))


def token_window(evidence: Evidence, before: int = 6, after: int = 18) -> Window:
    """Return the token rows of an evidence near their first difference, or their start."""
    total = max(len(evidence.expected), len(evidence.actual))
    middle = evidence.first_difference or 0
    start, stop = max(0, middle - before), min(total, middle + after)
    columns = tuple(
        Column(
            index,
            _at(evidence.expected, index),
            _at(evidence.actual, index),
            index == evidence.first_difference,
        )
        for index in range(start, stop)
    )
    return Window(columns, start, max(0, total - stop))


def corpus_texts(comparison: Comparison) -> list[tuple[CorpusSlice, list[Evidence]]]:
    """List each file of a corpus with its worst texts, except those shown before."""
    shown = {one.text for facet in comparison.facets for one in facet.evidence}
    found = []
    for part in comparison.corpus:
        new = {one.text: one for one in reversed(part.worst) if one.text not in shown}
        shown |= new.keys()
        found.append((part, list(reversed(new.values()))))
    return found


def both_sides(comparison: Comparison) -> tuple[str, str]:
    """Name what was compared, each side with the folder and the file that its vocabulary is in."""
    return (
        located(comparison.left, comparison.left_file),
        located(comparison.right, comparison.right_file),
    )


def has_row(evidence: Evidence, row: str) -> bool:
    """Return whether to show a row: it has tokens, or its emptiness is the difference."""
    tokens = evidence.expected if row == "expected" else evidence.actual
    return bool(tokens) or evidence.first_difference is not None


def ids_apart(evidence: Evidence) -> tuple[int, ...]:
    """Return the ids of an evidence, unless a row of tokens shows them already."""
    rows = (tuple(token.id for token in row) for row in (evidence.expected, evidence.actual))
    return () if evidence.ids in rows else evidence.ids


def turns(transcript: Transcript) -> list[tuple[str, list[TranscriptToken]]]:
    """Group the tokens of a conversation by runs of one role."""
    grouped = groupby(transcript.tokens, key=lambda token: token.role)
    return [(role, list(tokens)) for role, tokens in grouped]


def mask_known(transcript: Transcript) -> bool:
    """Return whether it is known for each token if a model learns to write it."""
    return all(token.trained is not None for token in transcript.tokens)


def value_text(value: Any, limit: int = 300) -> str:
    """Format a value of a file as short JSON."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, TypeError, RecursionError):
        text = repr(type(value))
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text) - limit:,} more)"


def number(value: float) -> str:
    """A figure at the precision that a reader can use.

    >>> [number(v) for v in (0, 1.23456, 12.3456, 1234.5, 0.00012345, 45)]
    ['0', '1.23', '12.3', '1,234', '1.2e-04', '45']
    >>> [number(v) for v in (0.09996, 9.996, 0.0009999)]  # rounded before digits are counted
    ['0.10', '10.0', '0.0010']
    """
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    if abs(value) < 100:
        value = float(f"{value:.3g}")
    if abs(value) < 0.001:
        return f"{value:.1e}"
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2 if abs(value) >= 0.1 else 4
    return f"{value:,.{digits}f}"


def rate(found: Rate | None) -> str:
    """Format a value with its interval; a word if text is lost."""
    if found is None:
        return "no figure (loses text)"
    if found.interval is None:
        return number(found.value)
    return f"{number(found.value)} ({number(found.interval[0])} to {number(found.interval[1])})"


def labelled(label: str, figure: str) -> str:
    """Join a figure to its label; a label that ends in a number is kept apart from it.

    >>> labelled("French", "1.42"), labelled("1", "147")
    ('French 1.42', '1: 147')
    """
    return f"{label}{':' if label[-1:].isdigit() else ''} {figure}"


def size_text(size: int) -> str:
    """Format a file size in the units people read.

    >>> size_text(17), size_text(1_500_000)
    ('17 B', '1.5 MB')
    """
    amount, units = float(size), iter(("kB", "MB", "GB", "TB"))
    unit = "B"
    while amount >= 1000 and unit != "TB":
        amount, unit = amount / 1000, next(units)
    return f"{size} B" if unit == "B" else f"{amount:,.1f} {unit}"


def explained(report: Report) -> Mapping[str, CheckRecord]:
    """Return the records of a report's checks by id."""
    return {each.id: each for each in report.checks}


def _at(tokens: tuple[TokenView, ...], index: int) -> TokenView | None:
    return tokens[index] if index < len(tokens) else None
