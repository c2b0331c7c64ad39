"""Entries whose score no trainer assigns, but a publisher or converter does.

A trainer gives each entry of a Unigram model a log probability, and each entry of a SentencePiece
BPE the negative number of its merge.  Language codes, placeholders and symbols of the user have
other scores, and the converters of ALBERT and XLNet subtract 100 from pieces that end in a digit
and a comma.  An entry may also be written over a learned one; then the numbers have no gap, and
nothing else is built on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tokaudit_reference.spec import ModelType, TokenizerSpec, TokenType
from tokaudit_suites.shared.ascending import FEW
from tokaudit_suites.shared.vocab_entries import Value

MOST_DELETED = 20  # at one place; a larger step is a score that somebody wrote


def scored_by_hand(spec: TokenizerSpec) -> frozenset[int]:
    """Return ids whose score no trainer assigns.

    No log probability is a whole number, and none lies further below all others than they span;
    no two merges of a BPE have one number, so of several entries with one score only the first
    counts, and none where its neighbours have other numbers: a block that was appended.
    """
    scores = _learnable(spec)
    if spec.model_type is ModelType.UNIGRAM:
        whole = frozenset(id for id, score in scores.items() if score.is_integer())
        whole = whole if len(whole) <= FEW * len(scores) else frozenset()
        return whole | _far_below({id: s for id, s in scores.items() if id not in whole})
    if spec.model_type is not ModelType.BPE:
        return frozenset()
    sharing: dict[float, list[int]] = {}
    for id, score in sorted(scores.items()):
        sharing.setdefault(score, []).append(id)
    learned = {ids[0] for score, ids in sharing.items() if _in_sequence(scores, score, ids)}
    return frozenset(scores) - learned


def _in_sequence(scores: Mapping[int, float], score: float, ids: Sequence[int]) -> bool:
    """Return whether the first of several equal scores may come from a trainer.

    >>> _in_sequence({5: 0.0, 6: -1.0, 9: 0.0}, 0.0, [5, 9])
    True
    >>> _in_sequence({5: -1.0, 6: -2.0, 7: 0.0, 8: 0.0}, 0.0, [7, 8])
    False
    """
    near = {score - scores.get(ids[0] + 1, score), scores.get(ids[0] - 1, score) - score}
    return len(ids) == 1 or 1 in near


def _far_below(scores: Mapping[int, float]) -> frozenset[int]:
    """Return the few entries whose scores are far below all others.

    >>> sorted(_far_below({id: -1.0 - id / 10 for id in range(30)} | {30: -103.5, 31: -104.0}))
    [30, 31]
    """
    falling = sorted(scores, key=scores.__getitem__, reverse=True)
    at = len(falling) - int(FEW * len(falling))
    for place in range(max(at, 1), len(falling)):
        span = scores[falling[0]] - scores[falling[place - 1]]
        if scores[falling[place - 1]] - scores[falling[place]] > span > 0:
            return frozenset(falling[place:])
    return frozenset()


def written_over(spec: TokenizerSpec, stuck: Iterable[int]) -> frozenset[int]:
    """Return unbuildable entries in a gapless numbering that share no missing part.

    A deleted entry leaves a gap in the numbers.  One that was renamed leaves all that were built
    on it without the same part; an entry of a publisher's own lacks a part that nothing else needs.
    """
    ids = frozenset(stuck)
    if not spec.scores or has_gap(spec):
        return frozenset()
    values = {id: spec.surface(spec.pieces[id]) for id in ids}
    known = {spec.surface(piece) for piece in spec.every_piece()}
    needs = {id: set(_lost_parts(value, known)) for id, value in values.items()}
    wanted = Counter(part for parts in needs.values() for part in parts)
    return frozenset(id for id in ids if all(wanted[part] == 1 for part in needs[id]))


def _learnable(spec: TokenizerSpec) -> dict[int, float]:
    """Return the scores of ordinary entries, which control symbols and bytes lack."""
    pieces = spec.each_entry()
    plain = {id for id, piece in pieces if piece.token_type is TokenType.ORDINARY}
    return {id: score for id, score in spec.scores.items() if id in plain}


def has_gap(spec: TokenizerSpec) -> bool:
    """Return whether the numbering of neighbours has a gap, as after deleting an entry."""
    scores = _learnable(spec)
    steps = (score - scores[id + 1] for id, score in scores.items() if id + 1 in scores)
    return any(1 < step <= MOST_DELETED + 1 for step in steps)


def _lost_parts(value: Value, known: set[Value]) -> Iterator[Value]:
    """Yield missing parts that would build the entry together with a known part."""
    for at in range(1, len(value)):
        left, right = value[:at], value[at:]
        if left in known and right not in known:
            yield right
        elif right in known and left not in known:
            yield left
