"""Writes a report as Markdown, for the comment of a pull request or the summary of a job.

The verdict, a table of the subjects and the first cause with its text are open; the rest is folded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tokaudit.plugin import (
    Cause,
    CheckRecord,
    Finding,
    Report,
    ReportWriter,
    Severity,
    Suppressed,
    Verdict,
    drawn,
    first_text,
    labelled_lines,
    place_words,
    text_words,
    visible,
)
from tokaudit.report.wording import counted, of_part
from tokaudit_reports.arranged.comparison import (
    LEGEND,
    ComparisonView,
    all_sides,
    relation_signs,
    views,
    with_short_names,
)
from tokaudit_reports.arranged.facet_results import with_facets
from tokaudit_reports.arranged.order import (
    by_severity,
    explained,
    explains_text,
    suppressed,
    token_window,
)
from tokaudit_reports.arranged.replacement import model_card, ranking_table
from tokaudit_reports.arranged.status_words import status_words
from tokaudit_reports.arranged.subjects import subject_rows
from tokaudit_reports.arranged.wording import accepting, suppressed_by

# What Markdown obeys: some characters wherever they are, others only at the start of a line, next
# to a word's edge, or in an entity, an address, a reference to an issue or an emoji.
ACTING = re.compile(
    r"[\\`*\[\]<|~@$]|^[#+=>-]|^\d{1,9}(?=[.)])|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])"
    r"|&(?=#?\w+;)|#(?=\d)|:(?=//|[\w+-]+:)|(?<=www)\."
)
DIGEST = re.compile(r"(sha256:)?[0-9a-f]{64}")
MOST_TOKENS = 10  # of a row
MOST_OPEN = 3  # causes that are not folded; the first one with its text
MOST_SUBJECTS = 15  # rows of the table, the worst first
SIGNS = {"pass": "✅", "fail": "❌", "unverifiable": "⚠️"}


def write(report: Report) -> str:
    """Write the verdict, then each finding with its minimal text and remedy."""
    sign = SIGNS[report.verdict]
    lines = [
        f"## {sign} tokaudit: {report.verdict} {_plain(report.title)}",
        "",
        _plain(report.sentence),
        "",
        *_relations(report),
        *ranking_table(report.replacements, _plain),
        "",
        *(line for found in report.replacements for line in (*model_card(found, _plain), "")),
        *_subjects(report),
    ]
    accept, checks = not report.compared, explained(report)
    open_ones, whole = 0, True
    for severity, findings in by_severity(_findings_of(report)):
        room = 0 if severity is Severity.INFO else max(0, MOST_OPEN - open_ones)
        shown, folded = _with_text_first(findings[:room]), findings[room:]
        if shown:
            lines += [f"### {counted(len(findings), severity)}", ""]
        for each in shown:
            lines += (
                _finding(each, accept, checks.get(each.finding.check))
                if whole
                else _briefly(each, accept)
            )
            open_ones, whole = open_ones + 1, False
        lines += [""] if shown else []
        if folded:
            more = " more" if shown else ""
            title = f"{len(folded):,}{more} {counted(len(folded), severity).partition(' ')[2]}"
            lines += _folded(title, [text for each in folded for text in _finding(each, accept)])
    if held := suppressed(report):
        lines += [f"### Suppressed ({len(held)})", ""]
        lines += [text for name, each in held for text in _suppressed(name, each)]
        lines.append("")
    lines += [f"{_checked(report)}Scope: {_plain(report.scope)}.", ""]
    return "\n".join(lines)


def _findings_of(report: Report) -> Report:
    """Return the report with its facets as findings; their remedy is written once, above."""
    shortened = with_facets(with_short_names(report))
    if not shortened.compared:
        return shortened
    results = (
        replace(each, findings=tuple(replace(f, remedy="") for f in each.findings))
        for each in shortened.results
    )
    return replace(shortened, results=tuple(results))


def _relations(report: Report) -> Iterator[str]:
    """Yield the relations of the compared sides, and a table of the facets of each two."""
    found = views(report) if report.compared else ()
    if report.matrix:
        yield from _matrix(report)
        yield from (*_sides(all_sides(report)), "")
    for view in found:
        each = view.comparison
        texts = f"{each.different:,} of {each.texts:,} texts differ"
        yield f"{_code(each.left)} against {_code(each.right)}: {each.relation}; {texts}"
        yield ""
        yield from _sides(view.sides)
        yield from _facets(view)
        if each.remedy:
            yield from (f"What to do: {prose(each.remedy)}", "")


def _sides(named: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield the folder and file of each short name."""
    folders = ((name, path) for name, path in named if name != path)
    yield from (f"- {_code(name)} is {_code(path)}" for name, path in folders)


def _facets(view: ComparisonView) -> Iterator[str]:
    """Yield a row for each facet that differs or is unknown, and one for all that are the same."""
    yield from ("", "| Facet | Outcome | Text |", "|---|---|---|")
    for row in view.rows:
        said = _plain(row.said) if row.text is None else _code(row.text, spaces=True)
        yield f"| {_plain(row.facet.name)} | {row.facet.outcome} | {said} |"
    for outcome, facets in view.same:
        yield f"| {_plain(', '.join(facet.name for facet in facets))} | {outcome} | |"
    yield ""


def _matrix(report: Report) -> Iterator[str]:
    """Yield the relation of each of more than two to each, as signs."""
    numbers = [str(at) for at in range(1, len(report.matrix) + 1)]
    yield f"| | {' | '.join(numbers)} |"
    yield f"|---|{'---|' * len(numbers)}"
    for name, signs in relation_signs(report):
        yield f"| {_plain(name)} | {' | '.join(signs)} |"
    yield from ("", f"{LEGEND}.", "")


def _checked(report: Report) -> str:
    """Return the number of checks by status; for a comparison, the facets instead."""
    return "" if report.compared else f"Checks: {', '.join(status_words(report))}. "


def _subjects(report: Report) -> Iterator[str]:
    """Yield a row for each subject of several: verdict, findings, and unexamined parts."""
    rows = subject_rows(report)
    if not rows:
        return
    yield from ("| | Subject | What was found | Not examined |", "|---|---|---|---|")
    for row in rows[:MOST_SUBJECTS]:
        cells = (SIGNS[row.part.verdict], _code(row.part.name), _plain(row.found))
        yield f"| {' | '.join(cells)} | {_plain(row.not_examined)} |"
    if left := rows[MOST_SUBJECTS:]:
        passed = sum(row.part.verdict is Verdict.PASS for row in left)
        yield f"| | {len(left):,} more | {passed:,} of them pass | |"
    yield ""


def _briefly(cause: Cause, accept: bool) -> Iterator[str]:
    """Yield a cause in one line, with the rest folded below it."""
    lines = list(_finding(cause, accept))
    yield lines[0]
    yield from ("", *_folded("text, places and what to do", lines[1:], "  ")) if lines[1:] else ()


def _with_text_first(shown: Sequence[Cause]) -> Sequence[Cause]:
    """Move the first finding with a text to the front, since a reader can try it."""
    first = next((each for each in shown if first_text(each.finding) is not None), None)
    return shown if first is None else [first, *(each for each in shown if each is not first)]


def _finding(cause: Cause, accept: bool, check: CheckRecord | None = None) -> Iterator[str]:
    """Yield a cause with its places, text and remedy; with its `check`, the importance too."""
    finding = cause.finding
    yield f"- **{_code(cause.identity)}** {_plain(finding.message)}"
    for place in finding.places[:3]:
        if where := place_words(place):
            yield f"  - in {_code(where)}"
    text = first_text(finding)
    if text is not None:
        yield f"  - {text_words(finding)}: {_code(text, spaces=True)}"
        yield from _rows(finding)
    if check is not None:
        yield f"  - why it matters: {prose(check.why)}"
    if finding.remedy and finding.severity is not Severity.INFO:
        yield f"  - what to do: {prose(finding.remedy)}"
    for line in labelled_lines(finding.repair)[:3] if finding.repair else ():
        yield f"  - {_plain(line)}"
    if accept and finding.severity is not Severity.INFO:
        yield f"  - to accept this {finding.severity}: {_code(accepting(finding))}"
    if cause.explains:
        below = [_named(of_part(each.identity, cause.part), each) for each in cause.explains]
        yield from ("", *_folded(explains_text(cause), below, "  "))
    if digests := [line for each in (finding, *cause.explains) for line in _digests(each)]:
        yield from ("", *_folded("Digests", digests, "  "))


def _folded(title: str, lines: Sequence[str], indent: str = "") -> list[str]:
    """Fold lines under a title; the empty lines let Markdown act within."""
    head = [f"<details><summary>{title}</summary>", ""]
    return [f"{indent}{line}" if line else "" for line in (*head, *lines, "", "</details>", "")]


def _named(name: str, finding: Finding) -> str:
    return f"- **{_code(name)}** {finding.severity}: {_plain(finding.message)}"


def _rows(finding: Finding) -> Iterator[str]:
    """Yield both rows of tokens of the first text, if the finding has two."""
    shown = next((each for each in finding.evidence if each.expected and each.actual), None)
    if shown is None:
        return
    window = token_window(shown, before=2, after=MOST_TOKENS - 2)
    for label, row in ((shown.expected_label, "expected"), (shown.actual_label, "actual")):
        views = [getattr(column, row) for column in window.columns]
        tokens = " ".join(f"{_code(v.piece or '', spaces=True)} {v.id}" for v in views if v)
        cut = ("… " if window.before else "", " …" if window.after else "")
        yield f"  - {_plain(label)}: {cut[0]}{tokens}{cut[1]}"


def _digests(finding: Finding) -> Iterator[str]:
    """Yield facts that are digests, which say nothing to people."""
    for evidence in finding.evidence:
        for name, value in evidence.facts.items() if evidence.kind == "facts" else ():
            if isinstance(value, str) and DIGEST.fullmatch(value):
                yield f"- {_plain(name)}: {_code(value)}"


def _suppressed(name: str, held: Suppressed) -> Iterator[str]:
    yield _named(name, held.finding)
    yield f"  - {_plain(suppressed_by(held))}"


def _plain(text: str) -> str:
    """Escape a text so that Markdown takes all of it literally.

    >>> print(_plain("see [a](http://b) <img> |x|, a_b and pad_id in config.json!"))
    see \\[a\\](http\\://b) \\<img> \\|x\\|, a_b and pad_id in config.json!
    >>> print(_plain("1. no list"), _plain("_no_ emphasis"), _plain("#12"))
    1\\. no list \\_no\\_ emphasis \\#12
    """
    return ACTING.sub(_escaped, visible(text))


def _escaped(found: re.Match[str]) -> str:
    acting = found.group()
    return f"{acting}\\" if acting.isdigit() else f"\\{acting}"


def prose(text: str) -> str:
    """Escape a sentence of a check, in which only quoted code is set as code.

    >>> print(prose("Write `arguments|tojson` as [it] is."))
    Write `arguments|tojson` as \\[it\\] is.
    """
    return drawn(visible(text), _plain, lambda code: f"`{code}`")


def _code(text: str, *, spaces: bool = False) -> str:
    """Set a text as a code span, which no backtick or bar in it can end.

    >>> _code("a`b|c")
    '`aˋb¦c`'
    """
    shown = visible(text, spaces=spaces).replace("`", "ˋ").replace("|", "¦")
    return f"`{shown or ' '}`"


WRITER = ReportWriter("markdown", (".md",), write)
