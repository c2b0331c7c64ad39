"""Facts that findings can share: places, ids, tokens, values.

Only what is specific is a fact.  Two findings in one file, or in one vocabulary, may be two faults.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from tokaudit.report.causes.stage import LONGEST_ROW, Stage, is_rendered, is_row, stage_of
from tokaudit.report.model import Evidence, Finding, Place

LISTS = ("vocab", "vocabulary", "scores", "merges", "added_tokens", "chat_template")
ID_HOLDERS = ("vocab", "vocabulary", "added_tokens", "special_roles")
STEPS = ("normalizer", "pre_tokenizer", "decoder")
TOKENLESS = ("file", "model", *STEPS)  # settings, not tokens
MOST_VALUES = 64  # members of a stated value
QUOTED = re.compile(r"(?<!\w)'((?:[^'\\]|\\.){1,80})'(?!\w)")  # in a line that a place states


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of one finding.

    `spots` are places inside a file and `above` the places around them; `whole` are lists that the
    finding blames as wholes, which one that blames a step does not.  `copies` are files that hold
    one component each differently, and `inside` is the component that is blamed.  `shown` are
    values that the finding shows of that component.
    """

    spots: frozenset[tuple[str, str]]
    above: frozenset[tuple[str, str]]
    whole: frozenset[tuple[str, str]]
    contradictions: frozenset[tuple[tuple[str, str], ...]]
    ids: frozenset[int]
    tokens: frozenset[str]
    copies: frozenset[tuple[str, str]]
    inside: frozenset[tuple[str, str]]
    shown: frozenset[tuple[str, ...]]
    lists_members: bool

    @property
    def names_members(self) -> bool:
        """Return whether it names ids or tokens, and so is not about a whole file."""
        return bool(self.ids or self.tokens)


def facts_of(finding: Finding) -> Facts:
    """Return the facts of a finding: the names in it, its places and its evidence."""
    ids, tokens = set(finding.about.ids), set(map(spelled, finding.about.tokens))
    for place in finding.places:
        if place.component not in TOKENLESS:
            _of_value(place.value, place.component in ID_HOLDERS, ids, tokens)
    for evidence in () if is_rendered(finding) else finding.evidence:
        _of_evidence(evidence, ids, tokens)
    spots = {(each.file, each.pointer) for each in finding.places if each.pointer}
    lists = {(each.file, each.pointer) for each in finding.places if _is_list(each)}
    names_members = bool(ids or tokens) and stage_of(finding) is not Stage.BEHAVIOUR
    of_step = any(each.component in STEPS for each in finding.places[:1])
    return Facts(
        spots=frozenset(spots - lists),
        above=frozenset((file, each) for file, at in spots - lists for each in _around(at)),
        whole=frozenset(set() if names_members or of_step else lists),
        contradictions=frozenset(_contradictions(finding)),
        ids=frozenset(ids),
        tokens=frozenset(each for each in tokens if len(each) > 1),
        copies=frozenset(set() if ids or tokens else _copies(finding)),
        inside=frozenset((each.file, each.component) for each in finding.places[:1]),
        shown=frozenset(_shown(finding)),
        lists_members=any(_lists_members(each) for each in finding.places) or _accuses(finding),
    )


def spelled(token: str) -> str:
    """Spell a token with plain spaces, so that two files' names for it match.

    >>> spelled("Ġcat") == spelled("▁cat") == spelled(" cat")
    True
    """
    return token.replace("Ġ", " ").replace("▁", " ")


def _is_list(place: Place) -> bool:
    """Return whether a place is a whole list, and not one entry or line of it."""
    parts = place.pointer.split("/")
    inside = len(parts) > 3 or place.pointer[-1:].isdigit()
    return bool(place.pointer) and place.component in LISTS and not inside


def _lists_members(place: Place) -> bool:
    """Return whether the place's value is several members of a list.

    >>> _lists_members(Place("added_tokens", "tokenizer.json", "/added_tokens", ["<a>", "<b>"]))
    True
    """
    return _is_list(place) and isinstance(place.value, list | tuple) and len(place.value) > 1


def _accuses(finding: Finding) -> bool:
    """Return whether the finding is about several ids."""
    return any(e.kind == "ids" and len(e.ids) > 2 and not is_row(e) for e in finding.evidence)


def _shown(finding: Finding) -> Iterator[tuple[str, ...]]:
    """Yield the evidence for the blamed component: equal evidence means the same fault."""
    for blamed in finding.places[:1]:
        for each in finding.evidence:
            if each.facts and blamed.file:
                values = (f"{key}={value!r:.200}" for key, value in sorted(each.facts.items()))
                yield blamed.file, blamed.component, *values


def _copies(finding: Finding) -> set[tuple[str, str]]:
    """Return each file of a finding with its one component, blamed as a whole."""
    whole = {(each.file, each.component) for each in finding.places if each.value is None}
    components = {each.component for each in finding.places}
    alike = len(components) == 1 and len(whole) == len(finding.places) > 1
    return whole if alike else set()


def _around(pointer: str) -> Iterator[str]:
    parts = pointer.split("/")
    yield from ("/".join(parts[:end]) for end in range(2, len(parts)))


def _of_value(value: Any, holds_ids: bool, ids: set[int], tokens: set[str]) -> None:
    """Collect the ids and tokens in a place's value; both in a token's record."""
    match value:
        case bool() | None:
            return
        case int() if holds_ids:
            ids.add(value)
        case str():
            tokens.update(map(spelled, QUOTED.findall(value) if "'" in value[1:] else [value]))
        case Mapping() if "content" in value:
            _of_value(value["content"], holds_ids, ids, tokens)
            _of_value(value.get("id"), holds_ids, ids, tokens)
        case list() | tuple():
            for each in value[:MOST_VALUES]:
                if isinstance(each, str | int):
                    _of_value(each, holds_ids, ids, tokens)


def _of_evidence(evidence: Evidence, ids: set[int], tokens: set[str]) -> None:
    """Collect the tokens of a short text, or those at a longer one's first difference."""
    if evidence.kind == "conversation":
        return  # all that a chat is made of; what is wrong with it is in the message
    if not is_row(evidence):
        ids.update(evidence.ids)
    for row in (evidence.expected, evidence.actual):
        if len(row) > LONGEST_ROW:
            start = evidence.first_difference or 0
            row = row[start : start + 1]
        ids.update(view.id for view in row)
        tokens.update(spelled(view.piece) for view in row if view.piece)


def _contradictions(finding: Finding) -> Iterator[tuple[tuple[str, str], ...]]:
    """Yield each pair of files that state different values: one disagreement."""
    stated = {
        (each.file, repr(each.value)[:200])
        for each in finding.places[:8]
        if each.file and each.value is not None
    }
    for one, other in combinations(sorted(stated), 2):
        if one[0] != other[0]:
            yield one, other
