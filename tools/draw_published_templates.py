"""Draws the table of published templates.

A line for each original template of TRL: its digest, its file, and the checkpoint and revision that
TRL's README names.  One that TRL patches for training follows it, if both write the same values of
every call of the grammar.  `make .venv/templates` fetches the package.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from tokaudit.products.chat.rendering.grammar.covering import shaped_conversations
from tokaudit.products.chat.rendering.renderer import render
from tokaudit.products.chat.rendering.rendering import RenderRequest
from tokaudit.products.chat.work.shapes.parsers import same_values
from tokaudit.subject.upstream.published.templates import digest

TEMPLATES = Path("trl/chat_templates")
UNPACKED = Path(sys.prefix) / "template-wheels" / "unpacked"
ORIGINALS = re.compile(r"^## Original templates$(.*?)^## ", re.MULTILINE | re.DOTALL)
SECTION = re.compile(r"^### (.*)$((?:\n(?!#).*)*)", re.MULTILINE)
FILE = re.compile(r"`(\w+\.jinja)`")
AT = re.compile(r"huggingface\.co/([\w.-]+/[\w.-]+)/commit/([0-9a-f]{40})")
SHIPPED = re.compile(r"as shipped by\s+`([^`]+)`")
PATCHED = "{}_training.jinja"


def table(unpacked: Path) -> str:
    """The lines of every original, each with its patched one."""
    (version,) = (path.name for path in unpacked.glob("trl-*.dist-info"))
    package = version.removesuffix(".dist-info").replace("-", " ")
    return "".join(f"{line}\n" for line in _lines(unpacked / TEMPLATES, package))


def _lines(folder: Path, package: str) -> Iterator[str]:
    (originals,) = ORIGINALS.findall((folder / "README.md").read_text("utf-8"))
    for head, about in SECTION.findall(originals):
        at, shipped = AT.search(about), SHIPPED.search(about)
        checkpoint = at[1] if at else shipped[1] if shipped else ""
        for file in FILE.findall(head):
            text = (folder / file).read_text("utf-8")
            where = (f"{package}: {file}", checkpoint, at[2] if at else "")
            yield "\t".join((digest(text), *where))
            patched = folder / PATCHED.format(file.removesuffix(".jinja"))
            if patched.exists() and _same_calls(text, other := patched.read_text("utf-8")):
                yield "\t".join((digest(other), f"{package}: {patched.name}", *where[1:]))


def _same_calls(one: str, other: str) -> bool:
    """Return whether both write the same values in calls, and some."""
    return same_values(_texts(one), _texts(other))


def _texts(text: str) -> list[str]:
    """The text of each conversation of the grammar; "" where it has none."""
    given = tuple(each.given for each in shaped_conversations())
    rendered = render(RenderRequest(text, given, {}, react=False, steps=False)).conversations
    return [each.whole.plain.text for each in rendered]


def main() -> None:
    """Print the table."""
    print(table(UNPACKED), end="")
