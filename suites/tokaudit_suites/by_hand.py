"""Entries that a publisher wrote into a vocabulary by hand, as their scores and texts show.

A trainer gives each entry of a Unigram model a log probability, and each entry of a SentencePiece
BPE the negative number of its merge.  What has another score was added afterwards: language codes,
placeholders, symbols of the user.  An entry may also be written over a learned one; then the
numbers have no gap, and nothing else was built on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from tokaudit_reference.spec import ModelType, TokenizerSpec, TokenType
from tokaudit_suites.ascending import FEW
from tokaudit_suites.vocab_entries import Value

MOST_DELETED = 20  # at one place; a larger step is a score that somebody wrote


def scored_by_hand(spec: TokenizerSpec) -> frozenset[int]:
    """Ids whose score no trainer gives.

    No log probability is a whole number; no two merges of a BPE have one number, so of several
    entries with one score only the first was learned.
    """
    scores = _learnable(spec)
    if spec.model_type is ModelType.UNIGRAM:
        whole = frozenset(id for id, score in scores.items() if score.is_integer())
        return whole if len(whole) <= FEW * len(scores) else frozenset()
    if spec.model_type is not ModelType.BPE:
        return frozenset()
    first: dict[float, int] = {}
    for id, score in sorted(scores.items()):
        first.setdefault(score, id)
    return frozenset(scores) - frozenset(first.values())


def written_over(spec: TokenizerSpec, stuck: Iterable[int]) -> frozenset[int]:
    """Of entries that nothing makes, those in a numbering without a gap that share no lost part.

    A deleted entry leaves a gap in the numbers.  One that was renamed leaves all that were built
    on it without the same part; an entry of a publisher's own lacks a part that nothing else needs.
    """
    ids = frozenset(stuck)
    if not spec.scores or has_gap(spec):
        return frozenset()
    values = {id: spec.surface(spec.pieces[id]) for id in ids}
    known = {spec.surface(piece) for piece in spec.pieces.values()}
    needs = {id: set(_lost_parts(value, known)) for id, value in values.items()}
    wanted = Counter(part for parts in needs.values() for part in parts)
    return frozenset(id for id in ids if all(wanted[part] == 1 for part in needs[id]))


def _learnable(spec: TokenizerSpec) -> dict[int, float]:
    """The scores of ordinary entries; control symbols and bytes have none of their own."""
    pieces = spec.pieces.items()
    plain = {id for id, piece in pieces if piece.token_type is TokenType.ORDINARY}
    return {id: score for id, score in spec.scores.items() if id in plain}


def has_gap(spec: TokenizerSpec) -> bool:
    """Whether the numbers of two neighbours leave a few out, as deleting an entry does."""
    scores = _learnable(spec)
    steps = (score - scores[id + 1] for id, score in scores.items() if id + 1 in scores)
    return any(1 < step <= MOST_DELETED + 1 for step in steps)


def _lost_parts(value: Value, known: set[Value]) -> Iterator[Value]:
    """What is not in the vocabulary and would make the entry, together with what is."""
    for at in range(1, len(value)):
        left, right = value[:at], value[at:]
        if left in known and right not in known:
            yield right
        elif right in known and left not in known:
            yield left
