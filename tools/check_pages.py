"""The pages of the checks, made of the checks themselves while the site is built.

Each suite has one, with its checks by id and severity, and each check has one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import groupby

from tokaudit.cli.checks_command.check_page import section
from tokaudit.engine.check import Check
from tokaudit_tools.tables import table

FOLDER = "checks"


def pages(checks: Sequence[Check]) -> dict[str, str]:
    """The text of each page by its place in the site."""
    own = {f"{FOLDER}/{check.id}.md": check_page(check) for check in checks}
    suites = {f"{FOLDER}/{name}.md": suite_page(name, held) for name, held in by_suite(checks)}
    return own | suites


def by_suite(checks: Sequence[Check]) -> Iterator[tuple[str, list[Check]]]:
    """Each suite with its checks."""
    for suite, members in groupby(checks, key=lambda check: check.suite):
        yield suite, list(members)


def suite_page(suite: str, checks: Sequence[Check]) -> str:
    """What a suite is about, and a line for each of its checks."""
    rows = ((f"[{c.id}]({c.id}.md)", c.severity, c.title) for c in checks)
    listed = table(("check", "severity", "what holds"), rows)
    return f"# {suite}\n\n{about(checks[0])}\n\n{listed}"


def check_page(check: Check) -> str:
    """What `tokaudit checks ID` prints, as a page."""
    return section(check).replace("### ", "# ", 1) + "\n"


def tables(checks: Sequence[Check]) -> str:
    """What the page of all checks ends with."""
    suites = f"## The suites\n\n{list_of_suites(checks)}"
    return f"## All checks\n\n{table_of_checks(checks)}\n{suites}"


def list_of_suites(checks: Sequence[Check]) -> str:
    """The table that the page of all checks ends with."""
    rows = (
        (f"[{suite}]({FOLDER}/{suite}.md)", len(held), about(held[0]))
        for suite, held in by_suite(checks)
    )
    return table(("suite", "checks", "what it is about"), rows)


def table_of_checks(checks: Sequence[Check]) -> str:
    """Every check in one table, which the script of the site lets a reader filter."""
    rows = (
        (_linked(c), c.title, c.severity, c.harm or "none", ", ".join(c.basis), c.tier)
        for c in checks
    )
    columns = ("check", "what holds", "severity", "harm", "evidence", "tier")
    return f'<div class="filterable"></div>\n\n{table(columns, rows)}'


def _linked(check: Check) -> str:
    return f"[{check.id}]({FOLDER}/{check.id}.md)"


def about(check: Check) -> str:
    """The first sentence of the package that holds a check."""
    package = sys.modules[check.function.__module__].__package__ or ""
    return (sys.modules[package].__doc__ or "").partition("\n")[0]
