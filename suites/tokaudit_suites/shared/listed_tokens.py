"""The lists of added tokens next to a tokenizer, changed so that they say what it is to say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tokaudit.plugin import (
    Change,
    Fact,
    Place,
    Subject,
)
from tokaudit.subject.safe_json import pointer
from tokaudit_suites.shared.repairs import removed, set_to
from tokaudit_suites.shared.stated_roles import stated_added

BY_ID = "added_tokens_decoder"


def renumbered(subject: Subject, wanted: Mapping[str, int]) -> Iterator[Change]:
    """Each listed token under its wanted id; one whose place another takes is not lost."""
    lists: dict[str, list[tuple[Fact, str, int]]] = {}
    for fact, content, id, _ in stated_added(subject):
        if wanted.get(content, id) != id:
            lists.setdefault(f"{fact.file} {fact.pointer}", []).append((fact, content, id))
    for moved in lists.values():
        taken = {wanted[content] for _, content, _ in moved}
        for fact, content, id in moved:
            if fact.name != BY_ID:
                yield set_to(_inside(fact, content), wanted[content])
                continue
            yield set_to(_inside(fact, str(wanted[content])), fact.value[str(id)])
            if id not in taken:
                yield removed(_inside(fact, str(id)))


def _inside(fact: Fact, key: str) -> Place:
    return Place("added_tokens", fact.file, fact.pointer + pointer(key))
