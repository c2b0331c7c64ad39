"""`tokaudit compare A B [C ...]`: what two or more tokenizers are to each other."""

from __future__ import annotations

import argparse
import sys

from tokaudit.cli.subject_arguments import SUBJECT_HELP, specials
from tokaudit.report.model import Verdict
from tokaudit.report.writer import DEFAULT, writer_for

EXIT = {Verdict.PASS: 0, Verdict.FAIL: 1, Verdict.UNVERIFIABLE: 3}
EXAMPLES = """\
examples:
  tokaudit compare path/to/base path/to/finetuned
  tokaudit compare path/to/a path/to/b --out comparison.html --out comparison.json
  tokaudit compare path/to/a path/to/b path/to/c --tier quick
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The tokenizers, how much text is drawn, and where the report goes."""
    parser.add_argument("subject", metavar="A", help=SUBJECT_HELP)
    parser.add_argument("others", metavar="B", nargs="+", help="what A is compared with")
    parser.add_argument(
        "--pattern",
        metavar="REGEX",
        help="the split pattern of bare rank files (default: what is known of the file)",
    )
    parser.add_argument(
        "--special",
        action="append",
        default=[],
        metavar="TOKEN=ID",
        help="a special token of bare rank files; may be given again (default: none)",
    )
    parser.add_argument(
        "--tier",
        default="default",
        metavar="TIER",
        help="how much text is drawn: quick, default or full (default: default)",
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="what sampling starts from (default: 0)"
    )
    parser.add_argument(
        "--out",
        action="append",
        default=[],
        metavar="FILE",
        help="write the report in the format of the suffix; may be given again (default: stdout)",
    )
    parser.add_argument(
        "--format",
        metavar="NAME",
        help="how to write the report (default: what the suffix of --out says, else terminal)",
    )
    parser.add_argument(
        "--quiet", action="store_true", help="no summary on stderr (default: it is printed)"
    )


def run(options: argparse.Namespace) -> int:
    """Compare, deliver, summarise; the exit code is that of the verdict."""
    from tokaudit.api.comparing import compare
    from tokaudit.cli.output import plan

    planned = plan(options.out, options.format, None, [options.subject, *options.others])
    report = compare(
        options.subject,
        *options.others,
        tier=options.tier,
        seed=options.seed,
        pattern=options.pattern,
        special=specials(options.special),
    )
    planned.deliver(report)
    if not options.quiet and (options.out or options.format not in (None, DEFAULT)):
        sys.stderr.write(writer_for(DEFAULT, None).write(report))
    return EXIT[report.verdict]
