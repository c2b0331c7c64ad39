"""Statements in configs next to a tokenizer: roles, sides, stops, templates and rows."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from tokaudit.engine.facet_names import BATCH, CHAT_TEMPLATE, PADDING, ROLES, ROWS, STOPS
from tokaudit.engine.sides.side import Side
from tokaudit.foundation.errors import NotApplicable
from tokaudit.products.chat.rendering.templates import special_tokens
from tokaudit.products.compare.facets.batch import settings_of
from tokaudit.products.compare.settings.defaults import PAD_SIDE
from tokaudit.products.compare.settings.groups import DifferingGroup
from tokaudit.products.compare.settings.loaded import loader_setting
from tokaudit.report.comparison import Certificate, Facet, Outcome, Proof
from tokaudit.report.model import Place
from tokaudit.subject.configs import ROLE_TOKENS
from tokaudit.subject.formats.common.settings import setting
from tokaudit.subject.material import Fact
from tokaudit.subject.weights import embedding_tensors, read_headers

FACTS = {
    ROLES: ROLE_TOKENS,
    PADDING: ("padding_side",),
}
GGUF = ".gguf"
Stated = dict[str, tuple[Any, Fact]]
"""Fact -> its value in one form, and the statement that loaders go by."""


def stated_facets(left: Side, right: Side) -> Iterator[Facet]:
    """Yield one facet for each kind of statement."""
    for name in (ROLES, PADDING, STOPS):
        found = _facet(name, stated_of(left, name), stated_of(right, name), left, right)
        yield _by_class(found, left, right) if name == PADDING else found
    yield _template(left, right)
    yield _rows(left, right)


def statement_of_files(side: Side, name: str) -> Any:
    """Return the statements of files about a facet, as plain values."""
    if name == BATCH:
        return settings_of(side.spec)
    if name == ROWS:
        return sorted({rows for rows, _ in (_row_counts(side) or {}).values()})
    found = stated_of(side, name)
    stated = {key: value for key, (value, _) in found.items()}
    return {**stated, **_tokens_read(side)} if name == CHAT_TEMPLATE else stated


def stated_of(side: Side, name: str) -> Stated:
    """Return a side's statements about roles, the padding side, stops or the template."""
    if side.subject is None:
        return {}
    if name == STOPS:
        return _stops(side)
    if name == CHAT_TEMPLATE:
        templates = side.subject.facts_named("chat_template")
        return {f.name: (_plain(f.value), f) for f in reversed(templates) if f.value is not None}
    read = ((key, setting(side.subject, key)) for key in FACTS[name])
    found = {key: (_plain(fact.value), fact) for key, fact in read if fact is not None}
    return {**_by_id(side), **found} if name == ROLES else found


def _by_id(side: Side) -> Stated:
    """Return the role tokens whose ids a GGUF file states."""
    facts = {token: f"{token}_id" for token in ROLE_TOKENS}
    read = ((role, setting(side.subject, key)) for role, key in facts.items() if side.subject)
    return {
        role: (side.names.get(fact.value, fact.value), fact)
        for role, fact in read
        if fact is not None and fact.file.endswith(GGUF)
    }


def _plain(value: Any) -> Any:
    """Return a token by its content, and a single id as a list."""
    if isinstance(value, dict) and "content" in value:
        return value["content"]
    return tuple(value) if isinstance(value, list) else value


def _stops(side: Side) -> Stated:
    """Return the ids that end generation: by the generation config, else the model's."""
    facts = side.subject.facts_named("eos_token_id") if side.subject else []
    facts = [fact for fact in facts if fact.value is not None]
    facts.sort(key=lambda fact: "generation_config" not in fact.file)
    for fact in facts:
        value = fact.value if isinstance(fact.value, list) else [fact.value]
        return {"eos_token_id": (tuple(value), fact)}
    return {}


def _facet(name: str, ours: Stated, theirs: Stated, left: Side, right: Side) -> Facet:
    if not ours and not theirs:
        return _absent(name, "neither side states any")
    differing = [key for key in ours if key in theirs and ours[key][0] != theirs[key][0]]
    if differing:
        places = tuple(
            place for key in differing for place in _both(name, key, ours, theirs, left, right)
        )
        return Facet(name, Outcome.DIFFERS, f"{', '.join(differing)} differ", places)
    alone = sorted(ours.keys() ^ theirs.keys())
    if alone:
        return Facet(name, Outcome.UNKNOWN, f"only one side states {', '.join(alone)}")
    return Facet(name, Outcome.IDENTICAL, f"{', '.join(ours)}: equal on both sides")


def _by_class(found: Facet, left: Side, right: Side) -> Facet:
    """Compare padding sides if only one is stated, and the other's class is known."""
    one, other = (loader_setting(side, PADDING, PAD_SIDE) for side in (left, right))
    if found.outcome is not Outcome.UNKNOWN or one is None or other is None:
        return found
    both = DifferingGroup(PADDING, {PAD_SIDE: (one, other)})
    outcome = Outcome.UNDIFFERING if one.value == other.value else Outcome.DIFFERS
    return Facet(PADDING, outcome, both.why, both.places(left, right))


def _absent(name: str, why: str) -> Facet:
    """Return a facet absent on both sides, with a certificate."""
    return Facet(name, Outcome.UNDIFFERING, why, certificate=Certificate(Proof.EQUAL))


def _both(
    name: str, key: str, ours: Stated, theirs: Stated, left: Side, right: Side
) -> Iterator[Place]:
    for side, stated in ((left, ours), (right, theirs)):
        value, fact = stated[key]
        yield side.stated(name, fact.file, fact.pointer, value)


def _template(left: Side, right: Side) -> Facet:
    ours, theirs = (stated_of(side, CHAT_TEMPLATE) for side in (left, right))
    found = _facet(CHAT_TEMPLATE, ours, theirs, left, right)
    if found.outcome is Outcome.DIFFERS:
        why = "the templates are not equal; they were not rendered"
        return Facet(CHAT_TEMPLATE, Outcome.UNKNOWN, why, found.places)
    one, other = _tokens_read(left), _tokens_read(right)
    differing = [name for name in {**one, **other} if one.get(name) != other.get(name)]
    if found.outcome is Outcome.IDENTICAL and differing:
        why = f"the templates are equal, but they read different tokens as {', '.join(differing)}"
        places = tuple(each for side in (left, right) for each in _token_places(side, differing))
        return Facet(CHAT_TEMPLATE, Outcome.UNKNOWN, f"{why}; they were not rendered", places)
    return found


def _rows(left: Side, right: Side) -> Facet:
    ours, theirs = _row_counts(left), _row_counts(right)
    if ours is None and theirs is None:
        return _absent(ROWS, "neither side has weights")
    if ours is None or theirs is None:
        return Facet(ROWS, Outcome.UNKNOWN, "only one side has weights")
    if {rows for rows, _ in ours.values()} == {rows for rows, _ in theirs.values()}:
        shown = ", ".join(f"{rows:,}" for rows in sorted({rows for rows, _ in ours.values()}))
        return Facet(ROWS, Outcome.IDENTICAL, f"{shown} rows on both sides")
    places = tuple(
        side.stated(ROWS, file, name, rows)
        for side, found in ((left, ours), (right, theirs))
        for name, (rows, file) in found.items()
    )
    return Facet(ROWS, Outcome.DIFFERS, "the embeddings have other numbers of rows", places)


def _row_counts(side: Side) -> dict[str, tuple[int, str]] | None:
    """Map embedding tensors to rows and file; None without weights."""
    if side.subject is None:
        return None
    try:
        tensors = embedding_tensors(read_headers(side.subject))
    except NotApplicable:
        return None
    return {name: (tensor.shape[0], tensor.file) for name, tensor in tensors.items()} or None


def _tokens_read(side: Side) -> dict[str, str]:
    """Return the special tokens whose names occur in the template."""
    if side.subject is None:
        return {}
    templates = [fact.value for fact in side.subject.facts_named("chat_template") if fact.value]
    given = special_tokens(side.subject, side.spec) if templates else {}
    return {name: token for name, token in given.items() if name in str(templates[0])}


def _token_places(side: Side, names: Collection[str]) -> Iterator[Place]:
    """Yield the places where a side states special tokens, or in a GGUF file their ids."""
    facts = side.subject.facts if side.subject is not None else ()
    for name in names:
        stated = [fact for fact in facts if fact.name == name and isinstance(fact.value, str)]
        by_id = [fact for fact in facts if fact.name == f"{name}_id" and fact.file.endswith("gguf")]
        for fact in (stated or by_id)[:1]:
            yield side.stated(CHAT_TEMPLATE, fact.file, fact.pointer, fact.value)
