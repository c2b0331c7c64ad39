"""Messages that a chat template accepts but drops from the prompt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tokaudit.engine.options import Options
from tokaudit.plugin import Basis, Finding, Harm, Severity, check
from tokaudit.products.chat.work.part_renderings import PartRendering, PartRenderings
from tokaudit.products.chat.work.renderings import ChatRendering, ChatRenderings
from tokaudit.subject.conversations.conversation import Conversation
from tokaudit.subject.upstream.published.spellings import opens_reasoning
from tokaudit_suites.chat_template._parts import (
    BEFORE_CALL,
    FIRST_ANSWER,
    part_finding,
    with_parts,
    writes_calls,
)
from tokaudit_suites.shared.rendered_chats import (
    TURNS,
    altered,
    is_plain,
    named,
    place_of,
    plain_chat,
    shown,
    with_plain_chat,
    without_space,
)
from tokaudit_suites.shared.repairs import TEMPLATE_AS_TRAINED
from tokaudit_suites.shared.uses import for_use
from tokaudit_suites.shared.wording import about, plural, some

PRINTED_PART = "{'type'"  # of a list that is written as Python prints it, not part by part
NOT_JUDGED = ("tool-call-scripts", "tool-call-text-arguments", "unknown-role")
"""Results that templates write as JSON, and a role that no client sends."""


@check(
    "chat_template/words",
    title="Every accepted message is rendered",
    why="A chat template without a branch for a role silently drops the messages of this role: "
    "the server answers with status 200, but the model never saw the instructions.",
    remedy="In the chat template, write every message, join the text of a system message to the "
    "first question, or call `raise_exception` so that the client gets an error.",
    repair=TEMPLATE_AS_TRAINED,
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=(Basis.INTRINSIC,),
    incident="Phi-3's template passed over system messages (huggingface/transformers #30545, "
    "ollama/ollama #3848); developer messages vanish likewise (sgl-project/sglang #40082).",
)
def words(renderings: ChatRenderings, parts: PartRenderings, options: Options) -> Iterator[Finding]:
    """Look for the words of each message in every rendered conversation."""
    for one in with_plain_chat(renderings):
        lost = [found for chat in renderings.conversations for found in _lost(one, chat)]
        yield from _findings(one, lost, renderings.conversations)
    for part in with_parts(renderings, parts):
        yield from _with_calls(part)
        for finding in _with_no_calls(part):
            yield for_use(finding, options, {"serving": Severity.WARNING})


@dataclass(frozen=True)
class _Lost:
    """A dropped message; `plain` if every template has to write it."""

    conversation: Conversation
    message: int
    text: str

    @property
    def role(self) -> str:
        """Return the role of the message."""
        return self.conversation.roles[self.message]

    @property
    def plain(self) -> bool:
        """Return whether it is a plain message: usual roles and order, and words alone."""
        return is_plain(self.conversation)


def _lost(one: ChatRendering, conversation: Conversation) -> Iterator[_Lost]:
    """Yield the messages of a conversation that are dropped, if their words are plain text."""
    rendered = one.rendered.conversation(conversation.id)
    if rendered is None or not rendered.whole.plain.ok or conversation.id in NOT_JUDGED:
        return
    text = rendered.whole.plain.text
    written = without_space(text)
    for index, message in enumerate(conversation.messages):
        said = message.get("content")
        if not isinstance(said, str) or opens_reasoning(said) or without_space(said) in written:
            continue
        if not altered(said.strip(), text):  # chat_template/turns says how it is written
            yield _Lost(conversation, index, text)


def _instructs(conversation: Conversation) -> bool:
    """Return whether the conversation begins with a system message that has text."""
    first = conversation.messages[0]
    return first["role"] == "system" and bool(str(first.get("content") or "").strip())


def _findings(
    one: ChatRendering, lost: list[_Lost], conversations: tuple[Conversation, ...]
) -> Iterator[Finding]:
    """Report lost turns as errors, lost system messages as warnings, and list the others."""
    turns = [each for each in lost if each.plain and each.role in TURNS]
    # Leave out templates that take lists of parts: plain words are not for them.
    if _only_in_parts(one, turns):
        return
    if turns:
        yield _finding(one, turns, Severity.ERROR, "passes over turns")
    plain = [each.id for each in conversations if is_plain(each) and _instructs(each)]
    system = [each for each in lost if each.plain and each.role == "system"]
    passed_over = {each.conversation.id for each in system}
    # Tell a template that writes no system message from one that drops some.
    always = bool(system) and passed_over >= set(_rendered(one, plain))
    if always:
        yield _finding(one, system, Severity.WARNING, "passes over system messages")
    rest = [each for each in lost if each not in turns and not (always and each in system)]
    later = [each for each in rest if each.role == "system" and each.message]
    # Report later ones by themselves: many templates read the first alone.
    if later and not always:
        yield _finding(one, later, Severity.WARNING, "drops later system messages")
        rest = [each for each in rest if each not in later]
    if rest:
        yield _finding(one, rest, Severity.INFO, "passes over other messages")


def _with_calls(one: PartRendering) -> Iterator[Finding]:
    """Report lost words next to a call."""
    found = one.plain("call-words", 2)
    if writes_calls(one) and found.ok and BEFORE_CALL not in found.text:
        said = ("with calls", "drops the text of a message that calls a tool")
        yield part_finding(one, Severity.WARNING, said, ("call-words", found))


def _with_no_calls(one: PartRendering) -> Iterator[Finding]:
    """Report an answer that is lost because its list of calls is empty, as clients send it."""
    answers, empty = one.plain("answers"), one.plain("answers-no-calls")
    if FIRST_ANSWER in answers.text and FIRST_ANSWER not in empty.text:
        does = "passes over an answer" if empty.ok else "fails on an answer"
        said = ("empty list of calls", f"{does} whose list of calls is empty")
        severity = Severity.WARNING if empty.ok else Severity.INFO  # a client sees that it fails
        yield part_finding(one, severity, said, ("answers-no-calls", empty))


def _only_in_parts(one: ChatRendering, turns: list[_Lost]) -> bool:
    """Return whether the template takes contents as lists of parts, and no plain text."""
    chat = plain_chat(one)
    if not turns or chat is None or chat.id != "parts-text":
        return False
    return PRINTED_PART not in chat.whole.plain.text


def _rendered(one: ChatRendering, ids: list[str]) -> Iterator[str]:
    """Yield the ids of conversations with a rendered text."""
    for id in ids:
        found = one.rendered.conversation(id)
        if found is not None and found.whole.plain.ok:
            yield id


def _finding(one: ChatRendering, lost: list[_Lost], severity: Severity, cause: str) -> Finding:
    first = min(lost, key=lambda each: (len(each.conversation.messages), len(each.text)))
    said = str(first.conversation.messages[first.message]["content"]).strip()
    others = len({each.conversation.id for each in lost}) - 1
    more = f"; {plural(others, 'more test conversation')} lose words" if others else ""
    roles = some(list(dict.fromkeys(each.role for each in lost)))
    return Finding(
        severity,
        f"{named(one.template)} silently drops messages of the role {roles}: in the test "
        f"conversation {first.conversation.id!r}, the prompt lacks {said!r}{more}.",
        (place_of(one.template),),
        (shown(first.conversation.id, first.text),),
        cause=cause,
        about=about(said),
    )
