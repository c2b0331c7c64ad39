"""`tokaudit loaders SUBJECT`: which value each loader takes for a key, and which file says so."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from string import ascii_uppercase
from typing import TYPE_CHECKING

from tokaudit.cli.options.settings import given
from tokaudit.cli.options.shared import add_subject
from tokaudit.engine.settings.settings import Opening
from tokaudit.foundation.settings.setting import values

if TYPE_CHECKING:
    from tokaudit.report.recorded import LoaderValue

EXAMPLES = """\
examples:
  tokaudit loaders path/to/checkpoint
  tokaudit loaders path/to/checkpoint --json
"""
LONGEST = 80  # characters of a value
NOTHING = "no file here names a class, a model or a format whose loader is known"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subject, and display options."""
    add_subject(parser, Opening)
    parser.add_argument(
        "--json",
        action="store_true",
        help="print the table of loaders as JSON (default: print lines of text)",
    )


def run(options: argparse.Namespace) -> int:
    """Print a row for each key, without running anything of the subject."""
    from tokaudit.cli.terminal.streams import note, say
    from tokaudit.engine.opening import open
    from tokaudit.report.visible import visible

    with open(options.subject, **values(given(options, Opening))) as opened:
        cells = opened.loaded
    if options.json:
        import json
        from dataclasses import asdict

        from tokaudit.report.visible import escaped_json

        rows = [{**asdict(cell), "source": cell.source} for cell in cells]
        say(escaped_json(json.dumps(rows, ensure_ascii=True, indent=2, default=str)) + "\n")
    elif cells:
        say("".join(f"{visible(line, limit=len(line))}\n" for line in lines(cells)))
    else:
        note(f"{NOTHING}\n")
    return 0


def lines(cells: Sequence[LoaderValue]) -> Iterator[str]:
    """Yield a line for each key and value, with its source and loaders.

    Loaders are named by their letter, and keys that every loader lacks in one line at the end.
    """
    from tokaudit.report.recorded import never_run, values_by_key

    loaders = list(dict.fromkeys(cell.loader for cell in cells))
    for letter, loader in zip(ascii_uppercase, loaders, strict=False):
        yield f"{letter}  {loader}"
    yield ""
    rows, lacking = values_by_key(cells), []
    shown: list[tuple[str, str, str, str]] = []
    for key, row in rows.items():
        if all(cell.said_by == "nobody" for cell in row.values()):
            lacking.append(key)
            continue
        taken: dict[tuple[str, str], str] = {}
        for loader, cell in row.items():
            said = (cell.shown(LONGEST), cell.source)
            taken[said] = taken.get(said, "") + ascii_uppercase[loaders.index(loader)]
        first = True
        for (value, source), letters in taken.items():
            shown.append((key if first else "", letters, value, source))
            first = False
    widths = [max((len(line[at]) for line in shown), default=0) for at in range(3)]
    for line in shown:
        yield "  ".join((*map(str.ljust, line, widths), line[3]))
    if lacking:
        yield f"absent for all: {', '.join(lacking)}"
    for reader, keys in never_run(cells).items():
        yield f"read from the source of {reader}, never run: {', '.join(keys)}"
