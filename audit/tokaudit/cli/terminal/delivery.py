"""Delivery of a command's report, by the common output options."""

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
    """Plan the output of each file; raise `UsageError` for an unwritable one."""
    return plan(
        options.out,
        options.format,
        manifest,
        inputs,
        options.color,
        measurements=options.measurements,
    )


def say_unprotected(report: Report) -> None:
    """Warn on stderr about worker protections that this platform lacks."""
    if report.unprotected:
        complain(f"not protected, as this platform lacks: {report.unprotected}", 0)


def summarised(
    report: Report, options: argparse.Namespace, code: int | None = None, fail_on: str = ""
) -> None:
    """Print the summary, unless unwanted or already part of the output.

    An exit `code` that is not the verdict's has its reason after it.
    """
    say_unprotected(report)
    if options.quiet:
        return
    if options.out or options.format not in (None, DEFAULT):
        summarise(report, options.color)
    if code in WHY and code != EXIT[report.verdict]:
        note(f"exit code {code}: {WHY[code].format(fail_on)}\n")
