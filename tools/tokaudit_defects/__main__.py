"""`python -m tokaudit_defects`: which documented defects the audit catches, as a table.

Exit code 1 when one is missed, 2 without the outside material.  Progress goes to stderr.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from rich.console import Console

import tokaudit_defects.recipes  # noqa: F401  registers every recipe
from tokaudit_defects.catalogue import NoMaterial, entries, material
from tokaudit_defects.recipe import RECIPES
from tokaudit_defects.scoring import Scorer
from tokaudit_defects.table import WIDEST, Row, caught_ids, progress, write


def main(argv: Sequence[str] | None = None) -> int:
    """Score every recipe that the options leave in, and print the table."""
    options = _parser().parse_args(argv)
    try:
        known = {entry.id: entry for entry in entries(material())}
    except NoMaterial as error:
        print(f"tokaudit_defects: {error}", file=sys.stderr)
        return 2
    rows: list[Row] = []
    scorer = Scorer(whole=not options.named)
    for recipe in RECIPES:
        if not options.only or recipe.defect in options.only:
            rows.append((known[recipe.defect], scorer.score(recipe)))
            print(progress(rows[-1]), file=sys.stderr, flush=True)
    rows.sort(key=lambda row: list(known).index(row[0].id))
    write(rows, list(known.values()), Console() if sys.stdout.isatty() else Console(width=WIDEST))
    return int(caught_ids(rows) != {entry.id for entry, _ in rows})


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tokaudit_defects", description=__doc__)
    parser.add_argument("only", nargs="*", metavar="ID", help="of the catalogue, such as D07")
    named = "ask only the checks that name the cause"
    parser.add_argument("--named", action="store_true", help=named)
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
