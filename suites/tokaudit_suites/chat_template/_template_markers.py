"""The markers that a template writes between contents, of whatever shape."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tokaudit.products.chat.work.renderings import ChatRendering
from tokaudit.subject.conversations.conversation import Conversation

SHAPES = {
    "<|..|>": re.compile(r"<[|｜][\w▁./:-]{1,60}[|｜]>"),
    "[|..|]": re.compile(r"\[\|/?\w{1,40}\|\]"),
    "<start_of_..>": re.compile(r"<(?:start|end)_of_\w{1,20}>"),
    "[..]": re.compile(r"(?<![\w\]])\[/?[A-Z][A-Z_]{2,30}\]"),
    "<<..>>": re.compile(r"<</?[A-Z]{2,20}>>"),
    "<..>": re.compile(r"</?[A-Za-z][\w-]{1,40}>"),
}
PAIRED = ("<<..>>", "<..>")  # only with both ends: one alone is a placeholder of some prompt
COMMENT = re.compile(r"\{#.*?#\}", re.DOTALL)
ORDINARY = {"user", "assistant"}
PASSED = {"system", "tool"}


@dataclass(frozen=True)
class Marker:
    """A marker; `passed` if the template builds it from a role's name."""

    content: str
    shape: str
    passed: bool = False

    def is_sibling(self, content: str) -> bool:
        """Return whether another token is of the same kind.

        >>> Marker("<|im_start|>", "<|..|>").is_sibling("<|im_end|>")
        True
        >>> marker = Marker("<tools>", "<..>")
        >>> marker.is_sibling("<tool_call>"), marker.is_sibling("</tools>")
        (False, True)
        """
        if self.shape in PAIRED:
            return content != self.content and _bare(content) == _bare(self.content)
        return SHAPES[self.shape].fullmatch(content) is not None


def _bare(content: str) -> str:
    return content.strip("<>/")


def markers(one: ChatRendering, conversations: tuple[Conversation, ...]) -> tuple[Marker, ...]:
    """Return the markers in the template's own text, and those that rendering assembles."""
    source = COMMENT.sub("", one.template.text)
    found = {content: Marker(content, shape) for content, shape in _in(source)}
    for conversation in conversations:
        rendered = one.rendered.conversation(conversation.id)
        if rendered is None or not set(conversation.roles) <= ORDINARY | PASSED:
            continue
        given = json.dumps([conversation.messages, conversation.tools], ensure_ascii=False)
        for content, shape in _in(rendered.whole.plain.text):
            if content not in given:
                passed = any(role in content for role in PASSED)
                found.setdefault(content, Marker(content, shape, passed))
    return tuple(found.values())


def _in(text: str) -> Iterator[tuple[str, str]]:
    """Yield every marker of a text with its shape.

    >>> list(_in("<|user|>[INST] a <b> <tool_call> </tool_call>[INST]"))
    [('<|user|>', '<|..|>'), ('[INST]', '[..]'), ('<tool_call>', '<..>'), ('</tool_call>', '<..>')]
    """
    for shape, pattern in SHAPES.items():
        found = dict.fromkeys(pattern.findall(text))
        for content in found:
            both = sum(_bare(other) == _bare(content) for other in found) > 1
            taken = shape == "<..>" and SHAPES["<start_of_..>"].fullmatch(content)
            if not taken and (shape not in PAIRED or both):
                yield content, shape
