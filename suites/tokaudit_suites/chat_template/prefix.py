"""Templates that write earlier turns anew when later ones come."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from tokaudit.comparison.evidence import text_evidence, token_names
from tokaudit.engine.chat import ChatIds, ChatRendering, ChatRenderings
from tokaudit.engine.check import check
from tokaudit.errors import NotApplicable
from tokaudit.report.model import Basis, Finding, Severity
from tokaudit.runtimes.chat.conversations import Conversation
from tokaudit.runtimes.chat.rendering import RenderedConversation, Step
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.rendered_chats import named, place_of

REASONING = re.compile(
    r"<(\|?)(think|thinking|thought|reasoning)\1>.*?(?:</?\1\2\1>|<\|/\2\|>)\s*"
    r"|\[THINK\].*?\[/THINK\]\s*",
    re.DOTALL,
)


@check(
    "chat_template/prefix",
    title="A longer conversation begins with the shorter one",
    why="Cached prefixes, turn-by-turn training and multi-turn reinforcement learning all assume "
    "that what was written stays; a template that writes it anew gives the same turn other ids.",
    remedy="Write each turn from its own message alone, or train on each step by itself.",
    severity=Severity.WARNING,
    basis=(Basis.INTRINSIC,),
    incident="Qwen3 drops reasoning from earlier turns (axon-rl/gem #44, mlc-ai/mlc-llm #3484).",
)
def prefix(renderings: ChatRenderings, spec: TokenizerSpec, ids: ChatIds) -> Iterator[Finding]:
    """Compare the text and ids of every answered conversation with those of one turn more."""
    if not renderings.usable:
        raise NotApplicable("no chat template is rendered")
    for one in renderings.usable:
        judge = _Judge(spec, ids, renderings.special_tokens.get("eos_token", ""))
        worst: dict[Severity, Finding] = {}
        for conversation in renderings.conversations:
            rendered = one.rendered.conversation(conversation.id)
            if rendered is not None and _ordinary(conversation):
                for finding in _changes(one, conversation, rendered, judge):
                    worst.setdefault(finding.severity, finding)
        yield from worst.values()


@dataclass(frozen=True)
class _Judge:
    """What a change is measured with."""

    spec: TokenizerSpec
    ids: ChatIds
    eos: str


def _ordinary(conversation: Conversation) -> bool:
    """User and assistant in turn, perhaps with tools: what a chat is made of."""
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


def _change(before: str, after: str, eos: str) -> tuple[str, Severity]:
    """What happens to the shorter text, and what that is worth."""
    if eos and after.startswith(before.removesuffix(eos)):
        return f"ends a conversation with {eos!r}, but not an earlier turn", Severity.INFO
    if REASONING.search(before) and _bare(after).startswith(_bare(before)):
        return "drops reasoning from an earlier turn", Severity.INFO
    return "writes an earlier turn anew", Severity.WARNING


def _bare(text: str) -> str:
    """A text without reasoning, and without the space that goes with it."""
    return "".join(REASONING.sub("", text).split())


def _finding(
    one: ChatRendering,
    conversation: Conversation,
    steps: tuple[Step, Step],
    judge: _Judge,
) -> Finding:
    before, after = (step.plain.text for step in steps)
    what, severity = _change(before, after, judge.eos)
    shorter, longer = (encoding.ids for encoding in judge.ids.of([before, after]))
    cut = longer[: len(shorter)]
    same = next((i for i, (a, b) in enumerate(zip(shorter, cut, strict=False)) if a != b), len(cut))
    return Finding(
        severity,
        f"{named(one.template)} {what}: in the conversation {conversation.id}, {steps[1].messages} "
        f"messages share {same:,} of the {len(shorter):,} tokens of the first {steps[0].messages}.",
        (place_of(one.template),),
        (
            text_evidence(
                after,
                shorter,
                cut,
                token_names(judge.spec),
                (f"{steps[0].messages} messages", f"{steps[1].messages} messages"),
                f"conversation {conversation.id}",
            ),
        ),
        cause=what,
    )
