"""`tokaudit trace SUBJECT TEXT`: how the reference makes tokens of a text, stage by stage.

Everything of the text and the vocabulary is printed quoted and escaped: both may come from
strangers, and a terminal obeys what it is sent.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tokaudit.cli.options.settings import add_settings, given
from tokaudit.cli.options.shared import SUBJECT_HELP
from tokaudit.foundation.settings.setting import values

if TYPE_CHECKING:
    from tokaudit_reference.trace import TracedPiece, TracedSegment

MOST_MERGES = 200  # lines for one piece
EXAMPLES = """\
examples:
  tokaudit trace path/to/checkpoint "Hello world"
  tokaudit trace path/to/checkpoint - --json < text.txt
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subject, the text, and display options."""
    from tokaudit.products.trace.tracing import TraceSettings

    parser.add_argument("subject", metavar="SUBJECT", help=SUBJECT_HELP)
    parser.add_argument(
        "text", metavar="TEXT", help="the text to tokenize, or - to read the text from stdin"
    )
    add_settings(parser, TraceSettings)
    parser.add_argument(
        "--json",
        action="store_true",
        help="print the stages of tokenization as JSON (default: print lines of text)",
    )


def run(options: argparse.Namespace) -> int:
    """Encode in a worker, and print the stages."""
    from tokaudit.cli.terminal.streams import say
    from tokaudit.products.trace.tracing import TraceSettings, trace

    _refuse_exchanged(options.subject, options.text)
    text = sys.stdin.buffer.read().decode() if options.text == "-" else options.text
    segments = trace(options.subject, text, **values(given(options, TraceSettings)))
    if options.json:
        import json
        from dataclasses import asdict

        from tokaudit.report.visible import escaped_json

        stages = [asdict(segment) for segment in segments]
        say(escaped_json(json.dumps(stages, ensure_ascii=True, indent=2)) + "\n")
    else:
        from tokaudit.report.visible import visible

        say("".join(f"{visible(line, limit=len(line))}\n" for line in lines(segments)))
    return 0


def _refuse_exchanged(subject: str, text: str) -> None:
    """Refuse a path as the text if the subject is not a path."""
    from tokaudit.foundation.errors import UsageError

    exists = os.path.exists
    if ":" not in subject and exists(text) and not exists(subject):
        raise UsageError(
            f"{subject}: does not exist; write the tokenizer first and the text second: "
            f"tokaudit trace {text} {shlex.quote(subject)}"
        )


def lines(segments: Sequence[TracedSegment]) -> Iterator[str]:
    """Yield the stages as lines, each indented below its source."""
    for segment in segments:
        place = interval(segment.offsets)
        if segment.added_id is not None:
            yield f"added token  {segment.text!r} {place} -> {segment.added_id}"
            continue
        yield f"text         {segment.text!r} {place}"
        if segment.normalized != segment.text:
            yield f"  normalized {segment.normalized!r}"
        for piece in segment.pieces:
            yield from _piece_lines(piece)
    ids = [id for segment in segments for id in _ids(segment)]
    yield f"ids          {' '.join(map(str, ids))}"


def _piece_lines(piece: TracedPiece) -> Iterator[str]:
    yield f"  piece      {piece.text!r} {interval(piece.offsets)}"
    for merge in piece.merges[:MOST_MERGES]:
        yield f"    merge    {merge.left!r} + {merge.right!r}  rank {merge.rank:g}"
    if len(piece.merges) > MOST_MERGES:
        yield f"    ...      {len(piece.merges) - MOST_MERGES} more merges (--json has all)"
    for token in piece.tokens:
        yield f"    token    {token.id:>7} {token.token!r} {interval(token.offsets)}"


def _ids(segment: TracedSegment) -> list[int]:
    if segment.added_id is not None:
        return [segment.added_id]
    return [token.id for piece in segment.pieces for token in piece.tokens]


def interval(offsets: tuple[int, int]) -> str:
    """Format a half-open interval.

    >>> interval((0, 5))
    '[0, 5)'
    """
    return f"[{offsets[0]}, {offsets[1]})"
