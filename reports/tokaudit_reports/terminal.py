"""Writes a report for a terminal: failures first, then the verdict as the last line."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from tokaudit.plugin import (
    TAKEN,
    Cause,
    Comparison,
    CorpusSlice,
    Evidence,
    Facet,
    Look,
    Measurement,
    Place,
    Report,
    ReportWriter,
    Severity,
    Verdict,
    cut,
    labelled_lines,
    place_words,
    spans,
    visible,
)
from tokaudit.report.sentences.not_examined import Unexamined, unexamined
from tokaudit.report.wording import counted, of_part
from tokaudit_reports.arranged.comparison import ComparisonView, all_sides, groups, traces_of, views
from tokaudit_reports.arranged.loaders import loading_sentence
from tokaudit_reports.arranged.order import (
    alike,
    by_severity,
    cause_counts,
    corpus_texts,
    explained,
    explained_count,
    explains_text,
    labelled,
    number,
    size_text,
    suppressed,
    value_text,
)
from tokaudit_reports.arranged.parting import parting_sentence
from tokaudit_reports.arranged.runtime_table import is_told_by_its_row, runtime_lines
from tokaudit_reports.arranged.status_words import status_words
from tokaudit_reports.arranged.wording import accepting, shown_spaces, suppressed_by
from tokaudit_reports.charts import figures
from tokaudit_reports.charts.points import KIND, Scatter
from tokaudit_reports.in_lines.comparison import (
    OUTCOME_STYLE,
    facet_lines,
    is_shown_alone,
    matrix_lines,
    side_lines,
)
from tokaudit_reports.in_lines.evidence import evidence_lines
from tokaudit_reports.in_lines.figures import side_by_side_lines
from tokaudit_reports.in_lines.replacement import ranking_lines, replacement_lines

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

VERDICT_STYLE = {Verdict.PASS: "green", Verdict.FAIL: "red", Verdict.UNVERIFIABLE: "yellow"}
SEVERITY_STYLE = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "blue"}
MANY = 6  # values of a series that are listed whole
ENDS = 2  # values shown at either end of a longer one
UNREAD = 8  # unread files that are named
LONGEST_EXPLAINED = 180  # characters of a finding that its cause explains
SHARE = "share"
NOTES = 2  # shown by a line each; the page and the JSON have every note with its evidence
CHECKS = 2  # named after a reason why they could not decide


def write(report: Report, *, color: bool = False, width: int = 100) -> str:
    """Write the report as for a file, with all measurements, in ANSI colours if `color`."""
    return draw(report, Look(color, width, measurements=True))


def draw(report: Report, look: Look) -> str:
    """Write the report: parts that may scroll away first, the verdict last."""
    console = _console(look.color, look.width)
    first = report.verdict is Verdict.UNVERIFIABLE
    for part in (_unexamined, _body) if first else (_body, _unexamined):
        part(console, report, look)
    _summary(console, report)
    drawn = console.file.getvalue()  # type: ignore[attr-defined]
    return "\n".join(line.rstrip() for line in drawn.removeprefix("\n").split("\n"))


def _body(console: Console, report: Report, look: Look) -> None:
    if report.results:
        _findings(console, report)
    _lines(console, runtime_lines(report))
    _matrix(console, report)
    for view in views(report):
        if not is_told_by_its_row(view.comparison):
            _comparison(console, view, look)
    _lines(console, ranking_lines(report.replacements))
    for found in report.replacements:
        _lines(console, replacement_lines(found))
    if same := groups(report):
        _heading(console, "groups that are the same")
        for group in same:
            _say(console, ", ".join(group), 2)
    _suppressed(console, report)
    if look.measurements or _only_measured(report):
        _measurements(console, report)
        _timing(console, report)
    elif n := len(report.measurements):
        _say(console, f"{counted(n, 'measurement')}: --measurements shows them", style="dim")


def _console(color: bool, width: int) -> Console:
    from rich.console import Console

    return Console(
        file=io.StringIO(),
        width=width,
        force_terminal=color,
        color_system="standard" if color else None,
        no_color=not color,
        markup=False,
        emoji=False,
        highlight=False,
        legacy_windows=False,
        _environ={},
    )


def _say(console: Console, text: Text | str, indent: int = 0, style: str = "") -> None:
    """Print one paragraph, wrapped under its own indent; strings are made visible here."""
    from rich.padding import Padding
    from rich.text import Text

    shown = text if isinstance(text, Text) else Text(visible(text), style)
    shown.overflow = "fold"
    console.print(Padding(shown, (0, 0, 0, indent)))


def _lines(console: Console, lines: Iterable[str], indent: int = 0, style: str = "") -> None:
    """Print lines, each as deep as it is written and wrapped under its own indent."""
    for line in lines:
        words = line.lstrip()
        _say(console, words, indent + len(line) - len(words), style)


def _prose(console: Console, text: str) -> Text | str:
    """Draw a sentence with its code in bold; without colours the backquotes mark it."""
    from rich.text import Text

    if console.no_color:
        return text
    return Text.assemble(
        *((each.text, "bold" if each.code else "") for each in spans(visible(text)))
    )


def _heading(console: Console, text: str, style: str = "") -> None:
    console.print()
    _say(console, text[:1].upper() + text[1:], style=f"bold {style}".strip())


def _summary(console: Console, report: Report) -> None:
    """Print the counts that the sentence left out, the scope, and the verdict as last line."""
    if report.results or report.comparison is None:  # a comparison alone runs no checks
        for line in _counts(report):
            _say(console, line)
    if said := loading_sentence(report) if report.ok and not report.parts else "":
        _say(console, f"loaders: {said}")
    _say(console, f"scope: {report.scope}")
    _verdict(console, report)


def _counts(report: Report) -> Iterator[str]:
    """Yield the numbers of findings and checks; for a pass the sentence has most of them."""
    findings = ", ".join(counted(n, name) for name, n in cause_counts(report)) or "none"
    if below := explained_count(report):
        findings += f"; explained by these: {below:,} more"
    if report.suppressed:
        findings += f"; suppressed: {len(report.suppressed):,}"
    checks = ", ".join(status_words(report)) or _measured(report)
    if not report.ok or report.suppressed or report.warnings:
        yield f"findings: {findings}"
    if not report.ok or not report.summary:
        yield f"checks: {checks}"


def _verdict(console: Console, report: Report) -> None:
    from rich.text import Text

    line = Text(report.verdict.upper(), f"bold {VERDICT_STYLE[report.verdict]}")
    line.append(f"  {visible(f'{report.title}:')}", "bold")
    line.append(f" {shown_spaces(report.sentence)}")
    _say(console, line)


def _named_checks(left: Unexamined) -> str:
    """Name the checks that could not decide; count them if they do not fit on a line."""
    return ", ".join(left.checks) if len(left.checks) <= CHECKS else f"{len(left.checks)} checks"


def _only_measured(report: Report) -> bool:
    """Return whether there are only figures to show."""
    return bool(report.results) and all(each.only_measured for each in report.results)


def _measured(report: Report) -> str:
    """Return the number of checks that gave figures, if no other ran."""
    n = sum(each.only_measured for each in report.results)
    return f"{n:,} only measured" if n else "none"


def _unexamined(console: Console, report: Report, _: Look) -> None:
    """Print the unexamined parts with a line for each reason, then one for missing inputs."""
    left = unexamined(report)
    for each in left:
        if each.not_given:
            continue
        broken = "crashed, " if each.crashed else ""
        _say(console, f"not examined: {broken}{each.words}: {_named_checks(each)}")
    if plain := [each for each in left if each.not_given]:
        _say(console, f"not examined: {'; '.join(each.brief for each in plain)}")
    if unread := report.subject.unread:
        names = ", ".join(file.name for file in unread[:UNREAD])
        more = f" and {len(unread) - UNREAD:,} more" if len(unread) > UNREAD else ""
        total = size_text(sum(file.size for file in unread))
        _say(console, f"not read: {counted(len(unread), 'file')}, {total}: {names}{more}")


def _comparison(console: Console, view: ComparisonView, look: Look) -> None:
    comparison = view.comparison
    _heading(console, f"comparison: {comparison.left} against {comparison.right}")
    _lines(console, side_lines(view.sides), 2, "dim")
    differ = f"{comparison.different:,} of {comparison.texts:,} texts differ"
    _say(console, f"{comparison.relation}: {differ}", 2)
    if comparison.run_by:
        _say(console, f"run by {'; '.join(comparison.run_by)}", 2, "dim")
    suited = comparison.suitability
    if suited is not None:
        _say(console, f"for {suited.purpose}: {suited.verdict}, {suited.why}", 2)
        _say(console, f"what must hold: {suited.invariant}", 4, "dim")
        for each in suited.engines:
            _say(console, f"{TAKEN[each.verdict]} {each.engine}: {each.why}", 4)
            _say(console, each.source, 6, "dim")
    for drawn in facet_lines(view):
        _say(console, drawn, 2)
    if comparison.remedy:
        _say(console, _prose(console, f"what to do: {comparison.remedy}"), 2)
    if is_shown_alone(comparison) and comparison.minimal is not None:
        _evidence(console, comparison.minimal)
    for facet in view.cards:
        _facet(console, facet, comparison)
    for part, worst in corpus_texts(comparison):
        _slice(console, part, worst)
    if look.measurements and comparison.side_by_side:
        sides = comparison.side_by_side, comparison.left, comparison.right
        _lines(console, side_by_side_lines(*sides), 2, "dim")


def _evidence(console: Console, evidence: Evidence) -> None:
    for line in evidence_lines(evidence, console.width - 4):
        _say(console, line, 4)


def _slice(console: Console, part: CorpusSlice, worst: Sequence[Evidence]) -> None:
    """Print the documents of one file, and the worst of them."""
    share = part.different / part.documents if part.documents else 0.0
    _say(
        console,
        f"corpus {part.name}: {part.different:,} of {part.documents:,} documents differ "
        f"({share:.2%}), {part.left_tokens:,} and {part.right_tokens:,} tokens, "
        f"{part.failed:,} not encoded; run by {part.run_by}",
        2,
    )
    for evidence in worst:
        _evidence(console, evidence)


def _matrix(console: Console, report: Report) -> None:
    """Print the relation of each of more than two to each, by signs."""
    if report.matrix:
        _heading(console, "each against each")
        _lines(console, side_lines(all_sides(report)), 2, "dim")
        for line in matrix_lines(report):
            _say(console, line, 2)


def _facet(console: Console, facet: Facet, comparison: Comparison) -> None:
    """Print the texts on which one facet differs, with both rows of tokens."""
    from rich.text import Text

    traced = traces_of(comparison, facet)
    console.print()
    line = Text(f"{facet.name}: ", "bold")
    line.append(facet.outcome, OUTCOME_STYLE[facet.outcome])
    line.append(f"  {shown_spaces(facet.why)}")
    _say(console, line, 2)
    for place in facet.places:
        _say(console, _place(place), 4, "dim")
    for evidence in facet.evidence:
        _evidence(console, evidence)
        if evidence.text in traced and (
            apart := parting_sentence(traced[evidence.text], comparison)
        ):
            _say(console, apart, 4)


def _findings(console: Console, report: Report) -> None:
    """Print the findings, the worst first; those that fail alike share one remedy."""
    checks = explained(report)
    for severity, findings in by_severity(report):
        if severity is Severity.INFO:
            _notes(console, findings)
            continue
        _heading(console, counted(len(findings), severity), SEVERITY_STYLE[severity])
        for group in alike(findings):
            for each in group.members:
                _finding(console, each)
            check = checks.get(group.check)
            if check is not None:
                _say(console, _prose(console, f"why it matters: {check.why}"), 4)
            if group.remedy:
                _say(console, _prose(console, f"what to do: {group.remedy}"), 4)
            if not report.compared:
                accept = f"to accept this {severity}: {accepting(group.members[0].finding)}"
                _say(console, accept, 4, "dim")
        console.print()


def _notes(console: Console, findings: Sequence[Cause]) -> None:
    """Print a line for each of the first notes; none asks for an action."""
    for each in findings[:NOTES]:
        said = f"note {each.identity}  {shown_spaces(each.finding.message)}"
        _say(console, cut(said, console.width))
    if left := findings[NOTES:]:
        names = ", ".join(each.identity for each in left)
        _say(console, cut(f"{counted(len(left), 'more note')}: {names}", console.width))


def _finding(console: Console, cause: Cause) -> None:
    from rich.text import Text

    finding = cause.finding
    line = Text(visible(cause.identity), f"bold {SEVERITY_STYLE[cause.severity]}")
    line.append(f"  {shown_spaces(finding.message)}")
    _say(console, line, 2)
    for place in finding.places:
        _say(console, _place(place), 4, "dim")
    for evidence in finding.evidence:
        _evidence(console, evidence)
    for said in labelled_lines(finding.repair) if finding.repair else ():
        _say(console, said, 4)
    if cause.explains:
        _say(console, f"{explains_text(cause)}:", 4)
    for each in cause.explains:
        said = f"{each.severity} {of_part(each.identity, cause.part)}: {each.message}"
        _say(console, cut(said, LONGEST_EXPLAINED), 6, "dim")


def _place(place: Place) -> str:
    where = place_words(place)
    stated = "" if place.value is None else f" = {value_text(place.value, 120)}"
    if place.lacks is not None:
        stated = f" lacks {value_text(place.lacks, 120)}"
    return f"in {place.component}" + (f": {where}" if where else "") + stated


def _measurements(console: Console, report: Report) -> None:
    found = figures.arrange(report)
    if not found.suites and not found.single:
        return
    _heading(console, "measurements")
    for each in found.series:
        unit = "" if each.unit == SHARE else f" ({each.unit})"
        _say(console, f"{each.title}{unit}: {_condensed(each)}", 2)
    for growth in found.growths:
        lines = "; ".join(f"{line.label} {_ends(line, growth)}" for line in growth.lines)
        _say(console, f"{growth.title} ({growth.unit}): {lines}", 2)
    for scatter in found.scatters:
        _say(console, f"{scatter.title} ({scatter.unit}): {_ranges(scatter)}", 2)
    lines_of_one = list(_singles(found.single))
    for line in lines_of_one if report.parts else filter(None, ["; ".join(lines_of_one)]):
        _say(console, line, 2)


def _ranges(scatter: Scatter) -> str:
    """Return the lowest and the highest value of each kind of points."""
    values: dict[str, list[float]] = {kind: [] for kind in scatter.kinds}
    for measured in scatter.points:
        values.setdefault(measured.dimensions.get(KIND, ""), []).append(measured.value)
    ends = ((kind, sorted(found)) for kind, found in values.items())
    return "; ".join(f"{k} {number(v[0])} to {number(v[-1])} (n = {len(v)})" for k, v in ends)


def _singles(measured: Sequence[Measurement]) -> Iterator[str]:
    """Yield a line for each title, in which equal values are put together."""
    by_title: dict[str, dict[str, list[str]]] = {}
    for each in measured:
        of = by_title.setdefault(each.title, {}).setdefault(_amount(each), [])
        of.append(figures.dimensions_text(each))
    for title, by_amount in by_title.items():
        shown = []
        for amount, dimensions in by_amount.items():
            about = "; ".join(filter(None, dimensions))
            shown.append(f"{amount} ({about})" if about else amount)
        yield f"{title}: {', '.join(shown)}"


def _amount(measured: Measurement) -> str:
    if measured.unit == SHARE:
        return _value(measured)
    one = measured.value == 1 and re.fullmatch("[a-z]{3,}s", measured.unit)
    return f"{number(measured.value)} {measured.unit[:-1] if one else measured.unit}"


def _condensed(series: figures.Series) -> str:
    """Return all values of a short series; the highest and the lowest of a long one."""
    if len(series.points) <= MANY:
        return _points(series.points)
    between = len(series.points) - 2 * ENDS
    ranked = tuple(sorted(series.points, key=lambda point: -point.measurement.value))
    return f"{_points(ranked[:ENDS])} … {between} between … {_points(ranked[-ENDS:])}"


def _ends(line: figures.Line, growth: figures.Growth) -> str:
    """Return the first and the last value of a line; the page and the JSON have the others."""
    (short, low), (long, high) = line.points[0], line.points[-1]
    return f"{number(low.value)} at {growth.named(short)}, {number(high.value)} at {long:,}"


def _points(points: tuple[figures.Point, ...]) -> str:
    return ", ".join(labelled(point.label, _value(point.measurement)) for point in points)


def _value(measured: Measurement) -> str:
    """Format a figure as people read it: a share is a percentage."""
    if measured.unit == SHARE:
        return f"{number(100 * measured.value)} %"
    return number(measured.value)


def _suppressed(console: Console, report: Report) -> None:
    """Print one line for each finding that does not count, with the reason below it."""
    held = suppressed(report)
    if held:
        _heading(console, f"suppressed: {counted(len(held), 'finding')}")
    for name, each in held:
        _say(console, f"{name}: {each.finding.severity}: {each.finding.message}", 2)
        _say(console, suppressed_by(each), 4, "dim")


def _timing(console: Console, report: Report) -> None:
    timing = report.timing
    console.print()
    _say(
        console,
        f"{report.seconds:.1f} s: library {timing.upstream:.1f} s "
        f"({counted(timing.upstream_texts, 'text')} in {counted(timing.upstream_calls, 'call')}), "
        f"reference {timing.reference:.1f} s, spec analysis {timing.spec_analysis:.1f} s, "
        f"other {timing.other:.1f} s; critical path: {timing.critical}",
        style="dim",
    )


WRITER = ReportWriter("terminal", (".txt",), write, draw)
