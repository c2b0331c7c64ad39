"""The purpose of a tokenizer's ids, according to its files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from tokaudit.products.data.ids.plan import Expected
from tokaudit.subject.material import Subject
from tokaudit.subject.upstream.published.spellings import spelled, turn_ends
from tokaudit.subject.weights import WeightHeaders, embedding_tensors
from tokaudit_reference.spec import Piece, TokenizerSpec, TokenType

LARGEST_VOCABULARY = 1 << 24
FIRST_OF_SEVERAL = 0x80  # bytes from here on are parts of a character
KEPT_FREE = re.compile(r"[<\[]\|?_?(reserved|unused)", re.IGNORECASE)


def expected_of(
    subject: Subject, spec: TokenizerSpec, headers: WeightHeaders | None = None
) -> Expected:
    """Return the roles of ids; of several, the tokenizer's own comes first."""
    known = _ids_by_content(spec)
    size = min(spec.size(), LARGEST_VOCABULARY)
    begin = _unique([*_stated(subject, known, "bos"), *_stated(subject, known, "cls")])
    end = _unique([*_stated(subject, known, "eos"), *_stated(subject, known, "sep")])
    if not end:
        end = _spelled(known, "eos", "sep")
    pad = _unique(_stated(subject, known, "pad"))
    mask = _unique(_stated(subject, known, "mask"))
    if not mask:
        mask = _spelled(known, "mask")
    unknown = [*_stated(subject, known, "unk"), *([] if spec.unk_id is None else [spec.unk_id])]
    edges = {*begin, *end, *pad}
    rows = [tensor.shape[0] for tensor in embedding_tensors(headers).values()] if headers else []
    there = {*spec.pieces, *(token.id for token in spec.added_tokens)}
    return Expected(
        size=size,
        rows=min(rows, default=0),
        begin=begin,
        end=end,
        pad=pad,
        unknown=tuple(id for id in _unique(unknown) if id not in edges),
        reserved=tuple(sorted(set(_kept_free(spec)) - edges)),
        holes=tuple(id for id in range(size) if id not in there),
        special=tuple(sorted({token.id for token in spec.added_tokens if token.special})),
        added=tuple(sorted(set(_without_a_use(spec)) - {*edges, *unknown})),
        part=tuple(sorted(id for id, piece in spec.each_entry() if _is_part(piece))),
        mask=mask,
    )


def _without_a_use(spec: TokenizerSpec) -> Iterator[int]:
    """Yield visible added tokens that are not named like an end of text or turn."""
    ends = {*spelled("eos"), *spelled("sep"), *turn_ends()}
    for token in spec.added_tokens:
        if token.content.strip() and token.content not in ends:
            yield token.id


def _spelled(known: Mapping[str, int], *roles: str) -> tuple[int, ...]:
    """Return the first token spelled like one of the roles, if no file names one."""
    texts = (content for role in roles for content in spelled(role))
    return tuple(known[content] for content in texts if content in known)[:1]


def _is_part(piece: Piece) -> bool:
    """Return whether an entry is a partial character, or a fallback byte."""
    value = piece.value
    if piece.token_type is TokenType.BYTE:
        return True
    return isinstance(value, bytes) and len(value) == 1 and value[0] >= FIRST_OF_SEVERAL


def _ids_by_content(spec: TokenizerSpec) -> dict[str, int]:
    texts = {piece.value: id for id, piece in spec.each_entry() if isinstance(piece.value, str)}
    return texts | {token.content: token.id for token in spec.added_tokens}


def _stated(subject: Subject, known: dict[str, int], role: str) -> Iterator[int]:
    for fact in subject.facts_named(f"{role}_token"):
        value = fact.value.get("content") if isinstance(fact.value, dict) else fact.value
        if isinstance(value, str) and value in known:
            yield known[value]
    for fact in subject.facts_named(f"{role}_token_id"):
        values = fact.value if isinstance(fact.value, list | tuple) else [fact.value]
        yield from (id for id in values if isinstance(id, int) and not isinstance(id, bool))


def _kept_free(spec: TokenizerSpec) -> Iterator[int]:
    """Yield the ids of entries that are reserved for later."""
    for token in spec.added_tokens:
        if KEPT_FREE.match(token.content):
            yield token.id
    for id, piece in spec.each_entry():
        named = isinstance(piece.value, str) and KEPT_FREE.match(piece.value)
        if piece.token_type is TokenType.UNUSED or named:
            yield id


def _unique(ids: Iterable[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(id for id in ids if id >= 0))
