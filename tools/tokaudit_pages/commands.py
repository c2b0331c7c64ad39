"""The page of all commands: the help of each, as it is printed 80 columns wide."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from tokaudit.cli import COMMANDS, _parser, _parser_of

HEAD = """\
# The commands

Written from the commands; `--help` prints the same."""


def page() -> str:
    """Markdown: the help of the program, then a section for each command."""
    with _columns(80):
        parts = [HEAD, _block(_parser().format_help())]
        for name in COMMANDS:
            parts += [f"## {name}", _block(_parser_of(name).format_help())]
    return "\n\n".join(parts) + "\n"


def _block(text: str) -> str:
    return f"```text\n{text.rstrip()}\n```"


@contextmanager
def _columns(width: int) -> Iterator[None]:
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = str(width)
    try:
        yield
    finally:
        if before is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before
