"""The table of scores, missed ones last, and the sums below it."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tokaudit_faults.catalogue import Entry
from tokaudit_faults.scores.scorer import Score
from tokaudit_faults.unscored import UNSCORED

WIDEST = 190
SEVERITIES = ("critical", "high", "medium", "low")
ORDER_OF_NEEDS = ("", "a base", "another encoder")
Row = tuple[Entry, Score]


def write(rows: Sequence[Row], entries: Sequence[Entry], console: Console) -> None:
    """Print the scores, the entries that no folder shows, and the sums."""
    ordered = sorted(rows, key=lambda row: not caught(row))
    console.print(_table(ordered))
    for entry in entries:
        if entry.id in UNSCORED:
            console.print(escape(f"{entry.id} {entry.name}: not scored: {UNSCORED[entry.id]}"))
    for line in sums(rows, entries):
        console.print(escape(line))


def caught(row: Row) -> bool:
    """Whether the check spoke as loudly as the harm deserves; what is critical may not pass."""
    entry, score = row
    return score.caught and not (entry.severity == "critical" and score.verdict == "pass")


def caught_ids(rows: Sequence[Row]) -> set[str]:
    """The entries all of whose instances are caught."""
    return {entry.id for entry, _ in rows} - {row[0].id for row in rows if not caught(row)}


def sums(rows: Sequence[Row], entries: Sequence[Entry]) -> list[str]:
    """How many of the entries that a folder shows are caught, all and by severity."""
    found, scored = caught_ids(rows), {entry.id for entry, _ in rows}
    lines = [f"{len(found)} of {len(scored)} entries caught, {len(UNSCORED)} not scored"]
    for severity in SEVERITIES:
        ids = {entry.id for entry in entries if entry.severity == severity} & scored
        lines.append(f"{severity}: {len(ids & found)} of {len(ids)}")
    missing = [e.id for e in entries if e.id not in scored and e.id not in UNSCORED]
    lines.append(f"missed: {', '.join(sorted(scored - found, key=_number)) or 'none'}")
    lines += [f"without a recipe: {', '.join(missing)}"] if missing else []
    return lines + ways(rows)


def ways(rows: Sequence[Row]) -> list[str]:
    """How many entries the folder alone shows, how many need more, and which no file shows.

    An entry with several instances counts as what the easiest of them needs.
    """
    needs: dict[str, str] = {}
    for entry, score in rows:
        fault = score.case.made_by
        own = "a base" if fault.base else "another encoder" if fault.against else ""
        needs[entry.id] = min(needs.get(entry.id, own), own, key=ORDER_OF_NEEDS.index)
    by_need = {need: [id for id in needs if needs[id] == need] for need in ORDER_OF_NEEDS}
    named = {"": "shown by the folder alone", "a base": "need a base"}
    lines = [
        f"{named.get(need, f'need {need}')}: {len(ids)} ({', '.join(sorted(ids, key=_number))})"
        for need, ids in by_need.items()
        if ids
    ]
    reasons: dict[str, list[str]] = {}
    for id, reason in UNSCORED.items():
        reasons.setdefault(reason, []).append(id)
    return lines + [f"not seen from files, {', '.join(ids)}: {why}" for why, ids in reasons.items()]


def progress(row: Row) -> str:
    """One line for an instance that is scored."""
    entry, score = row
    said = "caught" if caught(row) else "MISSED"
    seen = f"{score.check} {score.severity}" if score.check else "nothing"
    others = f"; elsewhere {', '.join(score.elsewhere)}" if score.elsewhere else ""
    trouble = f"; {score.trouble}" if score.trouble else ""
    return f"{entry.id} {score.case.made_by.name}: {said}: {seen}, {score.verdict}{others}{trouble}"


def _table(rows: Sequence[Row]) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("id", "name", "instance", "catalogue", "check", "severity", "verdict", ""):
        table.add_column(heading, overflow="fold")
    for row in rows:
        (entry, score), missed = row, not caught(row)
        fault = score.case.made_by
        check = score.check or f"none of {', '.join(fault.checks)}"
        cells = (entry.id, entry.name, fault.words, entry.severity, check, score.severity)
        style = "bold red" if missed else None
        table.add_row(
            *map(escape, (*cells, score.verdict)), "missed" if missed else "", style=style
        )
    return table


def _number(id: str) -> tuple[str, int]:
    return id[0], int(id[1:])
