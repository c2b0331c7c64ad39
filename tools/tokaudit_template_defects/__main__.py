"""`python -m tokaudit_template_defects`: which documented template defects the checks name.

An entry is caught where each of its templates gets a warning or an error by the check that names
the cause, without a base.  Exit code 1 when one is missed, 2 without the templates.  `--page`
writes `docs/template-defects.md` in place of lines.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from tokaudit_template_defects.catalogue import defects
from tokaudit_template_defects.page import page
from tokaudit_template_defects.scoring import instances


def main(argv: Sequence[str] | None = None) -> int:
    """Score the entries that the options leave in, a line each, and print the sums."""
    parser = argparse.ArgumentParser(prog="python -m tokaudit_template_defects")
    parser.add_argument("only", nargs="*", metavar="ID", help="of the list, such as results-lost")
    parser.add_argument("--page", action="store_true", help="a page of all of them")
    asked = parser.parse_args(argv)
    only = asked.only
    if asked.page:
        print(page(), end="")
        return 0
    caught, tried, found = 0, 0, 0
    try:
        for defect in (one for one in defects() if not only or one.id in only):
            rows = list(instances(defect))
            missed = [row for row in rows if not row.caught]
            caught, tried = caught + (not missed), tried + len(rows)
            found += len(rows) - len(missed)
            state = f"MISSED in {', '.join(row.healthy for row in missed)}" if missed else "caught"
            print(f"{defect.id}: {defect.check}: {state}, {len(rows) - len(missed)} of {len(rows)}")
    except (FileNotFoundError, ValueError) as error:
        print(f"tokaudit_template_defects: {error}: run make templates", file=sys.stderr)
        return 2
    entries = len(only) or len(defects())
    print(f"{caught} of {entries} entries caught, {found} of {tried} templates with a defect")
    return int(caught != entries)


if __name__ == "__main__":
    raise SystemExit(main())
