"""`tokaudit audit SUBJECT`: run the checks and report."""

from __future__ import annotations

import argparse

from tokaudit.cli.options.one_line import OneLineParser
from tokaudit.cli.options.settings import add_settings, given, grouped, refuse_unused
from tokaudit.cli.options.shared import OUTPUT, add_color, add_outputs, add_quiet, add_subject
from tokaudit.engine.options import WithRuntimes
from tokaudit.engine.pieces import Pieces
from tokaudit.engine.settings.data import WithData
from tokaudit.engine.settings.settings import AuditSettings, Failing, Hashing

EXAMPLES = """\
examples:
  tokaudit audit path/to/checkpoint
  tokaudit audit path/to/checkpoint --base path/to/base --require embeddings
  tokaudit audit path/to/draft --base path/to/target --use speculative
  tokaudit audit path/to/checkpoint --select vocab,merges/order --tier quick
  tokaudit audit pkg:package --out report.html --out report.json
  tokaudit audit path/to/checkpoint --out reports/
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of an audit: subject, other side, checks, and where the report goes."""
    if isinstance(parser, OneLineParser):
        parser.two_names = "; audit takes one subject; compare two with tokaudit compare A B"
        parser.elsewhere = {
            WithData.GROUP: "data",
            Pieces.GROUP: "data",
            WithRuntimes.GROUP: "runtimes",
        }
    add_subject(parser, AuditSettings)
    add_outputs(parser, "write an HTML page, JSON data and a manifest into this folder (DIR/)")
    grouped(parser, OUTPUT).add_argument(
        "--manifest",
        metavar="FILE",
        help="also write a manifest, with a digest of each part of the tokenizer, to FILE "
        "(default: no manifest is written)",
    )
    add_settings(parser, Hashing)
    add_settings(parser, Failing)
    add_quiet(parser)
    add_color(parser)


def run(options: argparse.Namespace) -> int:
    """Audit, deliver, summarise; return the exit code."""
    from tokaudit.cli.terminal.delivery import planned, summarised
    from tokaudit.cli.terminal.progress import Progress
    from tokaudit.cli.terminal.refusal import reported
    from tokaudit.cli.terminal.streams import written
    from tokaudit.products.audit.auditing import audited

    inputs = [options.subject, options.base, options.against, *options.corpus]
    inputs += [options.conversations] if options.conversations else []
    outputs = planned(options, inputs, options.manifest)
    if not outputs.manifests:
        refuse_unused(options, Hashing, (), "needs --manifest FILE, or --out with a folder")
    manifest = given(options, Hashing) if outputs.manifests else None
    asked = given(options, AuditSettings)
    with (
        reported(outputs, options.subject, "audit/subject"),
        Progress(options.quiet, "opening", options.color) as progress,
    ):
        done = audited(options.subject, asked, manifest, progress.result, progress.part)
    code = written(
        done.exit_code(options.fail_on), lambda: outputs.deliver(done.report, done.statement)
    )
    summarised(done.report, options, code, options.fail_on)
    return code
