"""`tokaudit checks [ID]`: list the checks, or explain a check, a suite or a setting."""

from __future__ import annotations

import argparse
import sys

from tokaudit.cli.terminal.columns import columns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokaudit.foundation.plugins import catalogue
    from tokaudit.products.audit.checks import Check

LEAST_FOR_TITLES = 24  # columns
EXAMPLES = """\
examples:
  tokaudit checks
  tokaudit checks vocab/holes
  tokaudit checks vocab
  tokaudit checks --setting eos_token
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add an optional id, suite or setting."""
    parser.add_argument(
        "id",
        nargs="?",
        metavar="ID",
        help="the check or suite to explain (default: list all checks)",
    )
    setting = "explain a key of a settings file: its meaning, defaults and checks (default: none)"
    parser.add_argument("--setting", metavar="KEY", help=setting)


def run(options: argparse.Namespace) -> int:
    """Print a line for each check, the page of chosen ones, or the records of a setting."""
    from tokaudit.cli.terminal.streams import say

    if options.setting is not None and options.id is not None:
        from tokaudit.foundation.errors import UsageError

        raise UsageError("checks: name either a check or a setting with --setting, not both")
    if options.setting is not None:
        from tokaudit.products.audit.known_settings import setting_section

        say(setting_section(options.setting))
    else:
        say(_list() if options.id is None else _pages(options.id))
    return 0


def _list() -> str:
    """List a line for each check."""
    from tokaudit.foundation.plugins import catalogue

    checks: Sequence[Check | catalogue.Listed] | None = catalogue.listed()
    if checks is None:
        from tokaudit.products.audit.checks import all_checks

        checks = all_checks()
    width = max(len(check.id) for check in checks)
    most = (
        columns(sys.stdout) if sys.stdout and sys.stdout.isatty() else None
    )  # a pipe gets whole lines
    rows = ((f"{each.id:{width}}  {each.severity:7}  ", each.title) for each in checks)
    return "".join(f"{_in_columns(before, title, most)}\n" for before, title in rows)


def _in_columns(before: str, title: str, most: int | None) -> str:
    """Format one row, with its title wrapped in its column or below the id.

    >>> print(_in_columns("vocab/holes  ", "Every id below the highest has a token", 40))
    vocab/holes  Every id below the highest
                 has a token
    """
    if most is None or len(before) + len(title) <= most:
        return before + title
    from textwrap import wrap

    indent = len(before) if most - len(before) >= LEAST_FOR_TITLES else 4
    first, *others = wrap(title, most - indent)
    start = before + first if indent == len(before) else f"{before.rstrip()}\n{' ' * indent}{first}"
    return "\n".join([start, *(" " * indent + line for line in others)])


def _pages(asked: str) -> str:
    """Return the page of each check that an id or a suite selects."""
    from tokaudit.cli.checks_command.check_page import section
    from tokaudit.products.audit.checks import chosen

    return "\n\n".join(map(section, chosen(asked))) + "\n"
