"""Scores the audit on documented defects, as a table; 1 when one is missed.

The exit code is 2 without the outside material.  Progress goes to stderr.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from rich.console import Console

from tokaudit_faults.case import documented, once
from tokaudit_faults.catalogue import NoMaterial, entries, material
from tokaudit_faults.scores.defects_table import WIDEST, Row, caught_ids, progress, write
from tokaudit_faults.scores.scorer import Scorer


def main(argv: Sequence[str] | None = None) -> int:
    """Score every fault that the options leave in, and print the table."""
    options = _parser().parse_args(argv)
    try:
        known = {entry.id: entry for entry in entries(material())}
    except NoMaterial as error:
        print(f"defects: {error}", file=sys.stderr)
        return 2
    rows: list[Row] = []
    scorer = Scorer(whole=not options.named)
    for fault in documented():
        if not options.only or fault.entry in options.only:
            rows += [(known[fault.entry], scorer.score(case)) for case in once(fault)]
            print(progress(rows[-1]), file=sys.stderr, flush=True)
    rows.sort(key=lambda row: list(known).index(row[0].id))
    write(rows, list(known.values()), Console() if sys.stdout.isatty() else Console(width=WIDEST))
    return int(caught_ids(rows) != {entry.id for entry, _ in rows})


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="*", metavar="ID", help="of the catalogue, such as D07")
    named = "ask only the checks that name the cause"
    parser.add_argument("--named", action="store_true", help=named)
    return parser
