"""Prompts for the last answer on another day, with reordered tools or other thinking.

A server keeps the work of the first ids of a prompt for every later one that begins with them.
Only what a template asks for is rendered again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from msgspec import structs

from tokaudit.products.chat.rendering.rendering import RenderedConversation, RenderRequest, Step
from tokaudit.products.chat.work.chat_client import ChatRenderer
from tokaudit.subject.conversations.conversation import Conversation

DAY = 24 * 60
CLOCK, SWITCH = "strftime_now", "enable_thinking"


@dataclass(frozen=True, slots=True)
class LaterPrompt:
    """The prompt for one message, before and after a change.

    `stays` is what both have to begin with where the change may write something after it.
    """

    change: str
    message: int
    before: str
    after: str
    stays: str | None = None

    @property
    def loses(self) -> bool:
        """Return whether a cache may lose text that was not changed."""
        if self.stays is not None and self.before.startswith(self.stays):
            return not self.after.startswith(self.stays)
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a later prompt: of the conversation, or of the clock."""

    name: str
    conversation: Callable[[Conversation], Conversation | None]
    asks: str = ""  # what a template has to name, or the change cannot be seen
    minutes: int = 0
    after_plain: bool = False  # it may write something after the messages


def _turned(given: Conversation) -> Conversation | None:
    tools = given.tools or ()
    return structs.replace(given, tools=tuple(reversed(tools))) if len(tools) > 1 else None


def _switched(given: Conversation) -> Conversation:
    now = given.variables.get(SWITCH, True)
    return structs.replace(given, variables={**given.variables, SWITCH: not now})


CHANGES = (
    Change("on the next day", lambda given: given, CLOCK, DAY),
    Change("with the same tools in another order", _turned),
    Change("with thinking switched", _switched, SWITCH, after_plain=True),
)


def later_prompts(
    given: Sequence[Conversation],
    rendered: Sequence[RenderedConversation],
    request: RenderRequest,
    renderer: ChatRenderer,
) -> list[tuple[LaterPrompt, ...]]:
    """Return for each conversation its last prompt after every change."""
    found: list[list[LaterPrompt]] = [[] for _ in given]
    prompts: list[Step | None] = []
    for change in CHANGES:
        seen = change.asks in request.template
        changed = _changed(change, given) if seen else {}
        if changed and not prompts:
            prompts = list(map(_last_prompt, given, rendered))
        asked = dict(_asked(changed, prompts))
        if not asked:
            continue
        answer = renderer.render(
            replace(
                request,
                conversations=tuple(asked.values()),
                react=False,
                minutes_later=change.minutes,
            )
        )
        for at, again in zip(asked, answer.conversations, strict=False):
            one = _compared(change, prompts[at], again.whole)
            found[at] += [one] if one else []
    return [tuple(each) for each in found]


def _last_prompt(given: Conversation, rendered: RenderedConversation) -> Step | None:
    """Return the last step that asks a model to answer."""
    roles = (*given.roles, "assistant")
    for step in reversed(rendered.steps):
        asked = roles[step.messages - 1] != "assistant" == roles[step.messages]
        if asked and step.prompted is not None and step.prompted.ok:
            return step
    return None


def _changed(change: Change, given: Sequence[Conversation]) -> dict[int, Conversation]:
    """Return the conversations that a change affects, by index."""
    found = enumerate(map(change.conversation, given))
    return {at: changed for at, changed in found if changed is not None}


def _asked(
    changed: Mapping[int, Conversation], prompts: Sequence[Step | None]
) -> Iterator[tuple[int, Conversation]]:
    """Yield the changed conversations up to the last message to answer."""
    for at, conversation in changed.items():
        prompt = prompts[at]
        if prompt is not None:
            messages = conversation.messages[: prompt.messages]
            yield at, structs.replace(conversation, messages=messages)


def _compared(change: Change, before: Step | None, after: Step) -> LaterPrompt | None:
    if before is None or before.prompted is None or after.prompted is None:
        return None
    if not after.prompted.ok:
        return None
    stays = before.plain.text if change.after_plain and before.plain.ok else None
    first, second = before.prompted.text, after.prompted.text
    return LaterPrompt(change.name, before.messages + 1, first, second, stays)
