"""Where the report of a command goes, by the options that all commands with reports have."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from tokaudit.cli.terminal.look import summarise
from tokaudit.cli.terminal.output import EXIT, Plan, plan
from tokaudit.cli.terminal.streams import complain, note
from tokaudit.report.report import Report
from tokaudit.report.writer import DEFAULT

WHY = {
    0: "--fail-on {}",
    1: "findings at or above {}",
    3: "a subject cannot be read",
    4: "a check crashed",
}


def planned(
    options: argparse.Namespace, inputs: Sequence[str | None], manifest: str | None = None
) -> Plan:
    """Plan which file gets which output; raise `UsageError` for what cannot be written."""
    return plan(
        options.out,
        options.format,
        manifest,
        inputs,
        options.color,
        measurements=options.measurements,
    )


def say_unprotected(report: Report) -> None:
    """Say on stderr what this platform lacks to confine workers, whatever is printed."""
    if report.unprotected:
        complain(f"not protected, as this platform lacks: {report.unprotected}", 0)


def summarised(
    report: Report, options: argparse.Namespace, code: int | None = None, fail_on: str = ""
) -> None:
    """Say the summary, unless nobody wants it or what is printed has it.

    An exit `code` that is not the verdict's has its reason after it.
    """
    say_unprotected(report)
    if options.quiet:
        return
    if options.out or options.format not in (None, DEFAULT):
        summarise(report, options.color)
    if code in WHY and code != EXIT[report.verdict]:
        note(f"exit code {code}: {WHY[code].format(fail_on)}\n")
