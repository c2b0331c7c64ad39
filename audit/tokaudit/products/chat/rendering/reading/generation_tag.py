"""The tag `{% generation %}` around text that a model is trained on.

transformers takes what was rendered *before* the tag, as far as the template has handed it out,
for the place where a span begins.  Inside a macro or a `set` block that is not where the words
end up; the same rule is kept here, because its mask is the one that is trained with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from jinja2 import nodes
from jinja2.environment import Environment
from jinja2.ext import Extension
from jinja2.parser import Parser

from tokaudit.products.chat.rendering.bounds import LONGEST_TEXT, TooMuch

Span = tuple[int, int]


@dataclass
class Written:
    """Output blocks of a template so far, and the assistant spans in them.

    With `after_text`, spans are noted only once something was handed out, as 4.57 has it.
    """

    after_text: bool = False
    blocks: list[str] = field(default_factory=list)
    length: int = 0
    spans: list[Span] = field(default_factory=list)

    def take(self, blocks: Iterable[str]) -> str:
        """Join all blocks; raise `TooMuch` as soon as they are too long."""
        for block in blocks:
            self.blocks.append(block)
            self.length += len(block)
            if self.length > LONGEST_TEXT:
                raise TooMuch(f"a text of more than {LONGEST_TEXT:,} characters")
        return "".join(self.blocks)

    def note(self, text: str) -> None:
        """Record an assistant span that begins at the current end of the text."""
        if self.blocks or self.spans or not self.after_text:
            self.spans.append((self.length, self.length + len(text)))


class AssistantSpans(Extension):
    """Parses the tag, and records each span in `written` if that is set."""

    tags = {"generation"}

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        self.written: Written | None = None

    def parse(self, parser: Parser) -> nodes.Node:
        """Parse the block to a call with the tag's body as its caller."""
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.CallBlock(self.call_method("record"), [], [], body).set_lineno(line)

    def record(self, caller: Callable[[], str]) -> str:
        """Return the body's text, and record its span."""
        text = caller()
        if self.written is not None:
            self.written.note(text)
        return text
