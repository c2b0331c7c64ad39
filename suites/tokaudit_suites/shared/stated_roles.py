"""Statements of a subject's files about its special tokens, for all checks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tokaudit.plugin import Fact, Place, Subject
from tokaudit.subject.configs import ROLES as ROLES


def content_of(value: Any) -> str | None:
    """Return the token that a statement names, as text or as an object with flags.

    >>> content_of("</s>"), content_of({"content": "</s>", "lstrip": False}), content_of(None)
    ('</s>', '</s>', None)
    """
    if isinstance(value, dict):
        value = value.get("content")
    return value if isinstance(value, str) else None


def ids_in(value: Any) -> list[int]:
    """Return the ids that a statement names: one, or a list.

    >>> ids_in(2), ids_in([1, 106]), ids_in(None), ids_in(True)
    ([2], [1, 106], [], [])
    """
    items = value if isinstance(value, list | tuple) else [value]
    return [item for item in items if isinstance(item, int) and not isinstance(item, bool)]


def role_tokens(subject: Subject, role: str) -> list[tuple[Fact, str]]:
    """Return every statement of a role's token, with the token's content."""
    stated = ((fact, content_of(fact.value)) for fact in subject.facts_named(f"{role}_token"))
    return [(fact, content) for fact, content in stated if content is not None]


def role_ids(subject: Subject, role: str) -> list[tuple[Fact, list[int]]]:
    """Return every statement of a role's ids, with these ids."""
    stated = ((fact, ids_in(fact.value)) for fact in subject.facts_named(f"{role}_token_id"))
    return [(fact, ids) for fact, ids in stated if ids]


def from_generation(fact: Fact) -> bool:
    """Return whether a fact is in the generation config, which generation prefers."""
    return "generation_config" in fact.file


def place_of(fact: Fact, component: str) -> Place:
    """Return a fact as a place."""
    return Place(component, fact.file, fact.pointer, fact.value)


def stated_added(subject: Subject) -> Iterator[tuple[Fact, str, int, dict[str, Any]]]:
    """Yield added tokens stated in settings files: fact, content, id, flags."""
    for fact in subject.facts_named("added_tokens_decoder"):
        for key, entry in _items(fact.value):
            content = content_of(entry)
            if content is not None and str(key).lstrip("-").isdigit():
                yield fact, content, int(key), entry if isinstance(entry, dict) else {}
    for fact in subject.facts_named("added_tokens"):
        for content, id in _items(fact.value):
            if isinstance(content, str) and isinstance(id, int):
                yield fact, content, id, {}


def _items(value: Any) -> list[tuple[Any, Any]]:
    return list(value.items()) if isinstance(value, dict) else []
