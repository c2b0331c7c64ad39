"""`tokaudit checks [ID]`: list the checks, or explain those that an id or suite chooses."""

from __future__ import annotations

import argparse

from tokaudit.errors import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """An id, a suite, or nothing for the whole list."""
    parser.add_argument("id", nargs="?", metavar="ID")


def run(options: argparse.Namespace) -> int:
    """Print a line for each check, or a page for each chosen one."""
    from tokaudit.engine.check import Check, all_checks, matches

    checks = all_checks()
    if options.id is None:
        width = max(len(check.id) for check in checks)
        for check in checks:
            print(f"{check.id:{width}}  {check.severity:7}  {check.title}")
        return 0
    chosen: list[Check] = [check for check in checks if matches(check.id, (options.id,))]
    if not chosen:
        raise UsageError(f"no check {options.id!r}; 'tokaudit checks' lists them all")
    print("\n\n".join(_page(check) for check in chosen))
    return 0


def _page(check: object) -> str:
    from tokaudit.engine.check import Check

    assert isinstance(check, Check)
    rows = [
        f"{check.id}: {check.title}",
        f"  severity  {check.severity}, from {', '.join(check.basis)} evidence",
        f"  tier      {check.tier}{', required' if check.required else ''}",
        f"  why       {check.why}",
    ]
    if check.incident:
        rows.append(f"  incident  {check.incident}")
    rows.append(f"  remedy    {check.remedy}")
    return "\n".join(rows)
