"""`tokaudit report report.json`: render a report again, without the subject."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The report, and the format and place of the new rendering."""
    parser.add_argument("report", type=Path, metavar="REPORT.JSON")
    parser.add_argument(
        "--format", metavar="NAME", help="how to write the report, whatever the suffix of --out"
    )
    parser.add_argument("--out", action="append", default=[], type=Path, metavar="FILE")


def run(options: argparse.Namespace) -> int:
    """Read and deliver."""
    from tokaudit.cli.output import deliver, writer_for
    from tokaudit.report.reading import decode_report
    from tokaudit.subject.material import SourceFile, read_bytes

    for out in options.out or [None]:
        writer_for(options.format, out)  # a wrong name ends here, before the work
    path = options.report
    data = read_bytes(SourceFile(str(path), path, 0, "report"))
    deliver(decode_report(data, str(path)), options.format, options.out)
    return 0
