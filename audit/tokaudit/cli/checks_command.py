"""`tokaudit checks [ID]`: list the checks, or explain those that an id or suite chooses."""

from __future__ import annotations

import argparse

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
    from tokaudit.engine.check import all_checks, matches

    checks = all_checks()
    if options.id is not None:
        from tokaudit.api.settings import names
        from tokaudit.cli.check_page import section

        (asked,) = names("ID", [options.id], checks)
        say("\n\n".join(section(check) for check in checks if matches(check.id, (asked,))) + "\n")
        return 0
    width = max(len(check.id) for check in checks)
    say("".join(f"{each.id:{width}}  {each.severity:7}  {each.title}\n" for each in checks))
    return 0
