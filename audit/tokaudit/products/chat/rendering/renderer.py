"""Render one template over conversations, only ever in a worker's process.

A template is a program of a stranger.  It is parsed, looked at, and only then run, in the
sandbox; what it asks for is bounded, and whatever it raises becomes words in the answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from traceback import walk_tb
from types import FrameType
from typing import Any

from jinja2 import Template, TemplateSyntaxError
from msgspec import structs

from tokaudit.products.chat.rendering.baits import CHATS, NEUTRAL, baits, said, unsaid
from tokaudit.products.chat.rendering.bounds import LARGEST_TOTAL, LONGEST_TEMPLATE, TooMuch
from tokaudit.products.chat.rendering.environment import (
    PINNED,
    BoundedSandbox,
    RaisedByTemplate,
    environment,
)
from tokaudit.products.chat.rendering.marking import Extent, changed_extent, in_other_words
from tokaudit.products.chat.rendering.messages import as_given
from tokaudit.products.chat.rendering.reading.generation_tag import AssistantSpans, Written
from tokaudit.products.chat.rendering.reading.portability import divergences
from tokaudit.products.chat.rendering.reading.safety import refusals
from tokaudit.products.chat.rendering.reading.triggers import remarks
from tokaudit.products.chat.rendering.rendering import (
    RenderedConversation,
    RenderedTemplate,
    Rendering,
    RenderRequest,
    Step,
    Trouble,
)
from tokaudit.products.chat.rendering.terms import Dialect, Reaction
from tokaudit.products.chat.rendering.tool_shapes import shaped
from tokaudit.subject.conversations.conversation import Conversation

MOST_MARKED = 200  # messages of a conversation that are put in other words, each a rendering
MOST_WORDS = 500  # characters of an error that are passed on
# Where a message is continued; a template that trims contents shows that by the space.
CONTINUES = "CONTINUES_HERE "


def render(request: RenderRequest) -> RenderedTemplate:
    """Render every conversation, or explain why the template is not rendered."""
    if len(request.template) > LONGEST_TEMPLATE:
        words = f"a template of more than {LONGEST_TEMPLATE:,} characters"
        return RenderedTemplate(trouble=Trouble.LIMIT, error=words)
    try:
        compiled = _compiled(request.template, request.dialect, request.trim)
    except Exception as error:
        rendering = _troubled(error)
        return RenderedTemplate(trouble=rendering.trouble, error=rendering.error)
    read = compiled.read
    if compiled.template is None:
        return read
    run = _Run(request, compiled.sandbox, compiled.template)
    rendered = tuple(map(run.conversation, request.conversations))
    reacted = tuple(run.reactions(compiled.baits)) if request.trim and request.react else ()
    return RenderedTemplate(rendered, (), read.remarks, read.divergences, reacted)


@dataclass(frozen=True)
class _Compiled:
    """A template ready to run, and its analysis; without `template` it must not run."""

    sandbox: BoundedSandbox
    read: RenderedTemplate
    template: Template | None = None
    baits: tuple[str, ...] = ()


@lru_cache(maxsize=4)  # one template is asked for many times in a row, in few ways
def _compiled(text: str, dialect: Dialect, trim: bool) -> _Compiled:
    sandbox = environment(dialect, trim=trim)
    tree = sandbox.parse(text)
    refused = tuple(refusals(tree))
    noticed = tuple(remarks(tree))
    if refused:
        words = "; ".join(str(one) for one in refused)[:MOST_WORDS]
        read = RenderedTemplate((), refused, noticed, trouble=Trouble.UNSAFE, error=words)
        return _Compiled(sandbox, read)
    read = RenderedTemplate(remarks=noticed, divergences=tuple(divergences(text, sandbox, tree)))
    tried = tuple(baits(tree))  # before the tree is compiled, which folds its constants
    return _Compiled(sandbox, read, sandbox.from_string(tree), tried)


class _Run:
    """One running template, and how much it may still write."""

    def __init__(self, request: RenderRequest, sandbox: BoundedSandbox, template: Template) -> None:
        self.request, self.template, self.left = request, template, LARGEST_TOTAL
        sandbox.now = PINNED + timedelta(minutes=request.minutes_later)
        self.tracker = sandbox.extensions[AssistantSpans.identifier]

    def conversation(self, given: Conversation) -> RenderedConversation:
        """Render every step, each without and with the generation prompt."""
        if given.continue_final:
            count = len(given.messages)
            return RenderedConversation(given.id, (Step(count, self._continued(given), None),))
        if not self.request.steps:
            return RenderedConversation(given.id, (self._as_sent(given),))
        counts = range(1, len(given.messages) + 1)
        steps = tuple(self._step(given, count) for count in counts)
        whole = steps[-1].plain
        marks = self._extents(given, whole.text) if self._is_marked(given) and whole.ok else ()
        return RenderedConversation(given.id, steps, tuple(marks))

    def _is_marked(self, given: Conversation) -> bool:
        return given.id in self.request.marked and len(given.messages) <= MOST_MARKED

    def _extents(self, given: Conversation, text: str) -> Iterator[Extent | None]:
        """Yield the part of the text that depends on each message."""
        for index, message in enumerate(given.messages):
            changed = in_other_words(message)
            if changed is None:
                yield None
                continue
            messages = (*given.messages[:index], changed, *given.messages[index + 1 :])
            found = self._whole(structs.replace(given, messages=messages))
            yield changed_extent(text, found.text) if found.ok else None

    def reactions(self, words: Sequence[str]) -> Iterator[Reaction]:
        """Yield the first words in each chat that trigger words of the template's own."""
        for role, roles in CHATS:
            usual = self._whole(said(role, roles, NEUTRAL))
            for bait in words if usual.ok else ():
                text = self._whole(said(role, roles, bait)).text
                written = " ".join(unsaid(text, usual.text, bait))
                if written:
                    yield Reaction(role, bait, written[:MOST_WORDS], text)
                    break

    def _whole(self, given: Conversation) -> Rendering:
        return self._one(given, as_given(given.messages, self.request.dialect), False)

    def _step(self, given: Conversation, count: int) -> Step:
        messages = as_given(given.messages[:count], self.request.dialect)
        plain, prompted = (self._one(given, messages, prompt) for prompt in (False, True))
        return Step(count, plain, prompted)

    def _as_sent(self, given: Conversation) -> Step:
        messages = as_given(given.messages, self.request.dialect)
        asks = given.messages[-1].get("role") != "assistant"
        return Step(len(messages), self._one(given, messages, asks), None)

    def _continued(self, given: Conversation) -> Rendering:
        """The conversation whose last message is left open: no end of turn is written."""
        messages = as_given(given.messages, self.request.dialect)
        try:
            if self.request.dialect is Dialect.TRANSFORMERS_5:
                _refuse_unread(self.request.template)
            tagged, words = _tagged(messages)
            rendering = self._one(given, tagged, False)
            return Rendering(_up_to_the_tag(rendering.text, words)) if rendering.ok else rendering
        except ValueError as error:
            return Rendering(trouble=Trouble.FAILED, error=str(error))

    def _one(
        self, given: Conversation, messages: Sequence[Mapping[str, Any]], prompt: bool
    ) -> Rendering:
        written = Written(after_text=self.request.dialect is Dialect.TRANSFORMERS_4)
        assert isinstance(self.tracker, AssistantSpans)
        self.tracker.written = written
        try:
            text = written.take(self.template.generate(**self._variables(given, messages, prompt)))
            self.left -= len(text)
            if self.left < 0:
                raise TooMuch(f"more than {LARGEST_TOTAL:,} characters in all")
        except Exception as error:
            return _troubled(error)
        finally:
            self.tracker.written = None
        return Rendering(text, tuple(written.spans))

    def _variables(
        self, given: Conversation, messages: Sequence[Mapping[str, Any]], prompt: bool
    ) -> dict[str, Any]:
        return {
            **self.request.special_tokens,
            **given.variables,
            "messages": messages,
            "tools": None if given.tools is None else shaped(given.tools, self.request.template),
            "documents": None if given.documents is None else list(given.documents),
            "add_generation_prompt": prompt,
        }


def _troubled(error: Exception) -> Rendering:
    """Convert an error to data, with its type if Python raised it."""
    if isinstance(error, RaisedByTemplate):
        return Rendering(trouble=Trouble.RAISED, error=str(error)[:MOST_WORDS], line=_line(error))
    limited = isinstance(error, TooMuch | MemoryError | RecursionError | OverflowError)
    words = f"{type(error).__name__}: {error}"
    if isinstance(error, TemplateSyntaxError):
        words = f"line {error.lineno}: {error.message}"
    trouble = Trouble.LIMIT if limited else Trouble.FAILED
    return Rendering(trouble=trouble, error=words[:MOST_WORDS], line=_line(error))


def _line(error: Exception) -> int:
    """Return the last template line in an error's traceback; 0 if there is none."""
    lines = [line for frame, line in walk_tb(error.__traceback__) if _is_template(frame)]
    return lines[-1] if lines else 0


def _is_template(frame: FrameType) -> bool:
    return frame.f_code.co_filename == "<template>"


def _refuse_unread(template: str) -> None:
    """Raise `ValueError` for a template that never names `content`, as 5.x does."""
    if "content" not in template:
        raise ValueError("the template does not name the content that is to be continued")


def _tagged(messages: Sequence[dict[str, Any]]) -> tuple[list[dict[str, Any]], str]:
    """The messages with a tag at the end of the last text, and that text without it.

    >>> _tagged([{"role": "assistant", "content": "Once"}])
    ([{'role': 'assistant', 'content': 'OnceCONTINUES_HERE '}], 'Once')
    """
    *before, last = messages
    content = last.get("content")
    if isinstance(content, str):
        return [*before, {**last, "content": content + CONTINUES}], content
    if isinstance(content, list):
        for place in reversed(range(len(content))):
            if "text" in content[place]:
                words = content[place]["text"]
                parts = [*content]
                parts[place] = {**content[place], "text": words + CONTINUES}
                return [*before, {**last, "content": parts}], words
    raise ValueError("the last message has no text to continue")


def _up_to_the_tag(text: str, words: str) -> str:
    """The rendered text up to the tag; raises `ValueError` where the message is not in it.

    >>> [_up_to_the_tag(f"<a>OnceCONTINUES_HERE{end}", "Once") for end in (" <end>", "")]
    ['<a>Once', '<a>Once']
    """
    if words.strip() not in text or CONTINUES.strip() not in text:
        raise ValueError("the last message, which is to be continued, is not in the text")
    at = text.rindex(CONTINUES.strip())
    spaced = text[at : at + len(CONTINUES)] == CONTINUES
    return text[:at] if spaced else text[:at].rstrip()
