"""Tokens named by settings next to a tokenizer.json: in a table, by role and in lists.

Without a table special_tokens_map.json goes before tokenizer_config.json, and added_tokens.json is
the table.

Source: `_from_pretrained` of both versions.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from typing import Any

from tokaudit.subject.configs import ROLE_TOKENS
from tokaudit.subject.formats.common.settings import FLAGS, LISTS, TABLE, files_of_tokens
from tokaudit.subject.material import Fact, Subject
from tokaudit.subject.upstream.loading_class import FIRST, NamedClass
from tokaudit_reference.spec import AddedToken

LISTED = "added_tokens"
CLASS_KEY = "tokenizer_class"
Named = tuple[AddedToken, Fact]
"""A token as a file names it, where its id counts for nothing, and the file."""


def in_table(
    subject: Subject, special: Mapping[str, Named], in_file: Collection[int]
) -> Sequence[Named]:
    """Return the tokens of the table by id, or else of added_tokens.json.

    Of the latter one that has the id of a token that tokenizer.json adds gives way to that.
    """
    stated = _stated(subject, TABLE, FIRST)
    if stated is not None:
        entries = stated.value.items() if isinstance(stated.value, dict) else ()
        in_order = sorted(
            (pair for pair in entries if pair[0].isdecimal()), key=lambda p: int(p[0])
        )
        read = (_token(each, special) for _, each in in_order)
        return [(token, stated) for token in read if token is not None]
    return [
        (AddedToken(0, text, special=text in special, normalized=text not in special), fact)
        for fact in subject.facts_named(LISTED)
        if isinstance(fact.value, dict)
        for text, id in fact.value.items()
        if id not in in_file
    ]


def special_tokens(subject: Subject, loader: NamedClass) -> Iterator[tuple[str, Named]]:
    """Yield the special tokens by text, roles first; the first that names one counts."""
    found: dict[str, Named] = {}
    files = files_of_tokens(subject)
    for role in ROLE_TOKENS:
        stated = (fact for file in files if (fact := _stated(subject, role, file)) is not None)
        fact = next(stated, None) or _of_class(role, loader)
        if fact is not None and isinstance(fact.value, str):
            flags = [f for f in subject.facts_named(f"{role}_flags") if f.file == fact.file]
            own = flags[0].value if flags else {}
            token = _token({**own, "content": fact.value, "special": True})
            if token is not None:
                found.setdefault(fact.value, (token, fact))
    for name in LISTS:
        for file in files:
            for token, fact in _listed(_stated(subject, name, file)):
                found.setdefault(token.content, (token, fact))
    yield from found.items()


def _listed(fact: Fact | None) -> Iterator[Named]:
    if fact is not None and isinstance(fact.value, list | dict):
        values = fact.value.values() if isinstance(fact.value, dict) else fact.value
        for each in values:
            stated = each if isinstance(each, dict) else {"content": each}
            token = _token({**stated, "special": True})
            if token is not None:
                yield token, fact


def _of_class(role: str, loader: NamedClass) -> Fact | None:
    """Return the class's token for an unstated role; None for a class implied by a model."""
    named = (
        loader.known
        if loader.fact.name == CLASS_KEY and loader.fact.pointer == f"/{CLASS_KEY}"
        else None
    )
    tokens = (named.tokens if named is not None else None) or {}
    token = tokens.get(role.removesuffix("_token"))
    return None if token is None else Fact(role, token, loader.fact.file, loader.fact.pointer)


def _token(stated: Any, special: Container[str] = ()) -> AddedToken | None:
    """Parse a stated token; one that is not special is matched in normalized text."""
    content = stated.get("content") if isinstance(stated, dict) else None
    if not isinstance(content, str) or not content:
        return None
    marked = stated.get("special") is True or content in special
    flags = {flag: stated.get(flag) is True for flag in FLAGS if flag in stated}
    return AddedToken(0, content, special=marked, **{"normalized": not marked, **flags})


def _stated(subject: Subject, name: str, base: str) -> Fact | None:
    stated = (fact for fact in subject.facts_named(name) if fact.value is not None)
    return next((fact for fact in stated if subject.base_of(fact) == base), None)
