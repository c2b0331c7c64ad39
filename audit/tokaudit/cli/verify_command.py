"""`tokaudit verify SUBJECT MANIFEST`: derive the manifest anew and explain any drift."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tokaudit.cli.options.settings import add_settings, given
from tokaudit.cli.options.shared import SUBJECT_HELP, add_color, add_quiet
from tokaudit.engine.settings.settings import VerifySettings, WithOriginal
from tokaudit.foundation.settings.setting import values

if TYPE_CHECKING:
    from tokaudit.products.gate.manifests import Drift, Drifts
    from tokaudit.report.report import Report

EXAMPLES = """\
examples:
  tokaudit verify path/to/checkpoint manifest.json
  tokaudit verify path/to/checkpoint manifest.json --base path/to/what/it/was
  tokaudit verify path/to/checkpoint manifest.json --key public.pem
  tokaudit verify path/to/checkpoint manifest.json --exact
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subject and the manifest that it should still match."""
    parser.add_argument("subject", metavar="SUBJECT", help=SUBJECT_HELP)
    parser.add_argument(
        "manifest", metavar="MANIFEST", help="a manifest that `tokaudit manifest` wrote"
    )
    add_settings(parser, VerifySettings)
    add_quiet(parser)
    add_color(parser)
    add_settings(parser, WithOriginal)


def run(options: argparse.Namespace) -> int:
    """Print each difference; return 1 if a gated one exists, else 0.

    2 where nothing has, but the manifest was made with another table of Unicode.
    """
    from tokaudit.cli.terminal.streams import note, say, written
    from tokaudit.products.gate.manifests import VerifyCall, verify
    from tokaudit.report.visible import visible

    asked = given(options, VerifyCall)
    drifts = verify(options.subject, options.manifest, **values(asked))
    gated = drifts.gated
    shown = "".join(f"{line}\n" for drift in drifts for line in _lines(drift))
    if drifts.comparison is not None:
        shown += _shown(drifts.comparison, options.color)
    elif any(d.kind == "identity" for d in gated) and not any(d.evidence for d in gated):
        shown += "the ids of no probe differ; --base OLD compares in full\n"
    code = written(1 if gated else 2 if drifts.other_table else 0, lambda: say(shown))
    if not options.quiet:
        note(f"{_verdict(visible(options.subject), drifts)}\n")
    return code


def _verdict(subject: str, drifts: Drifts) -> str:
    """Return the last line: pass, fail or unverifiable, in the form of reports."""
    if n := len(drifts.gated):
        return f"FAIL  {subject}: {n} recorded value{'' if n == 1 else 's'} drifted"
    if drifts.other_table:
        return (
            f"UNVERIFIABLE  {subject}: the manifest was made with another table of Unicode "
            f"({drifts.other_table}): short id and cuts are not compared, all else is equal; "
            "write the manifest again"
        )
    anew = any(drift.kind == "written" for drift in drifts)
    return f"PASS  {subject}: {'written differently, proved the same: ' * anew}no drift"


def _lines(drift: Drift) -> Iterator[str]:
    """Yield the difference in one line, with stated values and a text below it."""
    from tokaudit.report.visible import visible

    yield str(drift)
    for change in drift.changes:
        yield visible(f"  {change}")
    found = drift.evidence
    if found is not None:
        yield visible(f"  the first text whose ids changed: {found.text!r}")
        for label, row in (("was", found.expected), ("is", found.actual)):
            tokens = " ".join(f"{token.piece!r} ({token.id})" for token in row)
            yield visible(f"    {label}: {tokens}")


def _shown(comparison: Report, color: str) -> str:
    """Format the full comparison with the manifest's original."""
    from tokaudit.cli.terminal.look import look
    from tokaudit.engine.rendering import render

    return render(comparison, look=look(sys.stdout, color))
