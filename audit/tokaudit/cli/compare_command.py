"""`tokaudit compare A B [C ...]`: what two or more tokenizers are to each other."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from tokaudit.cli.compare_templates import compare_templates
from tokaudit.cli.subject_arguments import (
    SUBJECT_HELP,
    add_color,
    add_conversations,
    add_file,
    files,
    specials,
)
from tokaudit.foundation.errors import UsageError
from tokaudit.report.comparison import Purpose, Relation
from tokaudit.report.model import Verdict
from tokaudit.report.writer import DEFAULT

if TYPE_CHECKING:
    from tokaudit.comparison.facets.recheck import Rechecked

EXIT = {Verdict.PASS: 0, Verdict.FAIL: 1, Verdict.UNVERIFIABLE: 3}
EXAMPLES = """\
examples:
  tokaudit compare path/to/base path/to/finetuned
  tokaudit compare path/to/a path/to/b --out comparison.html --out comparison.json
  tokaudit compare path/to/a path/to/b path/to/c --tier quick --timeout 120
  tokaudit compare path/to/target path/to/draft --for speculative
  tokaudit compare --recheck comparison.json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The tokenizers, what for, how much text is drawn, and where the report goes."""
    parser.add_argument("subjects", metavar="A B", nargs="*", help=SUBJECT_HELP)
    parser.add_argument(
        "--for",
        dest="purpose",
        metavar="PURPOSE",
        help=f"judge by who would break: {', '.join(Purpose)} (default: any difference counts)",
    )
    parser.add_argument(
        "--template",
        action="store_true",
        help="compare what the chat templates of A and B render (default: the tokenizers)",
    )
    add_conversations(parser)
    add_color(parser)
    parser.add_argument(
        "--recheck",
        metavar="REPORT",
        help="check a report.json again: proofs, texts and what was searched (default: compare)",
    )
    parser.add_argument(
        "--write-map",
        metavar="FILE",
        help="write the map of ids where the same tokens have other ids (default: none)",
    )
    parser.add_argument(
        "--corpus",
        action="append",
        default=[],
        metavar="FILE",
        help="compare these documents too: lines of text, JSON lines, Parquet; may be given again "
        "(default: none)",
    )
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
    add_file(parser)
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
        "--timeout",
        type=float,
        metavar="SECONDS",
        help="leave what is not reached by then, each pair of more than two in its share "
        "(default: 240, 1800 or 14400, by tier)",
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
        "--quiet", action="store_true", help="no progress or summary on stderr (default: both)"
    )


def run(options: argparse.Namespace) -> int:
    """Compare, deliver, summarise; the exit code is that of the verdict."""
    if options.recheck is not None:
        return _recheck(options)
    if len(options.subjects) < 2:
        raise UsageError("compare takes two tokenizers or more, or --recheck REPORT")
    if options.conversations and not options.template:
        raise UsageError("compare --conversations needs --template")
    from tokaudit.api.comparing import compare
    from tokaudit.cli.look import summarise
    from tokaudit.cli.output import plan
    from tokaudit.cli.progress import Progress
    from tokaudit.cli.streams import note

    planned = plan(
        options.out,
        options.format,
        inputs=[*options.subjects, *options.corpus],
        color=options.color,
    )
    if options.template:
        report = compare_templates(options)
        planned.deliver(report)
        return EXIT[report.verdict]
    with Progress(options.quiet, "opening", options.color) as progress:
        report = compare(
            *options.subjects,
            purpose=options.purpose,
            write_map=options.write_map,
            corpus=options.corpus,
            tier=options.tier,
            seed=options.seed,
            pattern=options.pattern,
            special=specials(options.special),
            files=files(options.file),
            timeout=options.timeout,
            on_pair=progress.step,
        )
    planned.deliver(report)
    if options.write_map and report.comparison and report.comparison.relation not in MAPPED:
        note(f"{options.write_map}: not written; the relation is {report.comparison.relation}\n")
    if not options.quiet and (options.out or options.format not in (None, DEFAULT)):
        summarise(report, options.color)
    return EXIT[report.verdict]


MAPPED = (Relation.REMAPPED,)


def _recheck(options: argparse.Namespace) -> int:
    """1 where a claim is refused, else 3 where one was not checked, else 0; each is a line."""
    from tokaudit.api.rechecking import recheck
    from tokaudit.cli.streams import note, say, written
    from tokaudit.report.visible import visible

    claims = recheck(
        options.recheck,
        *options.subjects,
        pattern=options.pattern,
        special=specials(options.special),
        files=files(options.file),
    )
    refused = [claim for claim in claims if claim.objection]
    unchecked = [claim for claim in claims if claim.unchecked]
    lines = [visible(_line(claim)) for claim in claims]
    code = written(
        1 if refused else 3 if unchecked else 0, lambda: say("".join(f"{line}\n" for line in lines))
    )
    if not options.quiet:
        counted = f"{len(refused)} of {len(claims)} claims refused, {len(unchecked)} not checked"
        note(f"{counted}\n")
    return code


def _line(claim: Rechecked) -> str:
    if claim.objection:
        return f"refused: {claim.claim}: {claim.objection}"
    if claim.unchecked:
        return f"not checked: {claim.claim}: {claim.unchecked}"
    return f"holds: {claim.claim}"
