"""Lines of `tokaudit train` about the folders written, and their audits."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from heapq import nlargest
from typing import TYPE_CHECKING

from tokaudit.cli.terminal.streams import note, say, written
from tokaudit.engine.settings.settings import Failing
from tokaudit.report.visible import visible

if TYPE_CHECKING:
    from tokaudit.cli.terminal.output import Plan
    from tokaudit.products.audit.auditing import Audited
    from tokaudit.products.train.folder_trained import TrainedFolder
    from tokaudit.products.train.training_run import AuditedFolder
    from tokaudit.report.report import Report

LONGEST = 3  # entries that are shown


def finished(
    made: Sequence[AuditedFolder], planned: Plan | None, options: argparse.Namespace
) -> int:
    """Print each folder's content and audit; return the first failing exit code."""
    from tokaudit.products.train.trainers.learned import merge_lines

    codes = []
    for each in made:
        if not options.quiet:
            note("".join(f"{visible(line)}\n" for line in _lines(each.made)))
        if each.audit is not None:
            codes.append(_delivered(each.audit, planned, quiet=options.quiet))
    if options.merges:
        merges = max((each.made for each in made), key=lambda one: one.entries).merges
        lines = "".join(f"{visible(line)}\n" for line in merge_lines(merges))
        codes.append(written(0, lambda: say(lines)))
    return next(filter(None, codes), 0)


def _lines(made: TrainedFolder) -> Iterator[str]:
    """Yield the folder with its entries, its last and longest merges, and held-out text."""
    from tokaudit.products.train.trainers.learned import quoted

    short = made.asked - made.entries
    why = f" ({short:,} fewer than asked: nothing is left to merge)" if short > 0 else ""
    yield f"{made.path}: {made.entries:,} entries{why}"
    if made.merges:
        longest = nlargest(LONGEST, made.merges, key=lambda merge: len(merge.made))
        shown = ", ".join(quoted(merge.made) for merge in longest)
        yield (
            f"  {len(made.merges):,} merges, the last of a pair that occurs "
            f"{made.merges[-1].count:,} times; the longest entries are {shown}"
        )
    if made.held_out is not None:
        held, rate = made.held_out, made.held_out.bytes_per_token
        between = f" ({rate.interval[0]:.3f} to {rate.interval[1]:.3f})" if rate.interval else ""
        yield (
            f"  held out: {held.documents:,} documents of {held.bytes:,} bytes are "
            f"{held.tokens:,} tokens, {rate.value:.3f} bytes per token{between}"
        )


def _delivered(done: Audited, planned: Plan | None, *, quiet: bool) -> int:
    """Print the result of an audit, and deliver its report."""
    if not quiet:
        note(f"  audit: {visible(_verdict(done.report))}\n")
    code = done.exit_code(Failing.fail_on)
    return code if planned is None else written(code, lambda: planned.deliver(done.report))


def _verdict(report: Report) -> str:
    return f"{report.verdict.upper()}: {report.verdict_reason}"
