"""`tokaudit gate`: everything that the configuration asks, and one exit code."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from typing import TYPE_CHECKING

from tokaudit.cli.options.settings import add_settings, given
from tokaudit.cli.options.shared import add_color, add_outputs, add_quiet, refuse_outputs
from tokaudit.report.model import Severity
from tokaudit.report.visible import visible, width

if TYPE_CHECKING:
    from tokaudit.cli.terminal.output import Plan
    from tokaudit.products.gate.configuration import Configuration
    from tokaudit.products.gate.gating import Gate
    from tokaudit.report.report import Report

EXAMPLES = """\
examples:
  tokaudit gate
  tokaudit gate --config ci/tokaudit.toml --out result.sarif --out summary.md
  tokaudit gate --update-baseline
  tokaudit gate --init
  tokaudit gate --accept "retrained on the cleaned corpus"
"""
HEAD = ("subject", "verdict", "errors", "warnings", "suppressed", "manifest", "compare")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the configuration, recording options, and the outputs."""
    from tokaudit.products.gate.settings import GateSettings

    add_settings(parser, GateSettings)
    parser.add_argument(
        "--init",
        action="store_true",
        help="write a new tokaudit.toml that lists the tokenizers in and below the working folder "
        "(default: use the existing tokaudit.toml)",
    )
    add_outputs(
        parser, "write an HTML page and JSON data of all tokenizers into this folder (DIR/)"
    )
    add_quiet(parser, "table")
    add_color(parser)


def run(options: argparse.Namespace) -> int:
    """Gate, print the table, deliver, and return the common exit code."""
    from tokaudit.cli.terminal.delivery import summarised
    from tokaudit.cli.terminal.progress import Progress
    from tokaudit.cli.terminal.streams import note, written
    from tokaudit.foundation.settings.setting import values
    from tokaudit.products.gate.gating import gate
    from tokaudit.products.gate.settings import GateSettings

    if options.init:
        return _begin(options)
    asked = given(options, GateSettings)
    with ExitStack() as stack, Progress(options.quiet, "opening", options.color) as progress:
        outputs = _Outputs(options, stack)
        found = gate(**values(asked), on_read=outputs.plan, on_result=progress.result)
    if not options.quiet:
        note(table(found))
    code = written(found.exit_code, lambda: outputs.planned.deliver(found.report))
    if asked.update_baseline and not found.recorded:
        note(f"{outputs.baseline}: not recorded, because not every subject could be decided\n")
    summarised(found.report, options, code, found.fail_on)
    return code


class _Outputs:
    """Outputs of the report, planned as soon as the inputs are known."""

    planned: Plan
    baseline: str | None

    def __init__(self, options: argparse.Namespace, stack: ExitStack) -> None:
        self._options, self._stack = options, stack

    def plan(self, configured: Configuration) -> None:
        """Refuse outputs that would replace an input; report any later refusal."""
        from tokaudit.cli.terminal.delivery import planned
        from tokaudit.cli.terminal.refusal import reported

        self.baseline = configured.baseline
        self.planned = planned(self._options, [*configured.inputs()])
        self._stack.enter_context(reported(self.planned, configured.file, "gate/configuration"))


def _begin(options: argparse.Namespace) -> int:
    """Write the first configuration, and print the next steps."""
    from pathlib import Path

    from tokaudit.cli.terminal.streams import note
    from tokaudit.foundation.errors import UsageError
    from tokaudit.products.gate.first_configuration import first_configuration

    if options.config or options.accept or options.update_baseline:
        raise UsageError("--init only writes a configuration; leave out the other options")
    refuse_outputs(options, "gate --init")
    written, names = first_configuration(Path())
    if not options.quiet:
        note(f"{written}: names {', '.join(names)}\n")
        note('record their manifests: tokaudit gate --accept "first record"\n')
    return 0


def table(found: Gate) -> str:
    """Format one line for each subject."""
    rows: list[tuple[str, ...]] = [HEAD]
    for each in found.subjects:
        report = each.report
        causes = [each.severity for each in report.causes]
        counts = [causes.count(Severity.ERROR), causes.count(Severity.WARNING)]
        rows.append(
            (
                visible(each.name),
                "unreadable" if each.unreadable else str(report.verdict),
                *map(str, counts),
                str(len(report.suppressed)),
                _status(report, "gate/manifest"),
                _status(report, "gate/compare"),
            )
        )
    widths = [max(width(row[at]) for row in rows) for at in range(len(HEAD))]
    lines = ["  ".join(map(_padded, row, widths)).rstrip() for row in rows]
    return "".join(f"{line}\n" for line in lines)


def _padded(text: str, most: int) -> str:
    return text + " " * (most - width(text))


def _status(report: Report, check: str) -> str:
    """Return a subject's status in one part of the gate; a dash if it did not run."""
    return next((str(each.status) for each in report.results if each.check == check), "-")
