"""The table of what was compared, for a terminal or a file, and the sentence below it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tokaudit_conformance.both import Mismatch
from tokaudit_conformance.compare import ComparedStrings

WIDEST = 170
LONGEST = 300  # characters of what one side says


def write(rows: Sequence[ComparedStrings], console: Console) -> None:
    """Print the table, what could not be compared, the mismatches that nothing excuses, the sum."""
    console.print(_table([row for row in rows if not row.trouble]))
    for row in rows:
        if row.trouble:
            console.print(escape(f"{row.tokenizer}: not compared: {row.trouble}"))
        for example in row.examples:
            console.print(escape(f"{row.tokenizer}, {row.kind}:\n{_said(example)}"))
    console.print(escape(summary(rows)))


def summary(rows: Sequence[ComparedStrings]) -> str:
    """One sentence of figures, and what excused which mismatches."""
    by_table: Counter[str] = Counter()
    for row in rows:
        by_table.update(row.by_table)
    tables = ", ".join(f"{name} {count:,}" for name, count in by_table.most_common())
    tokenizers = len({row.tokenizer for row in rows if not row.trouble})
    strings, wrong = sum(row.strings for row in rows), sum(row.unexplained for row in rows)
    explained = sum(row.explained for row in rows)
    by = f" (by Unicode table: {tables})" if tables else ""
    return (
        f"{tokenizers} tokenizers, {strings:,} strings, {explained:,} mismatches explained{by}, "
        f"{wrong:,} unexplained"
    )


def progress(row: ComparedStrings) -> str:
    """One line for a row that is done."""
    counts = f"{row.explained:,} explained, {row.unexplained:,} unexplained"
    reported = row.trouble or f"{row.strings:,} strings, {counts}, {row.seconds:.1f} s"
    return f"{row.tokenizer}, {row.kind}: {reported}"


def _table(rows: Sequence[ComparedStrings]) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("tokenizer", "library", "kind", "compared"):
        table.add_column(heading, overflow="fold")
    for heading in ("strings", "mismatches", "explained", "unexplained", "seconds"):
        table.add_column(heading, justify="right", no_wrap=True)
    before = ""
    for row in rows:
        counts = (row.strings, row.mismatches, row.explained, row.unexplained)
        name = row.tokenizer if row.tokenizer != before else ""
        before = row.tokenizer
        texts = map(escape, (name, row.upstream, row.kind, row.compared))
        style = "bold red" if row.unexplained else None
        table.add_row(*texts, *(f"{n:,}" for n in counts), f"{row.seconds:.1f}", style=style)
    return table


def _said(example: Mismatch) -> str:
    library, reference = (side[:LONGEST] for side in (example.upstream, example.reference))
    head = f"    {example.what} of {example.text!a}\n"
    return f"{head}    library   {library}\n    reference {reference}"
