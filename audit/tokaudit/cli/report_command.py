"""`tokaudit report report.json`: render a report again, without the subject."""

from __future__ import annotations

import argparse
from pathlib import Path

EXAMPLES = """\
examples:
  tokaudit report report.json
  tokaudit report report.json --out report.html
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The report, and the format and place of the new rendering."""
    parser.add_argument("report", metavar="REPORT.JSON", help="a file that tokaudit audit wrote")
    parser.add_argument(
        "--format",
        metavar="NAME",
        help="how to write the report (default: what the suffix of --out says, else terminal)",
    )
    parser.add_argument(
        "--out",
        action="append",
        default=[],
        metavar="FILE",
        help="write it in the format of the suffix; may be given again (default: stdout)",
    )


def run(options: argparse.Namespace) -> int:
    """Read and deliver."""
    from tokaudit.cli.output import plan
    from tokaudit.report.reading import decode_report
    from tokaudit.subject.material import SourceFile, read_bytes

    planned = plan(options.out, options.format, inputs=[options.report])
    data = read_bytes(SourceFile(options.report, Path(options.report), 0, "report"))
    planned.deliver(decode_report(data, options.report))
    return 0
