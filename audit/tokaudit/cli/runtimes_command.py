"""`tokaudit runtimes SUBJECT`: what runtimes make of a tokenizer, next to what its file says."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from tokaudit.cli.options.settings import add_settings, given
from tokaudit.cli.options.shared import SUBJECT_HELP, add_color, add_outputs, add_quiet

if TYPE_CHECKING:
    from tokaudit.report.report import Report

EXAMPLES = """\
examples:
  tokaudit runtimes path/to/checkpoint
  tokaudit runtimes path/to/checkpoint --runtime fastokens --runtime transformers@venv/bin/python
  tokaudit runtimes path/to/checkpoint --runtime http://127.0.0.1:8000 --corpus mine.jsonl
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subject, the runtimes, the amount of text, and the outputs."""
    from tokaudit.products.engines.runtimes import RuntimesSettings

    parser.add_argument("subject", metavar="SUBJECT", help=SUBJECT_HELP)
    add_settings(parser, RuntimesSettings)
    add_outputs(parser)
    add_quiet(parser)
    add_color(parser)


def run(options: argparse.Namespace) -> int:
    """Run every runtime, deliver, summarise; return the verdict's exit code."""
    from tokaudit.cli.terminal.delivery import planned, summarised
    from tokaudit.cli.terminal.refusal import reported

    outputs = planned(options, [options.subject, *options.corpus])
    with reported(outputs, options.subject, "runtimes/subject"):
        report = _compared(options)
    code = outputs.ended(report)
    summarised(report, options)
    return code


def _compared(options: argparse.Namespace) -> Report:
    from tokaudit.cli.terminal.progress import Progress
    from tokaudit.products.engines.runtimes import RuntimesSettings, compared_runtimes

    with Progress(options.quiet, "opening", options.color) as progress:
        asked = given(options, RuntimesSettings)
        return compared_runtimes(options.subject, asked, progress.step)
