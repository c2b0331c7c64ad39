"""Find the values of the grammar that cause a fault, in the fewest messages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product

from tokaudit.products.chat.rendering.grammar.building import (
    FALSY,
    NAMED_PARAMETER,
    NULL,
    ShapedConversation,
    built,
)
from tokaudit.products.chat.rendering.grammar.features import (
    FEATURES,
    NONE,
    ROOM_OF_AMOUNTS,
    SPEAKERS,
    Choice,
    allowed,
    is_plain,
    plainest,
    speakers,
    with_room,
)
from tokaudit.products.chat.rendering.rendering import Rendering
from tokaudit.products.chat.work.shapes.explaining import Values, ValueTable
from tokaudit.products.chat.work.shapes.faults import (
    INSIDE,
    NO_HABITS,
    Detail,
    Fault,
    Habits,
    Law,
    details,
)

MOST_CAUSES = 4  # of one fault
MOST_SHRUNK = 3  # faults that no two values explain
Render = Callable[[Sequence[ShapedConversation]], Sequence[Rendering]]
Row = tuple[ShapedConversation, Rendering, Mapping[Fault, Detail]]


@dataclass(frozen=True, slots=True)
class ShapeFault:
    """One fault, its causing values, and the smallest conversation that has it."""

    fault: Fault
    values: Choice
    shown: ShapedConversation
    rendering: Rendering
    words: str

    @property
    def plain(self) -> bool:
        """Return whether a conversation in transformers' own form has the fault."""
        return is_plain(self.shown.chosen)

    @property
    def rank(self) -> int:
        """Return the index of its last value among the feature's, the plainest first."""
        name, value = list(self.values.items())[-1]
        return FEATURES[name].index(value) if value != NONE else 0

    @property
    def shape(self) -> str:
        """Describe the values that the plainest conversation does not have."""
        odd = [f"{name}: {value}" for name, value in self.values.items()]
        return ", ".join(odd)


def explained(
    given: Sequence[ShapedConversation],
    rendered: Sequence[Rendering],
    render: Render,
    habits: Habits = NO_HABITS,
    asked_for: Callable[[Fault], bool] = lambda _: True,
) -> tuple[ShapeFault, ...]:
    """Return every requested fault with its causes, each confirmed by a conversation."""

    def judged(asked: Sequence[ShapedConversation], texts: Sequence[Rendering]) -> list[Row]:
        pairs = zip(asked, texts, strict=True)
        return [(one, at, {d.fault: d for d in details(one, at, habits)}) for one, at in pairs]

    rows = judged(given, rendered)
    faults = dict.fromkeys(fault for *_, of_row in rows for fault in of_row if asked_for(fault))
    table = _Table(rows)
    candidates = {
        fault: [_with_place(fault, each) for each in table.candidates(fault)] for fault in faults
    }
    smallest = [simplest(each) for of_fault in candidates.values() for each in of_fault]
    asked = list({one.id: one for one in smallest if one is not None}.values())
    tried = {row[0].id: row for row in judged(asked, render(asked) if asked else ())}
    found = [
        each for fault in faults for each in _confirmed(fault, candidates[fault], tried)
    ]  # what no candidate confirms is made small from the first conversation that has it
    known = {each.fault for each in found}
    left = [fault for fault in faults if fault.law in SHRUNK and fault not in known]
    return (*found, *(_shrunk(fault, rows, render, habits) for fault in left[:MOST_SHRUNK]))


Tried = Mapping[str, Row]
"""The plain conversation of each candidate, rendered, by its id."""


def _confirmed(fault: Fault, candidates: Sequence[Choice], tried: Tried) -> Iterator[ShapeFault]:
    """Yield causes whose smallest conversation has the fault, without redundant ones."""
    known: list[Choice] = []
    for values in candidates:
        one = simplest(values)
        if one is None or any(each.items() <= values.items() for each in known):
            continue
        shown, rendering, faults = tried[one.id]
        if known and fault.law in OF_FRAMES:
            return  # one plain conversation is enough
        if fault in faults and len(known) < MOST_CAUSES:
            known.append(values)
            yield ShapeFault(fault, values, shown, rendering, faults[fault].words)


FIXED: Mapping[tuple[Law, str], Choice] = {
    (Law.WRITTEN, FALSY): {"calls": "c", "arguments": "literals"},
    (Law.WRITTEN, NULL): {"calls": "c", "arguments": "literals"},
    (Law.WRITTEN, NAMED_PARAMETER): {"amount": "many parameters"},
    (Law.NO_NONE, "content"): {"call content": "null"},
    (Law.NO_NONE, "name"): {"result name": "null"},
    (Law.NAMED, ""): {"result name": "absent"},
    (Law.JSON, "a call"): {"arguments": "literals"},
}
"""The one value that can bring a fault of these."""


SHRUNK = (
    Law.RENDERS,
    Law.CUT,
    Law.OPENED,
    Law.PAIRED,
    Law.VALUES,
    Law.READ,
    Law.VERBATIM,
    Law.OWN_NAME,
)
"""The laws that one conversation is enough to break, whatever others show."""
OF_FRAMES = (Law.CLOSED, Law.ENDED_ONCE, Law.BEGUN_ONCE, Law.OPENED, Law.LAST)
PLAIN_ORDERS: tuple[Choice, ...] = (
    {"ending": "a"},
    {"beginning": "q a q"},
    {"instructions": "system"},
    {"calls": "c r"},
    {"calls": "c r", "ending": "a"},
)
"""The plain conversations in which each role is followed by each other."""


class _Table:
    """Rows by value, to find the values that explain a fault."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self.values = ValueTable([one.chosen for one, *_ in rows])

    def bits(self, told: Callable[[Row], bool]) -> int:
        """Return the rows that satisfy a condition, as bits."""
        return sum(1 << place for place, row in enumerate(self.rows) if told(row))

    def candidates(self, fault: Fault) -> Iterator[Choice]:
        """Yield values, and pairs of values, that occur with the fault and never without."""
        broken = self.bits(lambda row: fault in row[2])
        sound = self.bits(lambda row: fault not in row[2] and _may(fault, row[0], row[1]))
        if not sound and _judged_elsewhere(fault):
            return
        named = [row for row in self.rows if fault in row[2] and _may(fault, row[0], row[1])]
        if fault.law is Law.NAMED and named:
            return  # results have no names at all
        if (fault.law, fault.where) in FIXED:
            yield FIXED[fault.law, fault.where]
            return
        if fault.law in OF_FRAMES:
            yield from PLAIN_ORDERS
        yield from self.values.explaining(broken, sound)


ROOM: tuple[Choice, ...] = ({"calls": "c r"}, {"ending": "a"}, {"instructions": "system"})
"""What gives results, answers and instructions room."""


def _with_place(fault: Fault, values: Choice) -> Choice:
    """Add values that give room to lost words, if there is none."""
    if fault.law not in (Law.WRITTEN, Law.ONCE) or _has_place(fault, values):
        return values
    more = ({**values, **each} for each in ROOM if not each.keys() & values.keys())
    return next((each for each in more if _has_place(fault, each)), values)


def _has_place(fault: Fault, values: Choice) -> bool:
    """Return whether the smallest conversation of these values has words in that place."""
    one = simplest(values)
    return one is not None and fault.where in one.places


def _judged_elsewhere(fault: Fault) -> bool:
    """Return whether other checks cover a fault that is always there."""
    inside = fault.where in INSIDE
    return fault.law in (Law.WRITTEN, Law.ONCE) and not _is_rude(fault) and not inside


def _is_rude(fault: Fault) -> bool:
    """Return whether no plain conversation has the words in that form."""
    return fault.where.endswith((": parts", ": mapping"))


def _may(fault: Fault, one: ShapedConversation, found: Rendering) -> bool:
    """Return whether a conversation without a fault could have had it."""
    if fault.law is Law.RENDERS:
        return found.ok
    if not found.ok:
        return False
    if fault.law is Law.NAMED:
        return one.chosen["result name"] == "given"
    asked = fault.law in (Law.WRITTEN, Law.ONCE) and not _is_rude(fault)
    return not asked or fault.where in one.places


def simplest(values: Choice) -> ShapedConversation | None:
    """Return the plain conversation with these values and the fewest messages, or None.

    >>> simplest({"result": "parts"}).given.roles
    ('user', 'assistant', 'tool')
    """
    return _simplest(tuple(values.items()))


@lru_cache(maxsize=1000)
def _simplest(values: Values) -> ShapedConversation | None:
    given = dict(values)
    wanted = {**ROOM_OF_AMOUNTS.get(given.get("amount", ""), {}), **given}
    for chosen in _shortest_first():
        full = {**plainest(), **dict(zip(SPEAKERS, chosen, strict=True)), **wanted}
        if any(full[name] != one for name, one in zip(SPEAKERS, chosen, strict=True)):
            continue
        if full["calls"] != "none" and "tools" not in wanted:
            full["tools"] = "described"
        room = with_room(full)
        if allowed(room) and all(room[name] == value for name, value in values):
            return built(room)
    return None


@cache
def _shortest_first() -> tuple[tuple[str, ...], ...]:
    """Return every order of speakers, the shortest first."""
    every = product(*(FEATURES[name] for name in SPEAKERS))
    return tuple(
        sorted(every, key=lambda each: len(speakers(dict(zip(SPEAKERS, each, strict=True)))))
    )


def _shrunk(fault: Fault, rows: Sequence[Row], render: Render, habits: Habits) -> ShapeFault:
    """Shrink the first conversation with the fault, making features plain one by one."""
    broken = [row for row in rows if fault in row[2]]
    shown, rendering, faults = min(broken, key=lambda row: len(row[0].given.messages))
    while True:
        smaller = [built(each) for each in _simpler(shown.chosen)]
        answers = render(smaller) if smaller else ()
        for one, text in zip(smaller, answers, strict=True):
            again = {each.fault: each for each in details(one, text, habits)}
            if fault in again:
                shown, rendering, faults = one, text, again
                break
        else:
            odd = {n: v for n, v in shown.chosen.items() if v not in (NONE, plainest()[n])}
            return ShapeFault(fault, odd or shown.chosen, shown, rendering, faults[fault].words)


def _simpler(chosen: Choice) -> Iterator[Choice]:
    """Yield the conversation with one more feature at its plainest."""
    for name, value in chosen.items():
        if value in (NONE, plainest()[name]):
            continue
        full = {**plainest(), **{n: v for n, v in chosen.items() if v != NONE and n != name}}
        if allowed(room := with_room(full)):
            yield room
