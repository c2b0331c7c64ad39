"""Tries whether the repairs that the audit states work.

Carries out the repair of every finding of broken folders, and audits again.  Exit code 1 where less
than 95 % do or a repair makes an error that it does not announce, and 3 where --minutes ended it
before all were tried.  Progress is on stderr.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tokaudit_remedies.case import Case
from tokaudit_remedies.cases import defects, examples, operators
from tokaudit_remedies.kept import KeptCases
from tokaudit_remedies.table import page, share, table, unrepaired
from tokaudit_remedies.trying import Outcome, TriedRepair, tried
from tokaudit_tools.kept import add_option

ROOT = Path(__file__).parents[2]
SOURCES = {"examples": examples, "defects": defects, "mutants": operators}
LEAST = 0.95


def main(argv: Sequence[str] | None = None) -> int:
    """Try the cases that the options leave in, and print the table."""
    options = _parser().parse_args(argv)
    cases = [each for each in _cases(options.source or SOURCES) if _asked(each, options.only)]
    end = time.monotonic() + 60 * options.minutes
    kept = KeptCases.read(options.kept)
    for case in cases:
        if time.monotonic() > end:
            break
        if case not in kept:
            kept.add(case, _shown(case))
    outcomes, left = kept.of(cases), sum(each not in kept for each in cases)
    print(table(outcomes))
    print(unrepaired(outcomes), end="")
    if left:
        print(f"{left} of {len(cases)} cases are left", file=sys.stderr)
        return 3
    if options.write:
        (ROOT / "docs" / "remedies.md").write_text(page(outcomes, len(cases)), encoding="utf-8")
    new = any(each.outcome is Outcome.NEW_ERROR for each in outcomes)
    return int(new or share(outcomes) < LEAST)


def _cases(sources: Iterable[str]) -> Iterator[Case]:
    for source in sources:
        yield from SOURCES[source]()


def _asked(case: Case, only: Sequence[str]) -> bool:
    return not only or any(part in (case.name, *case.checks) for part in only)


def _shown(case: Case) -> list[TriedRepair]:
    """The outcomes of a case; an exception is one too, so that none is lost."""
    found = []
    try:
        for each in tried(case):
            found.append(each)
            line = f"{each.source} {each.case}: {each.finding}: {each.outcome} {each.said}"
            print(line, file=sys.stderr, flush=True)
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
        print(f"{case.source} {case.name}: {said}", file=sys.stderr, flush=True)
        found.append(TriedRepair(case.source, case.name, "", Outcome.REFUSED, said))
    return found


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="*", metavar="NAME", help="of a case, or the id of a check")
    parser.add_argument("--source", action="append", choices=sorted(SOURCES))
    add_option(parser)
    most = "begin no case after so many, so that the rest is for another run with --kept"
    parser.add_argument("--minutes", type=float, default=float("inf"), metavar="N", help=most)
    parser.add_argument("--write", action="store_true", help="write docs/remedies.md")
    return parser
