"""`python -m tokaudit_remedies`: whether the repairs that the audit states work.

Carries out the repair of every finding of broken folders, and audits again.  Exit code 1 where less
than 95 % do or a repair makes an error that it does not announce.  Progress is on stderr.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from tokaudit_remedies.case import Case
from tokaudit_remedies.cases import defects, examples, operators
from tokaudit_remedies.table import share, table, unrepaired
from tokaudit_remedies.trying import Outcome, TriedRepair, tried

SOURCES = {"examples": examples, "defects": defects, "mutants": operators}
LEAST = 0.95


def main(argv: Sequence[str] | None = None) -> int:
    """Try the cases that the options leave in, and print the table."""
    options = _parser().parse_args(argv)
    outcomes: list[TriedRepair] = []
    for source in options.source or SOURCES:
        for case in SOURCES[source]():
            if not options.only or any(part in (case.name, *case.checks) for part in options.only):
                outcomes += _shown(case)
    print(table(outcomes))
    print(unrepaired(outcomes), end="")
    new = any(each.outcome is Outcome.NEW_ERROR for each in outcomes)
    return int(new or share(outcomes) < LEAST)


def _shown(case: Case) -> list[TriedRepair]:
    """The outcomes of a case; those before an exception, where one ends it."""
    found = []
    try:
        for each in tried(case):
            found.append(each)
            line = f"{case.source} {case.name}: {each.finding.identity}: {each.outcome} {each.said}"
            print(line, file=sys.stderr, flush=True)
    except Exception as error:
        print(f"{case.source} {case.name}: {type(error).__name__}: {error}", file=sys.stderr)
    return found


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tokaudit_remedies", description=__doc__)
    parser.add_argument("only", nargs="*", metavar="NAME", help="of a case, or the id of a check")
    parser.add_argument("--source", action="append", choices=sorted(SOURCES))
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
