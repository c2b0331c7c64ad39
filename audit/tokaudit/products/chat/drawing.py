"""Show a transcript in a terminal: tokens above their ids, with trained ones marked.

Each role has its colour, and what a model learns from is marked; without colours the marks stay.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from tokaudit.report.recorded import Transcript, TranscriptToken
from tokaudit.report.visible import EMPTY, visible

if TYPE_CHECKING:
    from rich.text import Text

COLOURS = {"system": "magenta", "user": "cyan", "assistant": "green", "tool": "yellow"}
LEGEND = "An asterisk after an id: a model learns to write this token."
MASK = "Mask: "


def lines(one: Transcript, width: int) -> Iterator[Text]:
    """Yield one conversation: a block of tokens above their ids for each turn."""
    from rich.text import Text

    yield Text(visible(one.conversation), "bold")
    if one.refused:
        yield Text(f"  is not rendered: {visible(one.refused)}")
    if one.unknown:
        yield Text(f"  not known: {visible(one.unknown)}")
    for lost in one.lost:
        yield Text(f"  not in the text: {visible(lost)}", "bold red")
    for role, turn in groupby(one.tokens, key=lambda token: token.role):
        tokens = list(turn)
        name = visible(role) or "role unknown"
        count = f"{len(tokens):,} token{'' if len(tokens) == 1 else 's'}"
        yield Text(f"  {name}: {count}, {_learned(tokens)} trained", COLOURS.get(role, ""))
        yield from _rows(tokens, COLOURS.get(role, ""), width - 4)


def _learned(tokens: Sequence[TranscriptToken]) -> str:
    """Count the tokens that a model is trained on; empty if unknown."""
    if any(token.trained is None for token in tokens):
        return "not known which are"
    return f"{sum(bool(token.trained) for token in tokens):,}"


def _piece(token: TranscriptToken) -> str:
    """Return the visible text of a token; empty for an id without a name."""
    if token.piece is None:
        return ""
    return visible(token.piece, spaces=True, limit=40) or EMPTY


def _rows(tokens: Sequence[TranscriptToken], colour: str, width: int) -> Iterator[Text]:
    """Yield the pieces with ids below, wrapped to the width."""
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
