"""Draws the comparison of two tokenizers for replacing: the corpus, and the ends of tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tokaudit.plugin import ModelRows, PairedFigure, Replacement, ShiftedDocument, visible
from tokaudit_reports.arranged.order import number, rate
from tokaudit_reports.arranged.replacement import ranking

ENDS = 3  # languages at either end


def replacement_lines(found: Replacement) -> Iterator[str]:
    """Yield the lines that fit a terminal; the page and the JSON have everything."""
    yield f"{found.left} and {found.right}, run by {found.run_by}"
    for figure in found.figures:
        if figure.texts["kind"] == "corpus":
            yield f"  {found.titles[figure.key]}, {figure.texts['name']}: {both(figure)}"
    for kind in ("language", "script", "domain"):
        yield from _by_tokens(kind, found, [f for f in found.figures if _of(f, kind)])
    yield from _vocabularies(found)
    yield from _rows(found.rows)
    if any(found.times):
        times = " and ".join(rate(each) if each else "not timed" for each in found.times)
        yield f"  time to encode, over the yardstick's: {times}"
    for what, documents in (("fewer", found.fewer), ("more", found.more)):
        yield from _documents(what, documents)


def ranking_lines(found: Sequence[Replacement]) -> Iterator[str]:
    """Yield the tokenizers by tokens, the fewest first, if there are more than two."""
    if len(found) < 2:
        return
    yield "from the fewest tokens on:"
    for place, row in enumerate(ranking(found), start=1):
        use = f"{row.use.never:,} of {row.use.entries:,} entries never used"
        yield f"  {place}. {row.name}: {rate(row.ratio)} for each of the first's tokens, {use}"


def both(figure: PairedFigure) -> str:
    """Format both values and their ratio, each with its interval if it has one."""
    said = f"{rate(figure.left)} and {rate(figure.right)}"
    return f"{said}, ratio {rate(figure.ratio)}" if figure.ratio else said


def _of(figure: PairedFigure, kind: str) -> bool:
    return figure.texts["kind"] == kind and figure.key == "tokens" and figure.ratio is not None


def _by_tokens(kind: str, of: Replacement, figures: Sequence[PairedFigure]) -> Iterator[str]:
    ranked = sorted(figures, key=lambda each: each.ratio.value if each.ratio else 0.0)
    if not ranked:
        return
    yield f"  tokens in {of.right} for each in {of.left}, by {kind}:"
    shown = ranked if len(ranked) <= 2 * ENDS else [*ranked[:ENDS], *ranked[-ENDS:]]
    named = (f"{each.texts['name']} {rate(each.ratio)}" for each in shown)
    yield f"    {', '.join(named)}" + (f" (of {len(ranked)})" if shown != ranked else "")


def _vocabularies(found: Replacement) -> Iterator[str]:
    yield "  vocabulary entries:"
    for name, use in zip((found.left, found.right), found.uses, strict=True):
        even = "" if use.efficiency is None else f", Rényi efficiency {number(use.efficiency)}"
        yield (
            f"    {name} {use.entries:,}; never used {use.never:,}, used once {use.once:,}"
            f" in {use.tokens:,} tokens{even}"
        )


def _rows(rows: ModelRows) -> Iterator[str]:
    first, second = rows.rows
    yield (
        f"  rows of the embedding: {first:,} and {second:,}, rounded to 64 "
        f"{rows.rounded[0][0]:,} and {rows.rounded[1][0]:,}; {rows.kept:,} ids keep their token, "
        f"{rows.moved:,} tokens move, {rows.gone:,} go and {rows.new:,} are new"
    )


def _documents(what: str, documents: Sequence[ShiftedDocument]) -> Iterator[str]:
    for each in documents:
        line = visible(each.line.text or "")
        yield (
            f"  {what} tokens: document {each.number:,} of {each.file}, {each.left:,} and "
            f"{each.right:,}; its line {line!r}: {len(each.line.expected)} and "
            f"{len(each.line.actual)}"
        )
