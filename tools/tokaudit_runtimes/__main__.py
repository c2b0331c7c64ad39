"""`python -m tokaudit_runtimes page [RUNTIME ...]` writes the page; `faults` tries faults,

`vectors` counts the lines that show them.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

HALVES = ("first", "second")
NPM = Path(".venv/npm")


def main() -> None:
    """Write one of the two to standard output, and how far it is to standard error."""
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("page", "faults", "vectors"))
    parser.add_argument("runtimes", nargs="*")
    parser.add_argument("--npm", type=Path, default=NPM)
    asked = parser.parse_args()
    if asked.what == "page":
        _page(asked.runtimes, asked.npm)
    elif asked.what == "faults":
        _faults()
    else:
        _vectors()


def _page(runtimes: list[str], npm: Path) -> None:
    from tokaudit_runtimes.page import cells, page, subjects

    found = {}
    for subject, runtime, comparison in cells(runtimes, npm):
        found[subject, runtime] = comparison
        state = comparison.runtime.state if comparison.runtime else ""
        said = f"{subject} in {runtime}: {state}, {comparison.different} of {comparison.texts}"
        print(said, file=sys.stderr, flush=True)
    sys.stdout.write(page(found, subjects(npm)))


def _faults() -> None:
    from tokaudit_runtimes.faults import faults
    from tokaudit_runtimes.trials import tried

    print("| fault | shown by | half | causes | text |\n|---|---|---|---|---|")
    for fault in faults():
        trial = tried(fault)
        text = trial.found.broken[0].evidence.text if trial.found.broken else ""
        causes = ", ".join(trial.causes) or "missed"
        print(f"| {fault.name} | {fault.shows} | {fault.half} | {causes} | {(text or '')[:30]!r} |")


def _vectors() -> None:
    from tokaudit_runtimes.faults import faults
    from tokaudit_runtimes.trials import KINDS_OF_LINES, lines_that_show

    print("| fault | half | vectors | as many at random | 46 of llama.cpp |\n|---|---|---|---|---|")
    shown = dict.fromkeys(((half, kind) for half in HALVES for kind in KINDS_OF_LINES), 0)
    for fault in (each for each in faults() if each.shows == "text"):
        counts = [lines_that_show(fault, kind) for kind in KINDS_OF_LINES]
        for kind, count in zip(KINDS_OF_LINES, counts, strict=True):
            shown[fault.half, kind] += count > 0
        print(f"| {fault.name} | {fault.half} | {' | '.join(map(str, counts))} |")
    for half in HALVES:
        found = (str(shown[half, kind]) for kind in KINDS_OF_LINES)
        print(f"| faults shown | {half} | {' | '.join(found)} |")


if __name__ == "__main__":
    main()
