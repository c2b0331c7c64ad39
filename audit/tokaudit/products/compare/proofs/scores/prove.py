"""Prove two Unigram models equal by equal or proportional scores.

Unigram takes the segmentation with the best sum.  With equal scores, read by the same rules, all
sums are equal.  With all scores of one side c times those of the other, c > 0, all sums are c times
as large and the best one stays the best, but only

* as long as sums are exact: rounding after each addition may decide a near tie otherwise, unless c
  is a power of two, which rounding does not see;
* where every character of the text is a piece: an unknown one scores 10 below the worst piece, and
  10 does not grow with c;
* without the rules that only SentencePiece has: symbols of the user score by their length, and sums
  begin again beyond 100,000.

So a factor other than 1 is a proof within limits, which are stated.  Any other difference of scores
is not decided here; whether it shows in a text has to be searched.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import frexp, isfinite

from tokaudit_reference.spec import ModelType, Piece, TokenizerSpec, TokenType

KNOWN = "on texts whose characters are all pieces"
EXACT = "as far as sums are not rounded"
MODERATE = 900  # powers of two: between 2**-900 and 2**900 nothing over- or underflows


@dataclass(frozen=True, slots=True)
class EqualScores:
    """Proved: each sum on one side is `factor` times that on the other, within `limits`."""

    factor: float = 1.0
    limits: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoresNotProved:
    """The reason that scores are not proved equal; `piece` has a differing score, if any."""

    why: str
    piece: bytes | str | None = None


def compare_scores(first: TokenizerSpec, second: TokenizerSpec) -> EqualScores | ScoresNotProved:
    """Decide if the scores of two Unigram specs provably give the same segmentations.

    >>> pieces = {i: Piece(TokenType.ORDINARY, v) for i, v in enumerate(["a", "ab", "b"])}
    >>> def spec(*scores):
    ...     return TokenizerSpec(ModelType.UNIGRAM, pieces, scores=dict(enumerate(scores)))
    >>> compare_scores(spec(-1.0, -1.5, -2.0), spec(-1.0, -1.5, -2.0))
    EqualScores(factor=1.0, limits=())
    >>> compare_scores(spec(-1.0, -1.5, -2.0), spec(-2.0, -3.0, -4.0)).limits
    ('on texts whose characters are all pieces',)
    >>> compare_scores(spec(-1.0, -1.5, -2.0), spec(-1.0, -1.5, -2.5)).piece
    'b'
    """
    if first.model_type is not ModelType.UNIGRAM or second.model_type is not ModelType.UNIGRAM:
        return ScoresNotProved("not both models are Unigram")
    if _rules(first) != _rules(second):
        return ScoresNotProved("the models do not treat unknown text by the same rules")
    ours, theirs = _scores(first), _scores(second)
    if ours.keys() != theirs.keys():
        return ScoresNotProved("the models do not have the same pieces")
    if any(len({piece.value for piece in ours}) < len(s.pieces) for s in (first, second)):
        return ScoresNotProved("an entry is there twice, and which one counts depends on the order")
    if ours == theirs:
        return EqualScores()
    if not first.control_from_text or any(p.token_type is TokenType.USER_DEFINED for p in ours):
        piece = next(p for p in ours if ours[p] != theirs[p])
        return ScoresNotProved("the scores differ", piece.value)
    return _scaled(ours, theirs)


def _scaled(ours: dict[Piece, float], theirs: dict[Piece, float]) -> EqualScores | ScoresNotProved:
    largest = max(ours, key=lambda piece: abs(ours[piece]))
    factor = theirs[largest] / ours[largest] if ours[largest] else 0.0
    scaled = isfinite(factor) and factor > 0
    if not scaled or any(ours[piece] * factor != theirs[piece] for piece in ours):
        off = next(piece for piece in ours if ours[piece] != theirs[piece])
        return ScoresNotProved("the scores differ, and not by one factor", off.value)
    known = {piece.value for piece in ours}
    if any(character not in known for piece in ours for character in str(piece.value)):
        return ScoresNotProved("a piece holds a character that is not a piece", largest.value)
    power_of_two = frexp(factor)[0] == 0.5 and all(
        map(_moderate, (*ours.values(), *theirs.values()))
    )
    return EqualScores(factor, (KNOWN,) if power_of_two else (KNOWN, EXACT))


def _moderate(score: float) -> bool:
    return score == 0 or abs(frexp(score)[1]) <= MODERATE


def _scores(spec: TokenizerSpec) -> dict[Piece, float]:
    return {piece: spec.scores[id] for id, piece in spec.each_entry()}


def _rules(spec: TokenizerSpec) -> tuple[object, ...]:
    unknown = spec.pieces.get(spec.unk_id) if spec.unk_id is not None else None
    rules = spec.dialect, spec.control_from_text, spec.byte_fallback, spec.fuse_unk
    return *rules, unknown, dict(spec.unlisted)
