"""Scores the audit on mutants, by component and by operator; --write writes the pages.

The pages are docs/mutants.md and docs/mutants.json.  Progress goes to stderr.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tokaudit_faults.case import Case, mutants, present
from tokaudit_faults.healthy.families import FAMILIES, OF_PACKAGES
from tokaudit_faults.scores.mutants_page import document, page, titled, written
from tokaudit_faults.scores.running import Progress, run
from tokaudit_faults.scores.scorer import Score
from tokaudit_tools.kept import add_option, keep, kept

ROOT = Path(__file__).resolve().parents[3]
PLACES = {"quick": 5, "full": 20}


def main(argv: Sequence[str] | None = None) -> int:
    """Score the mutants that the options leave in, and print or write the tables."""
    options = _parser().parse_args(argv)
    here, absent = present(options.family or OF_PACKAGES)
    for name, why in absent.items():
        print(f"{name}: left out: {why}", file=sys.stderr)
    places = options.places or PLACES[options.tier]
    chosen = [each for each in mutants(here, places) if _asked(each, options.only)]
    if not chosen:
        print("mutants: nothing to score", file=sys.stderr)
        return 2
    show = _progress(time.monotonic(), options.kept)
    scores = run(chosen, options.processes, show, kept(options.kept, Score))
    text, table = written(document(scores, places, absent)), page(scores, places)
    if options.write:
        (ROOT / "docs" / "mutants.json").write_text(text, encoding="utf-8")
        (ROOT / "docs" / "mutants.md").write_text(table, encoding="utf-8")
    if options.json:
        options.json.write_text(text, encoding="utf-8")
    print(table)
    return 0


def _asked(case: Case, only: Sequence[str]) -> bool:
    return not only or any(part in titled(case.made_by) for part in only)


def _progress(started: float, file: Path | None) -> Progress:
    def show(done: int, of: int, score: Score) -> None:
        keep(file, score)
        case, seconds = score.case, time.monotonic() - started
        said = (
            "caught"
            if score.caught
            else f"SURVIVES ({score.check} {score.severity} {score.said[:90]})"
        )
        name = f"{case.healthy}, {titled(case.made_by)} [{case.seed}]"
        print(f"{done}/{of} {seconds:.0f} s {name}: {said}", file=sys.stderr, flush=True)

    return show


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="*", metavar="WORDS", help="parts of `component: operator`")
    parser.add_argument("--family", action="append", choices=sorted(FAMILIES))
    parser.add_argument("--tier", choices=sorted(PLACES), default="quick")
    parser.add_argument("--places", type=int, help="seeded places, instead of the tier's")
    parser.add_argument("--processes", type=int, default=min(os.cpu_count() or 1, 4))
    parser.add_argument("--write", action="store_true", help="write the pages of the project")
    add_option(parser)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the scores as JSON too")
    return parser
