"""`tokaudit trace SUBJECT TEXT`: how the reference makes tokens of a text, stage by stage.

Everything of the text and the vocabulary is printed quoted and escaped: both may come from
strangers, and a terminal obeys what it is sent.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import Any

from tokaudit.cli.subject_arguments import add_subject_arguments, files, specials

MOST_MERGES = 200  # lines for one piece
EXAMPLES = """\
examples:
  tokaudit trace path/to/checkpoint "Hello world"
  tokaudit trace path/to/checkpoint - --json < text.txt
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The subject, the text, and how to read and show it."""
    add_subject_arguments(parser)
    parser.add_argument("text", metavar="TEXT", help="the text, or - for what stdin holds")
    parser.add_argument(
        "--format",
        metavar="NAME",
        help="which of the subject's files to read (default: the one that loaders prefer)",
    )
    parser.add_argument(
        "--no-special",
        action="store_true",
        help="read special tokens in the text as plain text (default: as special tokens)",
    )
    parser.add_argument(
        "--json", action="store_true", help="the stages as JSON (default: as lines)"
    )


def run(options: argparse.Namespace) -> int:
    """Encode in a worker, and print the stages."""
    from tokaudit.cli.streams import say

    text = sys.stdin.buffer.read().decode() if options.text == "-" else options.text
    segments = traced(options, text)
    if options.json:
        import json

        from tokaudit.report.visible import escaped_json

        say(escaped_json(json.dumps(segments, ensure_ascii=True, indent=2)) + "\n")
    else:
        from tokaudit.report.visible import visible

        say("".join(f"{visible(line, limit=len(line))}\n" for line in lines(segments)))
    return 0


def traced(options: argparse.Namespace, text: str) -> list[dict[str, Any]]:
    """The stages, as the worker gives them."""
    from tokaudit.api.opening import subject_of
    from tokaudit.foundation.errors import UnreadableError, UpstreamTrouble
    from tokaudit.runtimes.subject_requests import reference_request
    from tokaudit.runtimes.worker.client import WorkerTokenizer

    subject = subject_of(
        options.subject, options.pattern, specials(options.special), files=files(options.file)
    )
    request = reference_request(_spec(subject, options.format))
    with WorkerTokenizer(request) as tokenizer:
        try:
            return tokenizer.trace(text, parse_special=not options.no_special)
        except UpstreamTrouble as error:
            raise UnreadableError(f"{subject.name}: {error}") from error


def _spec(subject: Any, format: str | None) -> Any:
    from tokaudit.foundation.errors import UnreadableError, UsageError
    from tokaudit.subject.representations import parse_all

    parsed = parse_all(subject).parsed
    if not parsed:
        raise UnreadableError(f"{subject.name}: no file of the tokenizer parses")
    for representation, spec in parsed:
        if format in (None, representation.format):
            return spec
    there = ", ".join(representation.format for representation, _ in parsed)
    raise UsageError(f"--format: there is no {format!r} in {subject.name}; there is: {there}")


def lines(segments: list[dict[str, Any]]) -> Iterator[str]:
    """The stages as lines, each stage indented below the one that it came from."""
    for segment in segments:
        place = interval(segment["offsets"])
        if segment["added_id"] is not None:
            yield f"added token  {segment['text']!r} {place} -> {segment['added_id']}"
            continue
        yield f"text         {segment['text']!r} {place}"
        if segment["normalized"] != segment["text"]:
            yield f"  normalized {segment['normalized']!r}"
        for piece in segment["pieces"]:
            yield from _piece_lines(piece)
    ids = [id for segment in segments for id in _ids(segment)]
    yield f"ids          {' '.join(map(str, ids))}"


def _piece_lines(piece: dict[str, Any]) -> Iterator[str]:
    yield f"  piece      {piece['text']!r} {interval(piece['offsets'])}"
    merges = piece["merges"]
    for merge in merges[:MOST_MERGES]:
        joined = f"{merge['left']!r} + {merge['right']!r}"
        yield f"    merge    {joined}  rank {merge['rank']:g}"
    if len(merges) > MOST_MERGES:
        yield f"    ...      {len(merges) - MOST_MERGES} more merges (--json has all)"
    for token in piece["tokens"]:
        yield f"    token    {token['id']:>7} {token['token']!r} {interval(token['offsets'])}"


def _ids(segment: dict[str, Any]) -> list[int]:
    if segment["added_id"] is not None:
        return [segment["added_id"]]
    return [token["id"] for piece in segment["pieces"] for token in piece["tokens"]]


def interval(offsets: list[int]) -> str:
    """A half-open interval.

    >>> interval([0, 5])
    '[0, 5)'
    """
    return f"[{offsets[0]}, {offsets[1]})"
