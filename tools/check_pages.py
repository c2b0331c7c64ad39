"""The pages of the checks, made of the checks themselves while the site is built.

Each suite has one, with its checks by id and severity, and each check has one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import groupby

from tokaudit.cli.checks_command.check_page import section
from tokaudit.engine.check import Check

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
    rows = [f"| [{c.id}]({c.id}.md) | {c.severity} | {c.title} |" for c in checks]
    table = ["| check | severity | what holds |", "|---|---|---|", *rows]
    return "\n".join([f"# {suite}", "", about(checks[0]), "", *table]) + "\n"


def check_page(check: Check) -> str:
    """What `tokaudit checks ID` prints, as a page."""
    return section(check).replace("### ", "# ", 1) + "\n"


def tables(checks: Sequence[Check]) -> str:
    """What the page of all checks ends with."""
    suites = f"## The suites\n\n{list_of_suites(checks)}"
    return f"## All checks\n\n{table_of_checks(checks)}\n{suites}"


def list_of_suites(checks: Sequence[Check]) -> str:
    """The table that the page of all checks ends with."""
    rows = [
        f"| [{s}]({FOLDER}/{s}.md) | {len(held)} | {about(held[0])} |"
        for s, held in by_suite(checks)
    ]
    return "\n".join(["| suite | checks | what it is about |", "|---|---|---|", *rows]) + "\n"


def table_of_checks(checks: Sequence[Check]) -> str:
    """Every check in one table, which the script of the site lets a reader filter."""
    rows = [
        f"| [{c.id}]({FOLDER}/{c.id}.md) | {c.title} | {c.severity} | {c.harm or 'none'} "
        f"| {', '.join(c.basis)} | {c.tier} |"
        for c in checks
    ]
    head = [
        "| check | what holds | severity | harm | evidence | tier |",
        "|---|---|---|---|---|---|",
    ]
    return "\n".join(['<div class="filterable"></div>', "", *head, *rows]) + "\n"


def about(check: Check) -> str:
    """The first sentence of the package that holds a check."""
    package = sys.modules[check.function.__module__].__package__ or ""
    return (sys.modules[package].__doc__ or "").partition("\n")[0]
