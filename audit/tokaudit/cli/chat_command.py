"""`tokaudit chat SUBJECT`: conversations as the chat template renders them, token by token.

Each role has its colour, and what a model learns from is marked; without colours the marks stay.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from tokaudit.cli.subject_arguments import (
    add_color,
    add_conversations,
    add_subject_arguments,
    files,
    specials,
)

if TYPE_CHECKING:
    from rich.text import Text

    from tokaudit.report.recorded import Transcript, TranscriptToken

SHOWN = ("system-turns-2", "tool-call", "reasoning")  # of ours, where no file is named
COLOURS = {"system": "magenta", "user": "cyan", "assistant": "green", "tool": "yellow"}
LEGEND = "An asterisk after an id: a model learns to write this token."
OWN = "template: words that the chat template writes by itself."
EXAMPLES = """\
examples:
  tokaudit chat path/to/checkpoint
  tokaudit chat path/to/checkpoint --conversations mine.jsonl
  tokaudit chat path/to/checkpoint --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The subject, the conversations, and how to show them."""
    add_subject_arguments(parser)
    add_conversations(parser)
    add_color(parser)
    parser.add_argument("--json", action="store_true", help="the tokens as JSON (default: drawn)")


def run(options: argparse.Namespace) -> int:
    """Render in a worker, encode by the reference, and print; 3 where there is nothing to print."""
    from tokaudit.cli.streams import say

    found = transcripts(options)
    if options.json:
        import json
        from dataclasses import asdict

        from tokaudit.report.visible import escaped_json

        say(escaped_json(json.dumps([asdict(one) for one in found], indent=2)) + "\n")
    else:
        _draw(found, options.color)
    return 0 if any(one.tokens for one in found) else 3


def transcripts(options: argparse.Namespace) -> list[Transcript]:
    """The conversations by the template that loaders take."""
    from tokaudit.api import settings
    from tokaudit.api.opening import subject_of
    from tokaudit.comparison.evidence import token_names
    from tokaudit.engine.chat import ChatIds, ChatRenderings
    from tokaudit.engine.needs import Options
    from tokaudit.engine.providers import audit_needs
    from tokaudit.engine.transcript import transcript
    from tokaudit.engine.workers import Workers
    from tokaudit.foundation.errors import NotApplicable, Skip, UnreadableError
    from tokaudit_reference.spec import TokenizerSpec

    asked = Options(conversations=settings.conversations(options.conversations))
    subject = subject_of(
        options.subject, options.pattern, specials(options.special), files=files(options.file)
    )
    workers = Workers(asked.limits())
    try:
        needs = audit_needs(subject, asked, workers)
        renderings = needs.get(ChatRenderings)
        names, ids = token_names(needs.get(TokenizerSpec)), needs.get(ChatIds)
        wanted = [one.id for one in asked.conversations] or SHOWN
        shown = [one for one in renderings.conversations if one.id in wanted]
        return [transcript(one, renderings.all[0], renderings, ids, names) for one in shown]
    except (NotApplicable, Skip) as error:
        raise UnreadableError(f"{subject.name}: {error}") from error
    finally:
        workers.close()


def _draw(found: Sequence[Transcript], color: str) -> None:
    from rich.console import Console

    from tokaudit.cli.look import look
    from tokaudit.engine.transcript import TEMPLATE

    seen = look(sys.stdout, color)
    console = Console(
        width=seen.width,
        force_terminal=seen.color,
        color_system="standard" if seen.color else None,
        no_color=not seen.color,
        highlight=False,
        markup=False,
        emoji=False,
    )
    for one in found:
        for line in lines(one, console.width):
            console.print(line, no_wrap=True, crop=False, overflow="ignore")
        console.print()
    console.print(LEGEND)
    if any(token.role == TEMPLATE for one in found for token in one.tokens):
        console.print(OWN)


def lines(one: Transcript, width: int) -> Iterator[Text]:
    """One conversation: a block of tokens above their ids for each turn."""
    from rich.text import Text

    from tokaudit.report.visible import visible

    yield Text(visible(one.conversation), "bold")
    if one.refused:
        yield Text(f"  is refused: {visible(one.refused)}")
    if one.unknown:
        yield Text(f"  not known: {visible(one.unknown)}")
    for role, turn in groupby(one.tokens, key=lambda token: token.role):
        tokens = list(turn)
        name = visible(role) or "role unknown"
        count = f"{len(tokens):,} token{'' if len(tokens) == 1 else 's'}"
        yield Text(f"  {name}: {count}, {_learned(tokens)}", COLOURS.get(role, ""))
        yield from _rows(tokens, COLOURS.get(role, ""), width - 4)


def _learned(tokens: Sequence[TranscriptToken]) -> str:
    """How many tokens a model learns to write, unless that is not known."""
    if any(token.trained is None for token in tokens):
        return "not known which are trained"
    return f"{sum(bool(token.trained) for token in tokens):,} trained"


def _piece(token: TranscriptToken) -> str:
    """What a token is; nothing for an id without a name."""
    from tokaudit.report.visible import EMPTY, visible

    if token.piece is None:
        return ""
    return visible(token.piece, spaces=True, limit=40) or EMPTY


def _rows(tokens: Sequence[TranscriptToken], colour: str, width: int) -> Iterator[Text]:
    """The pieces and, below them, the ids, broken where the line is full."""
    from rich.cells import cell_len
    from rich.text import Text

    pieces, ids = Text("    "), Text("    ")
    for token in tokens:
        piece = _piece(token)
        id = f"{token.id}*" if token.trained else str(token.id)
        room = max(cell_len(piece), len(id)) + 1
        if pieces.cell_len > 4 and pieces.cell_len + room > width:
            yield from (pieces, ids)
            pieces, ids = Text("    "), Text("    ")
        style = f"bold {colour}".strip() if token.trained else colour
        pieces.append(piece + " " * (room - cell_len(piece)), style)
        ids.append(id.ljust(room), style or "dim")
    yield from (pieces, ids)
