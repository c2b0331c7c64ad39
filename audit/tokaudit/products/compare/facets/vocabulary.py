"""Ids of the vocabulary: equal, a subset, moved, or different."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from string import ascii_lowercase, digits

from tokaudit.engine.evidence import shown
from tokaudit.engine.facet_names import IDS
from tokaudit.engine.sides.side import Open, Side, State
from tokaudit.engine.sides.trial import Entries
from tokaudit.engine.texts.suspects import texts_of
from tokaudit.engine.vocabularies.relation import Relation, VocabularyRelation
from tokaudit.engine.vocabularies.written import AS_WRITTEN
from tokaudit.report.comparison import Certificate, Facet, Outcome, Proof
from tokaudit_reference.spec import Piece, TokenizerSpec, TokenType

MOST = 2_000  # entries of each kind that are written out first
MOST_INSIDE = 200  # entries that go on within a word, which are written after each letter
BEFORE = ascii_lowercase + digits


def ids(left: Side, right: Side, entries: Entries) -> State:
    """Compare the ids of every entry; added tokens are another facet."""
    found, written = entries
    if found.relation is Relation.IDENTICAL:
        if written:
            why = f"{found.shared:,} entries are written at the same ids"
            proof = Certificate(Proof.EQUAL, form=AS_WRITTEN)
            return Facet(IDS, Outcome.IDENTICAL, why, certificate=proof)
        return Facet(IDS, Outcome.IDENTICAL, f"{found.shared:,} entries at the same ids")
    places = left.place("vocab", "vocab"), right.place("vocab", "vocab")
    return Open(
        IDS, described(found, (left.name, right.name)), places, _texts(left.spec, right.spec, found)
    )


def described(found: VocabularyRelation, names: tuple[str, str]) -> str:
    """Describe the relation of two vocabularies in words.

    >>> described(VocabularyRelation(Relation.SUPERSET, 2, (1,), (), {}), ("old", "new"))
    '2 entries shared; 1 only in old'
    """
    parts = [f"{found.shared:,} entries shared"]
    if found.moved:
        parts[0] += f", {len(found.moved):,} of them with different ids"
    for name, alone in zip(names, (found.only_first, found.only_second), strict=True):
        if alone:
            parts.append(f"{len(alone):,} only in {name}")
    return "; ".join(parts)


def _texts(
    first: TokenizerSpec, second: TokenizerSpec, found: VocabularyRelation
) -> tuple[str, ...]:
    """Return the texts of entries that one side lacks, or that moved."""
    pieces = [
        *(piece for id in found.only_first[:MOST] for piece in first.pieces_at(id)),
        *(piece for id in found.only_second[:MOST] for piece in second.pieces_at(id)),
        *(piece for id in list(found.moved)[:MOST] for piece in first.pieces_at(id)),
    ]
    return (*texts_of(pieces), *_inside_words(pieces))


def _inside_words(pieces: Iterable[Piece]) -> Iterator[str]:
    """Yield continuations within a word, after each letter: some start longer entries."""
    inside = (piece for piece in pieces if piece.token_type is TokenType.CONTINUATION)
    for piece in islice(inside, MOST_INSIDE):
        yield from (f"{letter}{shown(piece.value)}" for letter in BEFORE)
