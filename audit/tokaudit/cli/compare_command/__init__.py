"""`tokaudit compare A B [C ...]`: what two or more tokenizers are to each other."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from tokaudit.cli.options.settings import add_settings, given, refuse_unused
from tokaudit.cli.options.shared import (
    SUBJECT_FORMS,
    add_color,
    add_outputs,
    add_quiet,
    refuse_outputs,
)
from tokaudit.engine.settings.settings import BareFiles, CompareSettings, WithChats
from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.settings.setting import values
from tokaudit.report.comparison import Relation
from tokaudit.report.report import Report

if TYPE_CHECKING:
    from tokaudit.products.compare.api.rechecking import Rechecked
    from tokaudit.report.report import Report

EXAMPLES = """\
examples:
  tokaudit compare path/to/base path/to/finetuned
  tokaudit compare path/to/a path/to/b --out comparison.html --out comparison.json
  tokaudit compare path/to/a path/to/b path/to/c --tier quick --timeout 120
  tokaudit compare path/to/target path/to/draft --for speculative
  tokaudit compare gpt2 mine --for replacing --corpus held-out.txt --out which.html
  tokaudit compare --recheck comparison.json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the tokenizers, the purpose, the amount of text, and the outputs."""
    parser.add_argument(
        "subjects", metavar="A B", nargs="*", help=f"the tokenizers to compare: {SUBJECT_FORMS}"
    )
    add_settings(parser, CompareSettings)
    parser.add_argument(
        "--template",
        action="store_true",
        help="compare the chats that the chat templates of A and B render (default: compare the "
        "tokenizers)",
    )
    add_settings(parser, WithChats)
    parser.add_argument(
        "--recheck",
        metavar="REPORT",
        help="check the proofs, differing texts and searches in this report.json again (default: "
        "compare tokenizers)",
    )
    add_outputs(parser)
    add_quiet(parser)
    add_color(parser)


def run(options: argparse.Namespace) -> int:
    """Compare, deliver, summarise; return the verdict's exit code."""
    if options.recheck is not None:
        return _recheck(options)
    if len(options.subjects) < 2:
        raise UsageError("compare: name two tokenizers or more, or give --recheck REPORT")
    if options.conversations and not options.template:
        raise UsageError("compare --conversations works only with --template")
    from tokaudit.cli.terminal.delivery import planned, summarised
    from tokaudit.cli.terminal.refusal import reported
    from tokaudit.cli.terminal.streams import note

    options.measurements = options.measurements or options.template
    outputs = planned(options, [*options.subjects, *options.corpus])
    with reported(outputs, " and ".join(options.subjects), "compare/subjects"):
        report = _compare_templates(options) if options.template else _compared(options)
    code = outputs.ended(report)
    if options.template:
        return code
    if options.write_map and report.comparison and report.comparison.relation not in MAPPED:
        relation = report.comparison.relation
        why = f"a map of ids needs tokenizers that are remapped, and these are {relation}"
        note(f"{options.write_map}: not written; {why}\n")
    summarised(report, options)
    return code


def _compared(options: argparse.Namespace) -> Report:
    """Compare the tokenizers themselves."""
    from tokaudit.cli.terminal.progress import Progress
    from tokaudit.products.compare.api.tokenizers import compared

    with Progress(options.quiet, "opening", options.color, rate=True) as progress:
        settings = given(options, CompareSettings)
        return compared(options.subjects, settings, progress.step, progress.answer)


MAPPED = (Relation.REMAPPED,)


def _recheck(options: argparse.Namespace) -> int:
    """Print each rechecked claim; return 1 for a refused one, 3 for an unchecked one, else 0."""
    from tokaudit.cli.terminal.streams import note, say, written
    from tokaudit.products.compare.api.rechecking import recheck
    from tokaudit.report.visible import visible

    refuse_unused(options, CompareSettings, (BareFiles,), "has no meaning with --recheck")
    refuse_unused(options, WithChats, (), "has no meaning with --recheck")
    refuse_outputs(options, "compare --recheck")
    bare = values(given(options, BareFiles))
    claims = recheck(options.recheck, *options.subjects, **bare)
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


def _compare_templates(options: argparse.Namespace) -> Report:
    """Compare both templates, with A as subject and B as base."""
    if len(options.subjects) != 2:
        raise UsageError("compare --template: name exactly two tokenizers or templates")
    from tokaudit.cli.options.settings import given, refuse_unused
    from tokaudit.products.audit.compared_templates import LOOKED_AT, compared_templates

    refuse_unused(options, CompareSettings, LOOKED_AT, "has no meaning with --template")

    one, other = options.subjects
    asked, conversations = given(options, CompareSettings), given(options, WithChats)
    return compared_templates(one, other, asked, conversations)
