"""Texts that two templates render alike, but train on different tokens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tokaudit.plugin import Finding, Severity, text_evidence, token_names
from tokaudit.products.chat.rendering.segments import Span, learned_apart
from tokaudit.products.chat.work.renderings import ChatIds, ChatRendering
from tokaudit_reference.batching.padding import IGNORED
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.rendered_chats import named, place_of
from tokaudit_suites.shared.wording import plural

TAGS = "In the chat template, put the generation tags where the base's template has such tags."
Context = tuple[TokenizerSpec, ChatIds]


@dataclass(frozen=True)
class LearnedOtherwise:
    """A text with the trained spans of both templates, and which of them has tags."""

    conversation: str
    text: str
    spans: tuple[tuple[Span, ...], tuple[Span, ...]]
    tagged: tuple[bool, bool]

    def rows(self, context: Context) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the trained ids of the text, by each template."""
        _, ids = context
        encoded = ids.one(self.text).ids
        mine, theirs = (
            tuple(
                token if trained else IGNORED
                for token, trained in zip(encoded, ids.trained(self.text, spans), strict=True)
            )
            for spans in self.spans
        )
        return mine, theirs


def learned_otherwise(
    one: ChatRendering, other: ChatRendering, roles: Mapping[str, Sequence[str]], context: Context
) -> Iterator[Finding]:
    """Report the shortest text with different trained tokens; an error if both use tags."""
    shortest = sorted(_apart(one, other, roles), key=lambda each: len(each.text))
    for each in shortest:
        mine, theirs = each.rows(context)
        if mine != theirs:
            yield _finding(one, other, each, (mine, theirs), context[0])
            return


def _apart(
    one: ChatRendering, other: ChatRendering, roles: Mapping[str, Sequence[str]]
) -> Iterator[LearnedOtherwise]:
    """Yield each such text, by its tags or else by the assistant's messages."""
    for mine in one.rendered.conversations:
        theirs = other.rendered.conversation(mine.id)
        if theirs is None or mine.whole.plain.text != theirs.whole.plain.text:
            continue
        tags = mine.whole.plain.assistant, theirs.whole.plain.assistant
        by_tags = tags if tags[0] != tags[1] else None
        spans = learned_apart(mine, theirs, roles[mine.id]) or by_tags
        if spans is not None:
            text, tagged = mine.whole.plain.text, (bool(tags[0]), bool(tags[1]))
            yield LearnedOtherwise(mine.id, text, spans, tagged)


def _finding(
    one: ChatRendering,
    other: ChatRendering,
    found: LearnedOtherwise,
    rows: tuple[tuple[int, ...], tuple[int, ...]],
    spec: TokenizerSpec,
) -> Finding:
    mine, theirs = rows
    counts = [sum(token != IGNORED for token in row) for row in rows]
    where, labels = f"conversation {found.conversation}", ("base", "this")
    names = {**token_names(spec), IGNORED: "masked"}
    does, base_does = ("marks" if tags else "leaves" for tags in found.tagged)
    return Finding(
        Severity.ERROR if all(found.tagged) else Severity.INFO,
        f"{named(one.template)} {does} {plural(counts[0], 'token')} as the assistant's in the "
        f"test conversation {found.conversation!r}, but the base's {other.template.file} "
        f"{base_does} {plural(counts[1], 'token')} of the same text as the assistant's.",
        (place_of(one.template),),
        (text_evidence(found.text, theirs, mine, names, labels, where),),
        remedy=TAGS if found.tagged[1] else "",
        cause="marks otherwise",
    )
