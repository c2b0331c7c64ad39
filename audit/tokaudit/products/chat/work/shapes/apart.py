"""Conversations of the grammar that two templates render differently, grouped by part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tokaudit.engine.evidence import first_difference
from tokaudit.products.chat.rendering.grammar.building import CALL, ShapedConversation
from tokaudit.products.chat.rendering.grammar.features import Choice
from tokaudit.products.chat.rendering.rendering import Rendering
from tokaudit.products.chat.work.shapes.explaining import ValueTable
from tokaudit.products.chat.work.shapes.faults import INSIDE
from tokaudit.products.chat.work.shapes.parsers import same_values
from tokaudit.subject.upstream.published.templates import published_template

NO_PART, REFUSED = "no part", "no part: one of them has no text"


@dataclass(frozen=True)
class BaseShapeTexts:
    """Texts of the base's templates over the grammar, by template text."""

    by_text: Mapping[str, Sequence[Rendering]]


@dataclass(frozen=True, slots=True)
class Apart:
    """Conversations that differ at one part, with their common values and the shortest.

    There are no values where every conversation that has the part differs.
    """

    place: str
    values: Choice
    count: int
    shown: ShapedConversation
    texts: tuple[Rendering, Rendering]


def written_apart(
    given: Sequence[ShapedConversation], ours: Sequence[Rendering], theirs: Sequence[Rendering]
) -> tuple[Apart, ...]:
    """Group the conversations that differ at one part, the largest group first."""
    rows = list(zip(given, ours, theirs, strict=True))
    places = [_place(*row) for row in rows]
    alike = _bits(
        index
        for index, ((one, mine, _), place) in enumerate(zip(rows, places, strict=True))
        if _tells(one, mine, place)
    )
    table = ValueTable([one.chosen for one in given])
    found = []
    for place in dict.fromkeys(each for each in places if each is not None):
        left = _bits(index for index, each in enumerate(places) if each == place)
        # Differences that no values explain are a group without any.
        for values in (*(table.explaining(left, alike) if alike else ()), {}):
            bits = left & table.bits_of(values)
            left &= ~bits
            if bits:
                of_values = [row for index, row in enumerate(rows) if bits >> index & 1]
                one, mine, its = min(of_values, key=lambda row: _size(row[0]))
                found.append(Apart(place, values, len(of_values), one, (mine, its)))
    return tuple(sorted(found, key=lambda each: -each.count))


def writers_of_values(
    template: str, texts: Sequence[Rendering], base: BaseShapeTexts | None
) -> str:
    """Name the source of the same call values: a maker's release, or the base; else "".

    A base with the same template is not rendered again, and has no texts.
    """
    if released := published_template(template):
        return str(released)
    if base is None:
        return ""
    ours = [each.text for each in texts]
    theirs = [[each.text for each in of_base] for of_base in base.by_text.values()]
    same = not theirs or any(same_values(ours, each) for each in theirs)
    return "the base" if same else ""


def _bits(indices: Iterable[int]) -> int:
    return sum(1 << index for index in indices)


def _size(one: ShapedConversation) -> tuple[int, int]:
    """Return the size and unusualness of a conversation, for sorting."""
    return len(one.given.messages), len(one.id)


def _place(one: ShapedConversation, mine: Rendering, its: Rendering) -> str | None:
    """Return the part nearest to the first difference; None if there is none."""
    if mine.ok != its.ok:
        return REFUSED
    at = first_difference(mine.text.encode(), its.text.encode())
    if at is None:
        return None
    words = [(word, INSIDE.get(part.role, part.place)) for part in one.parts for word in part.words]
    named = [(key, CALL) for key in one.literals]
    places = [
        (abs(found - at), place)
        for word, place in (*words, *named)
        if (found := mine.text.find(word)) >= 0
    ]
    return min(places, default=(0, NO_PART))[1]


def _tells(one: ShapedConversation, mine: Rendering, place: str | None) -> bool:
    """Return whether equal texts are meaningful: both contain the whole conversation."""
    return place is None and mine.ok and not one.given.continue_final
