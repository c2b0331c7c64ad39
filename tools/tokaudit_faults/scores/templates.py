"""Scores the checks on documented faults of chat templates; --page prints a page of all.

An entry is caught where each of its templates gets a warning or an error by the check that names
the cause, without a base.  Exit code 1 when one is missed, 2 without the templates.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from tokaudit.report.model import Finding
from tokaudit_faults.case import Case, of_kind, once
from tokaudit_faults.fault import TEMPLATES, Fault, Healthy
from tokaudit_faults.scores.scorer import Score, is_loud, worst
from tokaudit_folders.chat_folders import Asked

LEAST = "warning"  # of any entry, whatever its harm deserves


def main(argv: Sequence[str] | None = None) -> int:
    """Score the entries that the options leave in, a line each, and print the sums."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="*", metavar="ID", help="of the list, such as results-lost")
    parser.add_argument("--page", action="store_true", help="a page of all of them")
    asked = parser.parse_args(argv)
    if asked.page:
        from tokaudit_faults.scores.templates_page import page

        print(page(), end="")
        return 0
    chosen = [each for each in of_kind(TEMPLATES) if not asked.only or each.name in asked.only]
    whole, caught, tried = 0, 0, 0
    try:
        for fault in chosen:
            rows = scores(fault)
            missed = [row.case.healthy for row in rows if not row.caught]
            found = len(rows) - len(missed)
            whole, caught, tried = whole + (not missed), caught + found, tried + len(rows)
            state = f"MISSED in {', '.join(missed)}" if missed else "caught"
            print(f"{fault.name}: {fault.checks[0]}: {state}, {found} of {len(rows)}")
    except (FileNotFoundError, ValueError) as error:
        print(f"templates: {error}: run make templates", file=sys.stderr)
        return 2
    print(f"{whole} of {len(chosen)} entries caught, {caught} of {tried} templates with a defect")
    return int(whole != len(chosen))


def scores(fault: Fault) -> list[Score]:
    """The score of each template of the entry with the defect in it."""
    return [score(case) for case in once(fault)]


def score(case: Case) -> Score:
    """Whether the check says a severity and a cause that it does not say of the healthy template.

    Templates of packages are asked about in this process, which takes milliseconds.
    """
    (check,) = case.made_by.checks
    healthy = _said_of_healthy(case.made_of, check)
    shown = worst(each for each in _said(case, check) if _complaint(each) not in healthy)
    if shown is None:
        return Score(case, False)
    return Score(case, is_loud(shown, LEAST), check, str(shown.severity), shown.message)


def _complaint(finding: Finding) -> tuple[str, str]:
    return str(finding.severity), finding.cause


@cache
def _said_of_healthy(healthy: Healthy, check: str) -> frozenset[tuple[str, str]]:
    return frozenset(map(_complaint, _said(healthy, check)))


def _said(written: Case | Healthy, check: str) -> list[Finding]:
    with tempfile.TemporaryDirectory(prefix="tokaudit-templates-") as folder:
        written.write(Path(folder))
        return Asked(Path(folder)).findings(check.partition("/")[2])
