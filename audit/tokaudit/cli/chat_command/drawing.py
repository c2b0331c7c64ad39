"""Print conversations by token, each role in its colour."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tokaudit.report.recorded import OF_TEMPLATE, Transcript

OWN = "template: words that the chat template writes by itself."


def draw(found: Sequence[Transcript], color: str) -> None:
    """Print conversations by token, with a legend."""
    from rich.console import Console

    from tokaudit.cli.terminal.look import look
    from tokaudit.products.chat.drawing import LEGEND, MASK, lines

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
    for trainer in dict.fromkeys(one.trainer for one in found if one.trainer):
        console.print(f"{MASK}{trainer}.")
    if any(token.role == OF_TEMPLATE for one in found for token in one.tokens):
        console.print(OWN)
