"""`python -m tokaudit_mutants`: the mutation score of the audit, by component and by operator.

With --write it writes docs/mutants.md and docs/mutants.json.  Progress goes to stderr.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tokaudit_mutants.mutant import all_families, mutants, present
from tokaudit_mutants.running import Progress, run
from tokaudit_mutants.scoring import Score
from tokaudit_mutants.table import document, page, written
from tokaudit_scored.kept import keep, kept

ROOT = Path(__file__).resolve().parents[2]
PLACES = {"quick": 5, "full": 20}
OUTSIDE = "Unigram"  # of the outside material, so not in pages that anybody is to make again


def main(argv: Sequence[str] | None = None) -> int:
    """Score the mutants that the options leave in, and print or write the tables."""
    options = _parser().parse_args(argv)
    wanted = options.family or [name for name in all_families() if name != OUTSIDE]
    here, absent = present(wanted)
    for name, why in absent.items():
        print(f"{name}: left out: {why}", file=sys.stderr)
    places = options.places or PLACES[options.tier]
    chosen = [m for m in mutants(here, places) if _asked(m.group, m.operator, options.only)]
    if not chosen:
        print("tokaudit_mutants: nothing to score", file=sys.stderr)
        return 2
    show = _progress(time.monotonic(), options.kept)
    scores = run(chosen, options.processes, show, kept(options.kept, Score))
    if options.write:
        _write(scores, places, absent)
    if options.json:
        options.json.write_text(written(document(scores, places, absent)), encoding="utf-8")
    print(page(scores, places))
    return 0


def _asked(group: str, operator: str, only: Sequence[str]) -> bool:
    return not only or any(part in f"{group}: {operator}" for part in only)


def _progress(started: float, file: Path | None) -> Progress:
    def show(done: int, of: int, score: Score) -> None:
        keep(file, score)
        mutant, seconds = score.mutant, time.monotonic() - started
        said = (
            "caught"
            if score.caught
            else f"SURVIVES ({score.check} {score.severity} {score.said[:90]})"
        )
        name = f"{mutant.family}, {mutant.group}: {mutant.operator} [{mutant.seed}]"
        print(f"{done}/{of} {seconds:.0f} s {name}: {said}", file=sys.stderr, flush=True)

    return show


def _write(scores: Sequence[Score], places: int, absent: dict[str, str]) -> None:
    text = written(document(scores, places, absent))
    (ROOT / "docs" / "mutants.json").write_text(text, encoding="utf-8")
    (ROOT / "docs" / "mutants.md").write_text(page(scores, places), encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tokaudit_mutants", description=__doc__)
    parser.add_argument("only", nargs="*", metavar="WORDS", help="parts of `component: operator`")
    parser.add_argument("--family", action="append", choices=sorted(all_families()))
    parser.add_argument("--tier", choices=sorted(PLACES), default="quick")
    parser.add_argument("--places", type=int, help="seeded places, instead of the tier's")
    parser.add_argument("--processes", type=int, default=min(os.cpu_count() or 1, 4))
    parser.add_argument("--write", action="store_true", help="write the pages of the project")
    go_on = "go on with the scores in this file, of the same commit, and add the others to it"
    parser.add_argument("--kept", type=Path, metavar="FILE", help=go_on)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the scores as JSON too")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
