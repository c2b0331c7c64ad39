"""Chat templates that write a conversation unlike the base's."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.engine.facet_names import CHAT_TEMPLATE
from tokaudit.plugin import (
    Basis,
    Finding,
    Harm,
    NotApplicable,
    Options,
    Severity,
    check,
    first_difference,
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
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.chat_template._learned_otherwise import learned_otherwise
from tokaudit_suites.shared.rendered_chats import named, place_of
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.uses import unless_unasked
from tokaudit_suites.shared.wording import plural


@check(
    "chat_template/baseline",
    title="The chat template writes what the base's does",
    why="Weights that expect one rendering meet another; one space or line end is enough "
    "to change the ids of every turn.",
    remedy="Take the base's template, or tune with this one.",
    repair=person_decides("the model expects one of the two templates, and no file says which"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=(Basis.BASELINE,),
    incident="A tuned checkpoint writes conversations differently than its base "
    "(princeton-nlp/SimPO #24).",
)
def baseline(
    renderings: ChatRenderings,
    base: BaseChatRenderings,
    spec: TokenizerSpec,
    ids: ChatIds,
    options: Options,
) -> Iterator[Finding]:
    """Render the role matrix by both, and show the shortest conversation on which they differ."""
    others = {one.template.name: one for one in base.renderings.all[::-1]}
    pairs = [
        (one, others[one.template.name]) for one in renderings.all if one.template.name in others
    ]
    if not pairs:
        raise NotApplicable("the base has no template of the same name")
    one, other = pairs[0]  # the one that loaders take
    differing = list(_differing(one, other))
    if differing:
        found = _finding(one, other, differing, (spec, ids))
        yield unless_unasked(found, options, CHAT_TEMPLATE)
    roles = {each.id: each.roles for each in renderings.conversations}
    for marked in learned_otherwise(one, other, roles, (spec, ids)):
        yield unless_unasked(marked, options, CHAT_TEMPLATE)


Difference = tuple[str, Rendering, Rendering]


def _differing(one: ChatRendering, other: ChatRendering) -> Iterator[Difference]:
    """Every conversation that one of them renders and the other does not, or not so."""
    for mine in one.rendered.conversations:
        theirs = other.rendered.conversation(mine.id)
        for left, right in zip(_both(mine), _both(theirs), strict=False):
            if (left.text, left.ok) != (right.text, right.ok):
                yield mine.id, left, right


def _both(chat: RenderedConversation | None) -> list[Rendering]:
    """Without and with the generation prompt."""
    if chat is None:
        return []
    return [one for one in (chat.whole.plain, chat.whole.prompted) if one is not None]


def _finding(
    one: ChatRendering,
    other: ChatRendering,
    differing: list[Difference],
    context: tuple[TokenizerSpec, ChatIds],
) -> Finding:
    spec, ids = context
    id, mine, theirs = min(differing, key=lambda d: (not d[1].ok or not d[2].ok, len(d[2].text)))
    expected, actual = (ids.one(r.text).ids if r.ok else () for r in (theirs, mine))
    at = first_difference(expected, actual)
    where = "" if at is None else f", from token {at} on"
    return Finding(
        Severity.ERROR,
        f"{named(one.template)} writes {plural(len(differing), 'text')} of the role matrix unlike "
        f"the base's {other.template.file}: the shortest is {id}{where}.",
        (place_of(one.template),),
        (
            text_evidence(
                mine.text or theirs.text,
                expected,
                actual,
                token_names(spec),
                ("base", "this"),
                f"conversation {id}; base: {theirs.text or theirs.error!r}",
            ),
        ),
        cause="differs",
    )
