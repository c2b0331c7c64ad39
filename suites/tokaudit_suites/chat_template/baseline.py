"""Chat templates that write a conversation unlike the base's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tokaudit.engine.facet_names import CHAT_TEMPLATE
from tokaudit.plugin import (
    Basis,
    Evidence,
    Finding,
    Harm,
    Measured,
    Measurement,
    NotApplicable,
    Options,
    Severity,
    Worse,
    check,
    text_evidence,
    token_names,
)
from tokaudit.products.chat.rendering.rendering import RenderedConversation, Rendering
from tokaudit.products.chat.work.renderings import (
    BaseChatRenderings,
    ChatIds,
    ChatRendering,
    ChatRenderings,
)
from tokaudit.products.chat.work.shapes.apart import Apart, BaseShapeTexts, written_apart
from tokaudit.products.chat.work.shapes.renderings import ShapeRendering, ShapeRenderings
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.chat_template._learned_otherwise import learned_otherwise
from tokaudit_suites.shared.rendered_chats import named, place_of
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.uses import unless_unasked
from tokaudit_suites.shared.wording import plural, some

ALIKE = "chat_template/texts_alike"


@check(
    "chat_template/baseline",
    title="The chat template writes what the base's does",
    why="The model's weights expect chats exactly as the base model's chat template renders them. "
    "A template that writes one space or line end more or less changes the ids of every turn.",
    remedy="Copy the base's template, or fine-tune the model with this template.",
    repair=person_decides("the model expects one of the two templates, and no file says which"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=(Basis.BASELINE,),
    measures=(Measured(ALIKE, Worse.LOWER),),
    incident="A tuned checkpoint writes conversations differently than its base "
    "(princeton-nlp/SimPO #24).",
)
def baseline(
    renderings: ChatRenderings,
    base: BaseChatRenderings,
    shapes: ShapeRenderings,
    of_base: BaseShapeTexts,
    spec: TokenizerSpec,
    ids: ChatIds,
    options: Options,
) -> Iterator[Finding | Measurement]:
    """Render the role matrix and the grammar by both, and show where they differ."""
    others = {one.template.name: one for one in base.renderings.all[::-1]}
    pairs = [
        (one, others[one.template.name]) for one in renderings.all if one.template.name in others
    ]
    if not pairs:
        raise NotApplicable("the base has no template of the same name")
    one, other = pairs[0]  # the one that loaders take
    differing = list(_differing(one, other))
    in_forms = shapes.by_text.get(one.template.text)
    apart = () if in_forms is None else _apart(in_forms, of_base.by_text.get(other.template.text))
    if differing:
        found = _finding(one, other, differing, (spec, ids))
        if apart:
            found = replace(found, evidence=(*found.evidence, _by_part(apart)))
        yield unless_unasked(found, options, CHAT_TEMPLATE)
    elif apart:
        yield unless_unasked(_in_forms(one, other, apart, (spec, ids)), options, CHAT_TEMPLATE)
    if in_forms is not None:
        yield _alike(one, in_forms, len(differing) + sum(each.count for each in apart))
    roles = {each.id: each.roles for each in renderings.conversations}
    for marked in learned_otherwise(one, other, roles, (spec, ids)):
        yield unless_unasked(marked, options, CHAT_TEMPLATE)


def _alike(one: ChatRendering, in_forms: ShapeRendering, differing: int) -> Measurement:
    """Count the texts that both templates render alike."""
    of_matrix = sum(len(_both(each)) for each in one.rendered.conversations)
    count = of_matrix + len(in_forms.texts)
    return Measurement(
        ALIKE,
        "Texts that both templates write alike",
        count - differing,
        "texts",
        count,
        "the role matrix with and without a generation prompt, and the grammar of conversations",
    )


Difference = tuple[str, Rendering, Rendering]
Context = tuple[TokenizerSpec, ChatIds]


def _differing(one: ChatRendering, other: ChatRendering) -> Iterator[Difference]:
    """Yield conversations that both render differently, or only one renders."""
    for mine in one.rendered.conversations:
        theirs = other.rendered.conversation(mine.id)
        for left, right in zip(_both(mine), _both(theirs), strict=False):
            if (left.text, left.ok) != (right.text, right.ok):
                yield mine.id, left, right


def _both(chat: RenderedConversation | None) -> list[Rendering]:
    """Return the renderings without and with the generation prompt."""
    if chat is None:
        return []
    return [one for one in (chat.whole.plain, chat.whole.prompted) if one is not None]


def _apart(mine: ShapeRendering, theirs: Sequence[Rendering] | None) -> tuple[Apart, ...]:
    """Group the generated conversations that the base's template renders differently."""
    return () if theirs is None else written_apart(mine.conversations, mine.texts, theirs)


def _by_part(apart: Sequence[Apart]) -> Evidence:
    """Count the differing conversations by part and by grammar value."""
    facts: dict[str, str] = {}
    for each in apart:
        said = f"{each.count} ({_values(each)})"
        facts[each.place] = f"{facts[each.place]}, {said}" if each.place in facts else said
    return Evidence("facts", facts=facts, note="conversations of the grammar that differ, by part")


def _values(each: Apart) -> str:
    return ", ".join(f"{name}: {value}" for name, value in each.values.items()) or "of all kinds"


def _in_forms(
    one: ChatRendering, other: ChatRendering, apart: tuple[Apart, ...], context: Context
) -> Finding:
    """Report texts that differ only in forms outside the role matrix."""
    first, by_part = apart[0], _by_part(apart)
    groups = [f"{place}: {said}" for place, said in by_part.facts.items()]
    count = sum(each.count for each in apart)
    return Finding(
        Severity.WARNING,
        f"{named(one.template)} writes {plural(count, 'generated conversation')} differently from "
        f"the base's {other.template.file}, by part: {some(groups)}.",
        (place_of(one.template),),
        (_both_rows((first.shown.id, *first.texts), context), by_part),
        cause="differs in a form",
    )


def _finding(
    one: ChatRendering, other: ChatRendering, differing: list[Difference], context: Context
) -> Finding:
    shortest = min(differing, key=lambda d: (not d[1].ok or not d[2].ok, len(d[2].text)))
    shown = _both_rows(shortest, context)
    at = shown.first_difference
    where = "" if at is None else f" from token {at} on"
    return Finding(
        Severity.ERROR,
        f"{named(one.template)} writes {plural(len(differing), 'test conversation')} differently "
        f"from the base's {other.template.file}. The shortest of these is the test conversation "
        f"{shortest[0]!r}, which differs{where}.",
        (place_of(one.template),),
        (shown,),
        cause="differs",
    )


def _both_rows(difference: Difference, context: Context) -> Evidence:
    """Return the tokens of a conversation on each side."""
    (spec, ids), (id, mine, theirs) = context, difference
    expected, actual = (ids.one(each.text).ids if each.ok else () for each in (theirs, mine))
    return text_evidence(
        mine.text or theirs.text,
        expected,
        actual,
        token_names(spec),
        ("base", "this"),
        f"conversation {id}; base: {theirs.text or theirs.error!r}",
    )
