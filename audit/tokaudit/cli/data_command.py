"""`tokaudit data DATA --tokenizer SUBJECT`: are ids on disk whole, and this tokenizer's?"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tokaudit.cli.options.settings import add_settings, given, refuse_unused
from tokaudit.cli.options.shared import (
    SUBJECT_FORMS,
    add_color,
    add_outputs,
    add_quiet,
    refuse_outputs,
)
from tokaudit.engine.settings.settings import Failing
from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.settings.setting import values

if TYPE_CHECKING:
    from tokaudit.products.data.api.who_wrote import Candidate, Writers

EXAMPLES = """\
examples:
  tokaudit data ids/ --tokenizer path/to/checkpoint
  tokaudit data train.bin --dtype uint16 --tokenizer tiktoken:gpt2
  tokaudit data ids/ --among path/to/one path/to/other tiktoken:cl100k_base
  tokaudit data 'ids/*.ds' --tokenizer path/to/checkpoint --jobs 8 --resume finished/
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the ids, the tokenizer, and the outputs."""
    from tokaudit.products.data.api.settings import DataSettings, Stamping

    parser.add_argument(
        "data",
        nargs="+",
        metavar="DATA",
        help="a file of token ids, a folder of such files, or a glob pattern in quotes",
    )
    parser.add_argument(
        "--tokenizer",
        metavar="SUBJECT",
        help=f"the tokenizer that should have produced the ids: {SUBJECT_FORMS} (default: none)",
    )
    parser.add_argument(
        "--among",
        nargs="+",
        metavar="SUBJECT",
        help="find out which of these tokenizers produced the ids in the data (default: check "
        "only the tokenizer of --tokenizer)",
    )
    add_settings(parser, Stamping)
    add_settings(parser, DataSettings)
    add_outputs(parser)
    add_quiet(parser)
    add_color(parser)


def run(options: argparse.Namespace) -> int:
    """Examine, deliver, summarise; return the exit code."""
    if bool(options.tokenizer) == bool(options.among):
        raise UsageError("name one tokenizer with --tokenizer, or several with --among")
    return _among(options) if options.among else _examine(options)


def _among(options: argparse.Namespace) -> int:
    """Print the candidates, the likeliest first; return 0 for one left, 1 for none, else 3."""
    from tokaudit.cli.terminal.streams import say
    from tokaudit.products.data.api.examining import DataCall
    from tokaudit.products.data.api.settings import ReadingIds
    from tokaudit.products.data.api.who_wrote import who_wrote
    from tokaudit.report.visible import visible

    refuse_unused(options, DataCall, (ReadingIds,), "has no meaning with --among")
    refuse_outputs(options, "data --among")
    asked = values(given(options, ReadingIds))
    found = who_wrote(options.data, options.among, **asked)
    say("".join(f"{visible(line)}\n" for line in candidate_lines(found)))
    return 0 if len(found.left) == 1 or found.same else 3 if found.left else 1


def candidate_lines(found: Writers) -> Iterator[str]:
    """Yield each candidate in a line, then the conclusion."""
    for each in found.candidates:
        line = f"{each.name}: {each.own:,} of {each.drawn:,} documents are its own encoding"
        if each.place is not None:
            spot = each.place
            number = f"document {spot.document:,}, " if spot.document >= 0 else ""
            line += f"; excluded ({each.reason}): {spot.shard}, {number}id {spot.offset:,}"
        yield line
    if len(found.left) > 1:
        why = "they are proved the same" if found.same else "on this data"
        yield f"cannot be distinguished ({why}): {', '.join(found.left)}"
        for tie in found.ties:
            yield f"  {tie.second}: as {tie.first}; {tie.sameness}"
    else:
        yield f"written by {found.left[0]}" if found.left else _nearest(found.candidates)


def _nearest(candidates: Sequence[Candidate]) -> str:
    """Say that no candidate is left, and which is nearest."""
    most = candidates[0]
    if 2 * most.own <= most.drawn:
        return "written by none of these"
    share = f"{most.own:,} of {most.drawn:,}"
    return f"none of these wrote every document; the nearest is {most.name}, with {share}"


def _examine(options: argparse.Namespace) -> int:
    from tokaudit.cli.terminal.delivery import planned, summarised
    from tokaudit.cli.terminal.progress import Progress
    from tokaudit.cli.terminal.streams import written
    from tokaudit.products.data.api.examining import DataCall, examined

    outputs = planned(options, [options.tokenizer, *options.data])
    asked = given(options, DataCall)
    with Progress(options.quiet, "reading ids", options.color) as progress:
        asked = replace(asked, on_result=progress.result, on_step=progress.part)
        done = examined(options.data, options.tokenizer, asked)
    code = written(done.exit_code(Failing.fail_on), lambda: outputs.deliver(done.report, None))
    summarised(done.report, options)
    return code
