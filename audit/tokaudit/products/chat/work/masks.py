"""Masks of trained tokens in a rendered conversation, by trainer.

Source of TRL's rules: trl 1.16.0, `SFTTrainer._prepare_dataset`.  A row with a prompt and a
completion is learned from the first id in which the tokenized prompt and the whole differ; a row of
messages has no such mask, so that every token counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from tokaudit.products.chat.rendering.rendering import RenderedConversation
from tokaudit.products.chat.rendering.segments import Unknown, trained_spans
from tokaudit.products.chat.work.renderings import ChatIds
from tokaudit.subject.conversations.conversation import Conversation


class Trainer(StrEnum):
    """The owner of a mask, as users write it."""

    TRL_ASSISTANT = "trl-assistant"
    TRL_COMPLETION = "trl-completion"
    TAGS = "tags"
    ALL = "all"
    TURNS = "turns"


MEANT = {
    Trainer.TRL_ASSISTANT: "generation tags, of completions alone (TRL, assistant_only_loss)",
    Trainer.TRL_COMPLETION: "what comes after the prompt of a row (TRL, completion_only_loss)",
    Trainer.TAGS: "what generation tags hold (transformers' assistant mask)",
    Trainer.ALL: "every token",
    Trainer.TURNS: "the assistant's turns, each after its opening",
}
NO_TAGS = "the template has no generation tags, by which this trainer masks"
Mask = tuple[bool, ...] | Unknown


def guessed(given: Conversation, rendered: RenderedConversation) -> Trainer:
    """Guess the trainer from a row and its template, if none is named."""
    if given.prompted:
        return Trainer.TRL_COMPLETION
    return Trainer.TAGS if rendered.whole.plain.assistant else Trainer.TURNS


def mask_of(
    given: Conversation, rendered: RenderedConversation, ids: ChatIds, trainer: Trainer
) -> Mask:
    """Return for each token whether that trainer learns it, if known."""
    text, last = rendered.whole.plain.text, len(given.messages) - 1
    if trainer is Trainer.ALL or (trainer is Trainer.TRL_COMPLETION and not given.prompted):
        return (True,) * len(ids.one(text).ids)
    if trainer is Trainer.TRL_COMPLETION:
        return _after_prompt(given, rendered, ids)
    if trainer is Trainer.TURNS:
        spans = trained_spans(rendered, given.roles)
        return spans if isinstance(spans, Unknown) else ids.trained(text, spans)
    if not rendered.whole.plain.assistant:
        return Unknown(last, NO_TAGS)
    tagged = ids.trained(text, rendered.whole.plain.assistant)
    if trainer is Trainer.TAGS or not given.prompted:
        return tagged
    after = _after_prompt(given, rendered, ids)
    if isinstance(after, Unknown):
        return after
    return tuple(one and other for one, other in zip(tagged, after, strict=True))


def _after_prompt(given: Conversation, rendered: RenderedConversation, ids: ChatIds) -> Mask:
    """Mark the ids after those that the whole shares with the prompt."""
    step = next((one for one in rendered.steps if one.messages == given.prompted), None)
    if step is None or step.prompted is None or not step.prompted.ok:
        return Unknown(given.prompted - 1, "the prompt by itself is not rendered")
    prompt, whole = (ids.one(one).ids for one in (step.prompted.text, rendered.whole.plain.text))
    same = shared(prompt, whole)
    return tuple(at >= same for at in range(len(whole)))


def shared(one: Sequence[object], other: Sequence[object]) -> int:
    """Return the length of the common beginning.

    >>> shared([1, 2, 3], [1, 2]), shared([1, 2, 3], [4])
    (2, 0)
    """
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
