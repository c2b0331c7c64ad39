"""Find the file and pointer that state a part of a tokenizer, or what implies it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from tokaudit.subject.configs import ROLE_TOKENS
from tokaudit.subject.formats import all_formats
from tokaudit.subject.formats.common.settings import LISTS
from tokaudit.subject.material import Fact, Subject
from tokaudit.subject.places.parts import Entry, Part, by_line
from tokaudit.subject.places.pointers import at_line
from tokaudit.subject.safe_json import pointer
from tokaudit.subject.upstream.loading_class import class_of
from tokaudit_reference.spec import AddedToken, Component, Origin, Standing, TokenizerSpec

VOCAB, MERGES, ADDED = "vocab", "merges", "added_tokens"
SETTING = "model/"  # what the name of a setting of the model begins with
BY_VOCAB = "the ranks or scores of the vocabulary"
BY_THE_USER = "what the user named"


def origin_of(spec: TokenizerSpec, part: str) -> Origin:
    """Find the origin of a part in a spec's files.

    It is `vocab`, `merges`, `added_tokens`, a stage, `model`, or a setting such as `model/dropout`.
    """
    known = spec.origins.get(part)
    if known is not None:
        return known
    component = getattr(spec, part, None)
    if isinstance(component, Component) and component.standing is not Standing.STATED:
        return Origin(_file(spec), "", component.rule)
    if part == MERGES and spec.merges is None:
        return replace(origin_of(spec, VOCAB), pointer="", implied_by=BY_VOCAB)
    if part == ADDED and part not in _parts(spec):
        return _around(spec)
    stated = _parts(spec).get(part)
    if stated is None:
        return Origin(_file(spec), "", f"the format {spec.format}" if SETTING in part else "")
    return Origin(_file(spec, stated), stated.pointer)


def origin_of_merge(spec: TokenizerSpec, place: int) -> Origin:
    """Find the origin of the merge at an index."""
    merges = origin_of(spec, MERGES)
    if place < len(spec.merge_lines):
        return replace(merges, pointer=at_line(spec.merge_lines[place]))
    listed = _parts(spec).get(MERGES)
    if listed is None or not listed.pointer:
        return merges
    return replace(merges, pointer=listed.entry(listed.pointer, Entry(place, "")))


def origin_of_line(spec: TokenizerSpec, entry: bytes | str) -> Origin:
    """Find the origin of a vocabulary entry; in a file of lines, its line."""
    vocab, part = origin_of(spec, VOCAB), _parts(spec).get(VOCAB)
    id = spec.ids_by_surface.get(entry)
    if part is None or part.entry is not by_line or id is None:
        return vocab
    return replace(vocab, pointer=by_line("", Entry(id, "")))


def origin_of_added(spec: TokenizerSpec, content: str) -> Origin:
    """Find the origin of an added token; for an unknown one, the list."""
    return spec.added_origins.get(content) or _listed(spec).get(content) or origin_of(spec, ADDED)


def with_origins(subject: Subject, spec: TokenizerSpec) -> TokenizerSpec:
    """Return a spec whose added tokens name the files that state them."""
    listed, stated = _listed(spec), dict(_stated(subject))
    typed = (part := _parts(spec).get(VOCAB)) is not None and part.typed
    found = {}
    for token in spec.added_tokens:
        in_vocab = _in_vocab(spec, token)
        found[token.content] = (
            listed.get(token.content)
            or (in_vocab if typed else None)
            or stated.get(token.content)
            or spec.added_origins.get(token.content)
            or in_vocab
            or Origin(_file(spec), "", _default(subject, spec))
        )
    return replace(spec, added_origins=found)


def _listed(spec: TokenizerSpec) -> dict[str, Origin]:
    """Return the origins in a format's list of added tokens; of duplicates, the first."""
    part = _parts(spec).get(ADDED)
    if part is None or ADDED in spec.origins:
        return {}
    found: dict[str, Origin] = {}
    for place, token in enumerate(spec.added_tokens):
        if token.content not in spec.added_origins:
            at = part.entry(part.pointer, Entry(place, token.content))
            found.setdefault(token.content, Origin(_file(spec, part), at))
    return found


def _stated(subject: Subject) -> Iterator[tuple[str, Origin]]:
    """Yield the origins in configuration files, weakest first: later ones override."""
    for name in reversed(LISTS):
        for fact in subject.facts_named(name):
            for place, entry in enumerate(fact.value if isinstance(fact.value, list) else ()):
                text = entry.get("content") if isinstance(entry, dict) else entry
                if isinstance(text, str):
                    yield text, _origin(fact, place)
    for fact in subject.facts_named(*ROLE_TOKENS):
        if isinstance(fact.value, str):
            yield fact.value, Origin(fact.file, fact.pointer)
    for fact in subject.facts_named(ADDED):
        if isinstance(fact.value, dict):
            yield from ((text, _origin(fact, text)) for text in fact.value)
    for fact in reversed(subject.facts_named("added_tokens_decoder")):
        for id, entry in fact.value.items() if isinstance(fact.value, dict) else ():
            if isinstance(entry, dict) and isinstance(entry.get("content"), str):
                yield entry["content"], _origin(fact, id)


def _origin(fact: Fact, key: str | int) -> Origin:
    return Origin(fact.file, fact.pointer + pointer(key))


def _in_vocab(spec: TokenizerSpec, token: AddedToken) -> Origin | None:
    """Return an added token's origin in the vocabulary; None if it is not there."""
    part, piece = _parts(spec).get(VOCAB), spec.pieces.get(token.id)
    if piece is None or spec.surface(piece) not in (
        token.content,
        token.content.encode("utf-8", "surrogatepass"),
    ):
        return None
    if spec.piece_ids and token.id not in spec.piece_ids:
        return None
    place = spec.piece_ids.index(token.id) if spec.piece_ids else token.id
    whole = origin_of(spec, VOCAB)
    if part is None or VOCAB in spec.origins:
        return whole
    return replace(whole, pointer=part.entry(part.pointer, Entry(place, token.content)))


def _default(subject: Subject, spec: TokenizerSpec) -> str:
    """Name the source of an added token without a file: the user, the class, or a rule."""
    if subject.settings.get("special"):
        return BY_THE_USER
    named = class_of(subject)
    return named.name if named is not None else spec.ids_rule or spec.pre_tokenizer.rule


def _around(spec: TokenizerSpec) -> Origin:
    """Return the list of added tokens for a format without one: the first stated."""
    first = next((each for each in spec.added_origins.values() if each.pointer), None)
    if first is None:
        return Origin(_file(spec))
    above, slash, _ = first.pointer.rpartition("/")
    return Origin(first.file, above if slash else "")


def _file(spec: TokenizerSpec, part: Part = Part()) -> str:
    return spec.files[part.file] if part.file < len(spec.files) else next(iter(spec.files), "")


def _parts(spec: TokenizerSpec) -> Mapping[str, Part]:
    """Return the parts of a spec's format."""
    return next((each.parts for each in all_formats() if each.name == spec.format), {})
