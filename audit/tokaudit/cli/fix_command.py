"""`tokaudit fix SUBJECT`: a patch of what a program can repair, or a repaired copy."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from tokaudit.cli.options.settings import given
from tokaudit.cli.options.shared import add_quiet, add_subject

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokaudit.products.fix.fixed import Fixed

EXAMPLES = """\
examples:
  tokaudit fix path/to/checkpoint --dry-run > repair.patch
  tokaudit fix path/to/checkpoint --base path/to/base --out path/to/repaired
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of a repair: its subject, how it is audited, and where the copy goes."""
    from tokaudit.products.fix.settings import FixSettings

    add_subject(parser, FixSettings)
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="print the repair as a patch, which `patch -p1` applies in the tokenizer's folder "
        "(default: print the patch, unless --out is given)",
    )
    add_quiet(parser)


def run(options: argparse.Namespace) -> int:
    """Repair; return 0 if the copy passes, 1 if errors remain, 3 if it is unverifiable."""
    from tokaudit.cli.terminal.streams import note, say, written
    from tokaudit.foundation.errors import UsageError
    from tokaudit.foundation.settings.setting import values
    from tokaudit.products.fix.fixing import fix
    from tokaudit.products.fix.settings import FixSettings
    from tokaudit.report.visible import visible

    if options.dry_run and options.out:
        raise UsageError("--dry-run writes nothing; leave out either --dry-run or --out")
    done = fix(options.subject, **values(given(options, FixSettings)))
    code = done.exit_code
    if done.written is None:
        code = written(code, lambda: say(done.patch))
    if not options.quiet:
        note("".join(f"{visible(line)}\n" for line in _lines(done)))
    return code


def _lines(done: Fixed) -> Iterator[str]:
    """Yield the repaired, remaining and new findings, with reasons."""
    from tokaudit.products.fix.fixed import why_left

    for finding in done.repaired:
        yield f"{'fixed':7} {finding.check}: {finding.message}"
    new = set(map(id, done.new))
    for finding in done.left:
        yield f"{'new' if id(finding) in new else 'left':7} {finding.check}: {finding.message}"
        yield f"        {why_left(finding)}"
    yield from (f"refused {each}" for each in done.refused)
    if done.circles:
        yield "stopped: the repairs of two findings undo each other"
    what = "written to" if done.changes else "an unchanged copy is in"
    where = f"; {what} {done.written}" if done.written else ""
    changes = "1 change" if len(done.changes) == 1 else f"{len(done.changes):,} changes"
    if not done.changes:
        changes += ": a program can repair nothing" if done.left else ": nothing to repair"
    yield f"{done.after.verdict.upper()} after {changes}{where}"
