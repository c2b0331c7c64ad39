"""Templates that rewrite earlier turns when later ones follow."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tokaudit.engine.options import Options
from tokaudit.plugin import (
    Basis,
    Finding,
    Harm,
    NotApplicable,
    Severity,
    check,
    text_evidence,
    token_names,
)
from tokaudit.products.chat.rendering.rendering import RenderedConversation, Step
from tokaudit.products.chat.work.renderings import ChatIds, ChatRendering, ChatRenderings
from tokaudit.subject.conversations.conversation import Conversation
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.chat_template._openings import always_opened
from tokaudit_suites.shared.rendered_chats import named, place_of
from tokaudit_suites.shared.repairs import TEMPLATE_AS_TRAINED
from tokaudit_suites.shared.uses import for_use

REASONING = re.compile(
    r"<(\|?)(think|thinking|thought|reasoning)\1>.*?(?:</?\1\2\1>|<\|/\2\|>)\s*"
    r"|\[THINK\].*?\[/THINK\]\s*",
    re.DOTALL,
)


@check(
    "chat_template/prefix",
    title="A longer conversation begins with the shorter one",
    why="Prefix caches, turn-by-turn training and multi-turn reinforcement learning assume that "
    "earlier turns stay as they were written. If a chat template renders an earlier turn "
    "differently once later turns follow, the ids of this turn change in the middle of a "
    "conversation.",
    remedy="In the chat template, render each turn from its own message alone, or train on each "
    "turn of a conversation as a separate example.",
    repair=TEMPLATE_AS_TRAINED,
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=(Basis.INTRINSIC,),
    incident="Qwen3 drops reasoning from earlier turns (axon-rl/gem #44, mlc-ai/mlc-llm #3484).",
)
def prefix(
    renderings: ChatRenderings, spec: TokenizerSpec, ids: ChatIds, options: Options
) -> Iterator[Finding]:
    """Compare the text and ids of each answered conversation with those after one more turn."""
    if not renderings.usable:
        raise NotApplicable("no chat template is rendered")
    for one in renderings.usable:
        if always_opened(one):
            continue  # chat_template/generation-prompt reports it
        judge = _Judge(spec, ids, renderings.special_tokens.get("eos_token", ""))
        ways: dict[tuple[Severity, str], Finding] = {}  # the first conversation that shows each
        for conversation in renderings.conversations:
            rendered = one.rendered.conversation(conversation.id)
            if rendered is not None and _ordinary(conversation):
                for finding in _changes(one, conversation, rendered, judge):
                    ways.setdefault((finding.severity, finding.cause), finding)
        for finding in ways.values():
            cached = {"serving": Severity.WARNING} if finding.severity is Severity.INFO else {}
            yield for_use(finding, options, {"rollouts": Severity.ERROR, **cached})


@dataclass(frozen=True)
class _Judge:
    """A tokenizer to measure a change with."""

    spec: TokenizerSpec
    ids: ChatIds
    eos: str


def _ordinary(conversation: Conversation) -> bool:
    """Return whether user and assistant alternate, perhaps with tools, as in a normal chat."""
    roles = [role for role in conversation.roles if role not in ("system", "tool")]
    alternate = all(one != other for one, other in pairwise(roles) if one != "assistant")
    return roles[:1] == ["user"] and alternate and "system" not in conversation.roles[1:]


def _changes(
    one: ChatRendering,
    conversation: Conversation,
    rendered: RenderedConversation,
    judge: _Judge,
) -> Iterator[Finding]:
    answered = [
        step for step in rendered.steps if conversation.roles[step.messages - 1] == "assistant"
    ]
    for shorter, longer in pairwise(answered):
        both = shorter.plain.ok and longer.plain.ok
        if both and not longer.plain.text.startswith(shorter.plain.text):
            yield _finding(one, conversation, (shorter, longer), judge)


ANEW = "rewrites an earlier turn"


@dataclass(frozen=True)
class _Change:
    """A change of the shorter text, its severity, and a name without data."""

    severity: Severity
    cause: str
    what: str


def _change(before: str, after: str, eos: str, messages: Messages, tools: bool) -> _Change:
    """Describe the change: only reasoning may go and the last end may change, never words.

    Published templates write the lists of tools, and words next to calls, according to what comes
    later, and some open or end the last turn differently: that is their design, and information.
    """
    if eos and after.startswith(before.removesuffix(eos)):
        what = f"ends a conversation with {eos!r}, but not an earlier turn"
        return _Change(Severity.INFO, "other end", what)
    reasoned = [index for index, message in enumerate(messages) if _reasoning(message)]
    spans = reasoned or REASONING.search(before)
    kept = _bare(before.removesuffix(eos), messages)
    if spans and _bare(after, messages).startswith(kept):
        number = 1 + (reasoned[0] if reasoned else len(messages) - 1)
        what = f"drops reasoning from an earlier turn (message {number})"
        return _Change(Severity.INFO, "drops reasoning", what)
    texts = (str(message.get("content") or "").strip() for message in messages)
    words = [text for text in texts if text] or [""]  # an empty answer has no place in the text
    plain = not tools and not reasoned and not any("tool_calls" in one for one in messages)
    end = before.rfind(words[-1]) + len(words[-1])
    lost = plain and not _bare(after, messages).startswith(_bare(before[:end], messages))
    return _Change(Severity.ERROR if lost else Severity.INFO, ANEW, ANEW)


Messages = Sequence[Mapping[str, Any]]


def _reasoning(message: Mapping[str, Any]) -> str:
    """Return the reasoning of a message, from its own field or its content."""
    separate = message.get("reasoning_content")
    inside = REASONING.search(str(message.get("content") or ""))
    return separate if isinstance(separate, str) else inside[0] if inside else ""


def _bare(text: str, messages: Messages) -> str:
    """Return a text without reasoning and its surrounding space."""
    text = REASONING.sub("", text)
    for message in messages:
        text = text.replace(_reasoning(message).strip() or "\0", "")
    return "".join(text.split())


def _finding(
    one: ChatRendering,
    conversation: Conversation,
    steps: tuple[Step, Step],
    judge: _Judge,
) -> Finding:
    before, after = (step.plain.text for step in steps)
    messages = conversation.messages[: steps[0].messages]
    change = _change(before, after, judge.eos, messages, bool(conversation.tools))
    shorter, longer = (encoding.ids for encoding in judge.ids.of([before, after]))
    cut = longer[: len(shorter)]
    same = next((i for i, (a, b) in enumerate(zip(shorter, cut, strict=False)) if a != b), len(cut))
    counts = [f"{step.messages} messages" for step in steps]
    kept = (f"only the first {same:,}" if same else "none") + f" of {len(shorter):,} tokens stay"
    kept = f", and {kept} the same"
    return Finding(
        change.severity,
        f"{named(one.template)} {change.what}: in the test conversation {conversation.id!r}, "
        f"the text of {counts[1]} does not begin with the text of the first {counts[0]}"
        f"{kept if same < len(shorter) else ''}.",
        (place_of(one.template),),
        (
            text_evidence(
                after,
                shorter,
                cut,
                token_names(judge.spec),
                (counts[0], counts[1]),
                f"conversation {conversation.id}",
            ),
        ),
        cause=change.cause,
    )
