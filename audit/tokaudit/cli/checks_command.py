"""`tokaudit checks [ID]`: list the checks, or explain those that an id or suite chooses."""

from __future__ import annotations

import argparse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokaudit.engine.check import Check
    from tokaudit.foundation import catalogue

EXAMPLES = """\
examples:
  tokaudit checks
  tokaudit checks vocab/holes
  tokaudit checks vocab
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """An id, a suite, or nothing for the whole list."""
    parser.add_argument(
        "id", nargs="?", metavar="ID", help="a check or a suite to explain (default: list them all)"
    )


def run(options: argparse.Namespace) -> int:
    """Print a line for each check, or a page for each chosen one."""
    from tokaudit.cli.streams import say

    say(_list() if options.id is None else _pages(options.id))
    return 0


def _list() -> str:
    """A line for each check."""
    from tokaudit.foundation import catalogue

    checks: Sequence[Check | catalogue.Listed] | None = catalogue.listed()
    if checks is None:
        from tokaudit.engine.check import all_checks

        checks = all_checks()
    width = max(len(check.id) for check in checks)
    return "".join(f"{each.id:{width}}  {each.severity:7}  {each.title}\n" for each in checks)


def _pages(asked: str) -> str:
    """The page of each check that an id or a suite chooses."""
    from tokaudit.api.settings import names
    from tokaudit.cli.check_page import section
    from tokaudit.engine.check import all_checks, matches

    checks = all_checks()
    (chosen,) = names("ID", [asked], checks)
    return "\n\n".join(section(check) for check in checks if matches(check.id, (chosen,))) + "\n"
