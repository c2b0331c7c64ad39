"""Ids that a loader gives to added tokens, for the checkers."""

from __future__ import annotations

from tokaudit.products.compare.proofs.all_entries import entries_of, pieces_at
from tokaudit.products.compare.proofs.alphabet import bytes_of, letters_of
from tokaudit.products.compare.proofs.surface import surface
from tokaudit_reference.spec import AddedToken, Standing, TokenizerSpec

IN_SETTINGS = "tokenizer.json"  # the format in which settings decide what an entry is


def with_ids_of_a_loader(spec: TokenizerSpec) -> list[AddedToken]:
    """Return the added tokens with the library's ids, if it assigns others.

    A content that is an entry has that entry's id; else the next free one, from the number of
    entries on.
    """
    if spec.format != IN_SETTINGS:
        return []
    entries = {surface(spec, piece): id for id, piece in entries_of(spec)}
    ids: dict[str, int] = {}
    for token in spec.added_tokens:
        written: bytes | str | None = token.content
        if spec.byte_level:
            written = bytes_of(token.content)
        next_free = max(len(entries), 1 + max(ids.values(), default=-1))
        ids.setdefault(token.content, entries.get(written, next_free) if written else next_free)
    if all(ids[token.content] == token.id for token in spec.added_tokens):
        return []
    flags = ("content", "special", "lstrip", "rstrip", "single_word", "normalized")
    return [
        AddedToken(ids[each.content], **{name: getattr(each, name) for name in flags})
        for each in spec.added_tokens
    ]


def alike_where_covered(first: TokenizerSpec, second: TokenizerSpec) -> bool:
    """Return whether entries at ids of differently spelled added tokens are equal.

    A loader gives such a token another id, and the entry keeps its own, on whichever side it is.
    """
    ids = _covered(first) | _covered(second)
    return all(_written_at(first, id) == _written_at(second, id) for id in ids)


def _covered(spec: TokenizerSpec) -> set[int]:
    """Return stated ids of added tokens where an unrelated entry is.

    An entry that is one of them is left to the comparison of added tokens.
    """
    tokens = [token for token in spec.added_tokens if token.id in spec.pieces]
    own = {token.id for token in tokens if _is_written_at(spec, token)}
    return {token.id for token in tokens} - own


def _is_written_at(spec: TokenizerSpec, token: AddedToken) -> bool:
    in_bytes = token.content.encode("utf-8", "surrogatepass")
    written = {surface(spec, piece) for piece in pieces_at(spec, token.id)}
    return not written.isdisjoint((token.content, in_bytes, bytes_of(token.content)))


def _written_at(spec: TokenizerSpec, id: int) -> set[bytes | str]:
    return {letters_of(surface(spec, piece)) for piece in pieces_at(spec, id)}


def begun_with(spec: TokenizerSpec) -> int | None:
    """Return the token added as BOS on request, if no post-processor is stated."""
    return spec.begin_id if spec.post_processor.standing is Standing.UNSTATED else None
