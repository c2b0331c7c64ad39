"""Request to the renderer and its answer, as plain data for the worker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from tokaudit.products.chat.rendering.terms import Dialect, Divergence, Reaction, Refusal, Remark
from tokaudit.subject.conversations.conversation import Conversation


class Trouble(StrEnum):
    """The reason why there is no text."""

    RAISED = "raised"  # the template called `raise_exception`
    FAILED = "failed"  # an error while it was rendered, or a syntax error
    LIMIT = "limit"  # it asked for more time, memory or output than it was given
    UNSAFE = "unsafe"  # it was not rendered at all


@dataclass(frozen=True, slots=True)
class RenderRequest:
    """One template and the conversations to render.

    `special_tokens` are the variables that a tokenizer gives every template: `bos_token` and so
    on.  A conversation's own variables come first.  Without `trim` the white space next to tags
    stays, as in engines that have no `trim_blocks`.  With `react` the template's own literals are
    tried as words of messages.  The messages of the conversations in `marked` are found by saying
    something else.  The clock of the template is `minutes_later` than the pinned moment.  Without
    `steps` each conversation is rendered once, as a client sends it: whole, and with a generation
    prompt unless the assistant spoke last.
    """

    template: str
    conversations: tuple[Conversation, ...]
    special_tokens: Mapping[str, Any] = field(default_factory=dict)
    dialect: Dialect = Dialect.TRANSFORMERS_5
    trim: bool = True
    react: bool = True
    marked: tuple[str, ...] = ()
    minutes_later: int = 0
    steps: bool = True


@dataclass(frozen=True, slots=True)
class Rendering:
    """One text, or the reason why there is none.

    `assistant` holds the half-open spans between `{% generation %}` and `{% endgeneration %}`;
    `error` is in the words of the template or of Jinja, and `line` is the line of the template
    that raised it, 0 where none is known.
    """

    text: str = ""
    assistant: tuple[tuple[int, int], ...] = ()
    trouble: Trouble | None = None
    error: str = ""
    line: int = 0

    @property
    def ok(self) -> bool:
        """Return whether there is a text."""
        return self.trouble is None


@dataclass(frozen=True, slots=True)
class Step:
    """A conversation up to and including its first `messages` messages.

    `prompted` has the generation prompt; it is None where the last message is to be continued,
    which excludes a generation prompt.
    """

    messages: int
    plain: Rendering
    prompted: Rendering | None


@dataclass(frozen=True, slots=True)
class RenderedConversation:
    """Every step of a conversation, the whole last.

    `extents` are the spans of the whole text that the messages said, where they were asked for.
    """

    id: str
    steps: tuple[Step, ...]
    extents: tuple[tuple[int, int] | None, ...] = ()

    @property
    def whole(self) -> Step:
        """Return the step with all messages."""
        return self.steps[-1]


@dataclass(frozen=True, slots=True)
class RenderedTemplate:
    """Rendering of one template: either `trouble` with its words, or every conversation.

    `refusals` say what made it unsafe to render; `remarks` what its syntax tree gives away;
    `divergences` what other engines read otherwise; `reactions` the words that it writes where
    a message holds one of its literals.
    """

    conversations: tuple[RenderedConversation, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    remarks: tuple[Remark, ...] = ()
    divergences: tuple[Divergence, ...] = ()
    reactions: tuple[Reaction, ...] = ()
    trouble: Trouble | None = None
    error: str = ""

    def conversation(self, id: str) -> RenderedConversation | None:
        """Return the rendered conversation with that id, or None."""
        return next((one for one in self.conversations if one.id == id), None)
