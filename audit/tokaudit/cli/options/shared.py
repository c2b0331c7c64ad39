"""The arguments that commands share and that are no settings of a function."""

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
    """SUBJECT, and the settings by which a command opens it and runs."""
    parser.add_argument("subject", metavar="SUBJECT", help=SUBJECT_HELP)
    add_settings(parser, how)


def add_quiet(parser: argparse.ArgumentParser, summary: str = "summary") -> None:
    """Return how much is said on the way."""
    grouped(parser, OUTPUT).add_argument(
        "--quiet",
        action="store_true",
        help=f"print no progress and no {summary} on stderr (default: print both)",
    )


def add_outputs(parser: argparse.ArgumentParser, folder: str = "") -> None:
    """Where a report goes, and in which format; `folder` is what one takes, where one is taken."""
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
    """Raise `UsageError` where a place or a format is given for what has no report."""
    if options.out or options.format:
        raise UsageError(f"{what} writes no report; leave out --out and --format")


def add_color(parser: argparse.ArgumentParser) -> None:
    """Return whether what is printed is coloured."""
    grouped(parser, OUTPUT).add_argument(
        "--color",
        choices=WHEN,
        default=WHEN[0],
        help="whether to colour the output; auto colours on a terminal unless the variable "
        "NO_COLOR is set, and elsewhere only if FORCE_COLOR is set (default: auto)",
    )
