"""`tokaudit report report.json`: render a report again, or say what changed between two."""

from __future__ import annotations

import argparse

from tokaudit.cli.options.shared import add_color, add_outputs
from tokaudit.foundation.errors import UsageError

EXAMPLES = """\
examples:
  tokaudit report report.json
  tokaudit report report.json --out report.html
  tokaudit report --diff last-week.json report.json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the report, and the format and place of the new rendering."""
    parser.add_argument(
        "report",
        metavar="REPORT.JSON",
        nargs="?",
        help="a report that tokaudit wrote in JSON format",
    )
    parser.add_argument(
        "--diff",
        nargs=2,
        metavar=("OLD.JSON", "NEW.JSON"),
        help="compare two reports: print which findings are new, worse, gone, unchanged or not "
        "examined again; exit with code 1 if a finding is new or worse (default: render one "
        "report)",
    )
    add_outputs(parser)
    add_color(parser)


def run(options: argparse.Namespace) -> int:
    """Render it into each output."""
    if options.diff is not None:
        return _difference(options)
    if options.report is None:
        raise UsageError("report: name a file REPORT.JSON, or give --diff OLD.JSON NEW.JSON")
    from tokaudit.cli.terminal.delivery import planned

    planned(options, [options.report]).deliver(options.report)
    return 0


def _difference(options: argparse.Namespace) -> int:
    if options.report is not None or options.out or options.format:
        raise UsageError(
            "report --diff compares two reports and writes no file; leave out --out, --format and "
            "any third report"
        )
    from tokaudit.cli.terminal.streams import say, written
    from tokaudit.products.gate.differences.difference import difference, lines
    from tokaudit.report.visible import visible

    found = difference(*options.diff)
    shown = "".join(f"{visible(line)}\n" for line in lines(found))
    return written(found.exit_code, lambda: say(shown))
