"""Shared command arguments that are not settings of a function."""

from __future__ import annotations

import argparse

from tokaudit.cli.options.settings import add_settings, grouped
from tokaudit.foundation.errors import UsageError

SUBJECT_FORMS = (
    "a folder or file, pkg:PACKAGE[/PATH] for a Python package, hf:ORG/NAME[@REVISION] from the "
    "local cache, or tiktoken:NAME if it is cached"
)
SUBJECT_HELP = f"the tokenizer to read: {SUBJECT_FORMS}"
OUTPUT = "output"
WHEN = ("auto", "always", "never")


def add_subject(parser: argparse.ArgumentParser, how: type) -> None:
    """Add SUBJECT, and the settings to open it with."""
    parser.add_argument("subject", metavar="SUBJECT", help=SUBJECT_HELP)
    add_settings(parser, how)


def add_quiet(parser: argparse.ArgumentParser, summary: str = "summary") -> None:
    """Add the option for less output."""
    grouped(parser, OUTPUT).add_argument(
        "--quiet",
        action="store_true",
        help=f"print no progress and no {summary} on stderr (default: print both)",
    )


def add_outputs(parser: argparse.ArgumentParser, folder: str = "") -> None:
    """Add the outputs of a report and their formats; `folder` describes a folder output."""
    output = grouped(parser, OUTPUT)
    output.add_argument(
        "--out",
        "-o",
        action="append",
        default=[],
        metavar="FILE|DIR/" if folder else "FILE",
        help="write the report to this file, in the format of the file's suffix"
        f"{folder and ', or ' + folder}; may be given again (default: stdout)",
    )
    output.add_argument(
        "--format",
        metavar="NAME",
        help="format of the report, such as json or html (default: by the suffix of the --out "
        "file, else terminal)",
    )
    output.add_argument(
        "--measurements",
        action="store_true",
        help="also print measured figures in the terminal (default: only reports in files contain "
        "the measured figures)",
    )


def refuse_outputs(options: argparse.Namespace, what: str) -> None:
    """Raise `UsageError` for an output or format if there is no report."""
    if options.out or options.format:
        raise UsageError(f"{what} writes no report; leave out --out and --format")


def add_color(parser: argparse.ArgumentParser) -> None:
    """Add the option for colour."""
    grouped(parser, OUTPUT).add_argument(
        "--color",
        choices=WHEN,
        default=WHEN[0],
        help="whether to colour the output; auto colours on a terminal unless the variable "
        "NO_COLOR is set, and elsewhere only if FORCE_COLOR is set (default: auto)",
    )
