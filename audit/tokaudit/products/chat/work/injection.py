"""Try markers in the words of users and tools, and record which are forged."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tokaudit.products.chat.rendering.rendering import RenderedTemplate, RenderRequest
from tokaudit.products.chat.work.attacks import Attack, Slot, attacks, conversation, twin
from tokaudit.products.chat.work.chat_client import ChatRenderer
from tokaudit.products.chat.work.renderings import ChatIds, ChatRendering, ChatRenderings
from tokaudit_reference.spec import TokenizerSpec

MOST_LITERALS = 8  # of a template; the rest would say the same again
SOURCES = ("turns-2", "system-turns-1", "tool-call", "parts-text")  # no content holds a marker
WRITTEN = re.compile(r"<[^<>\s]{1,40}>|\[/?[A-Z_]{2,30}\]|\[\|/?\w{1,40}\|\]|<</?[A-Z]+>>")


@dataclass(frozen=True)
class Trial:
    """One rendered attack: its text, and whether the marker was forged.

    A marker that is a token is forged when its id occurs more often than in the twin, any other
    when its text does: it is then made of the same tokens.
    """

    attack: Attack
    text: str
    forged: bool


@dataclass(frozen=True)
class Trials:
    """All attempts on one template, and its markers that are tokens."""

    rendering: ChatRendering
    tokens: dict[str, int]
    tried: tuple[Trial, ...]


@dataclass(frozen=True)
class InjectionTrials:
    """Trials on every usable template, the default first."""

    all: tuple[Trials, ...]


@dataclass(frozen=True)
class BaseInjectionTrials:
    """Trials on the base's templates, by the base's tokenizer."""

    trials: InjectionTrials


def try_all(
    renderings: ChatRenderings, spec: TokenizerSpec, ids: ChatIds, renderer: ChatRenderer
) -> InjectionTrials:
    """Attack every usable template with its own markers, each distinct text once."""
    found: dict[str, Trials] = {}
    for one in renderings.usable:
        if one.template.text not in found:
            markers = _markers(one, spec, ids)
            tried = tuple(_try(one, markers, (renderings.special_tokens, ids, renderer)))
            tokens = {marker: id for marker, id in markers.items() if id is not None}
            found[one.template.text] = Trials(one, tokens, tried)
    return InjectionTrials(tuple(found.values()))


def _markers(one: ChatRendering, spec: TokenizerSpec, ids: ChatIds) -> dict[str, int | None]:
    """Return the template's markers: added tokens with ids, and look-alikes."""
    added = {token.id: token.content for token in spec.added_tokens}
    found: dict[str, int | None] = {}
    for source in SOURCES:
        chat = one.rendered.conversation(source)
        text = chat.whole.plain.text if chat is not None else ""
        if text:
            found |= {added[id]: id for id in ids.one(text).ids if id in added}
            named = WRITTEN.findall(text)
            found |= {marker: None for marker in named if not any(m in marker for m in found)}
    return dict([pair for pair in found.items() if len(pair[0].strip()) > 2][:MOST_LITERALS])


Context = tuple[dict[str, str], ChatIds, ChatRenderer]


def _try(one: ChatRendering, markers: dict[str, int | None], context: Context) -> Iterator[Trial]:
    """Render every attack and its twin, and count the markers in both."""
    special, ids, renderer = context
    asked = list(attacks(list(markers)))
    conversations = (*map(twin, Slot), *map(conversation, asked))
    rendered = renderer.render(RenderRequest(one.template.text, conversations, special))
    texts = {attack: _text(rendered, conversation(attack).id) for attack in asked}
    twins = {slot: _text(rendered, twin(slot).id) for slot in Slot}
    ids.of([text for text in (*texts.values(), *twins.values()) if text is not None])
    for attack, text in texts.items():
        other = twins[attack.slot]
        if text is not None and other is not None:
            marker = (attack.literal, markers[attack.literal])
            yield Trial(attack, text, _count(text, marker, ids) > _count(other, marker, ids))


def _text(rendered: RenderedTemplate, id: str) -> str | None:
    chat = rendered.conversation(id)
    return chat.whole.plain.text if chat is not None and chat.whole.plain.ok else None


def _count(text: str, marker: tuple[str, int | None], ids: ChatIds) -> int:
    literal, id = marker
    return text.count(literal) if id is None else list(ids.one(text).ids).count(id)


def rates(tried: Sequence[Trial]) -> dict[str, str]:
    """Count the forged literals for each slot and disguise.

    >>> rates([Trial(Attack("<s>", Slot.USER), "<s>", True)])
    {"a user's message, as it is": '1 of 1'}
    """
    kinds = dict.fromkeys((trial.attack.slot, trial.attack.disguise) for trial in tried)
    found = {}
    for slot, disguise in kinds:
        of_kind = [t for t in tried if (t.attack.slot, t.attack.disguise) == (slot, disguise)]
        forged = sum(trial.forged for trial in of_kind)
        found[f"{slot}, {disguise}"] = f"{forged} of {len(of_kind)}"
    return found
