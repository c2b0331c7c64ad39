"""The Unigram trainer: begin with too many pieces, fit their probabilities, drop the least missed.

1. Seeds: every character, and the substrings of words up to 16 characters that occur twice or more
   and are not always followed by the same character; the best by count times length.
2. Fit, twice: expected counts over all segmentations (the E step), probabilities in proportion to
   them (the M step).  This is plain EM, so each fit raises the likelihood.  SentencePiece takes the
   digamma of the counts instead, which punishes rare pieces and can lower it.
3. Drop: for each piece, what the likelihood would lose if its next best segmentation took its
   place; the quarter that is missed least goes.  Back to 2 until the vocabulary is nearly small
   enough; the best scores then fill it.

Single characters always stay, so that every word of the corpus can be cut.  Words are taken in
sorted order and ties go to the smaller piece, so equal counts give an equal model, though not
SentencePiece's own.  Nothing here splits text into words; mark white space before counting.

Source: Kudo 2018, "Subword Regularization"; the loss and the constants as in SentencePiece's
`unigram_model_trainer.cc`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from math import log

from tokaudit_reference.training.unigram_lattice import Scores, best, expected

LONGEST = 16
SEEDS = 1_000_000
SHRINK = 0.75  # what one round of dropping leaves
MARGIN = 1.1  # fitting and dropping end at this much more than the wanted size
FITS = 2
RARE = 0.5  # a piece expected less often than this goes at once
LEAST = 1e-9  # the count of a character that stays although nothing expects it
STEP = 1e-4  # between the scores of such characters at the end


def train(
    words: Mapping[str, int],
    vocab_size: int,
    *,
    longest: int = LONGEST,
    seed_size: int = SEEDS,
    on_size: Callable[[int], None] = lambda size: None,
) -> dict[str, float]:
    """Piece -> score, best first: at most `vocab_size`, or the characters where they are more.

    >>> words = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
    >>> list(train(words, 9))
    ['hug', 'pun', 'u', 'p', 'g', 's', 'n', 'b', 'h']
    """
    ordered = dict(sorted(words.items()))
    scores = seeds(ordered, longest, seed_size)
    wanted = int(vocab_size * MARGIN)
    while True:
        for _ in range(FITS):
            scores, _ = fitted(ordered, scores, RARE)
        on_size(len(scores))
        if len(scores) <= wanted or all(len(piece) == 1 for piece in scores):
            return finished(scores, vocab_size)
        scores = pruned(ordered, scores, max(wanted, int(len(scores) * SHRINK)))


def seeds(words: Mapping[str, int], longest: int = LONGEST, size: int = SEEDS) -> dict[str, float]:
    """Every character, and the `size` best substrings by count times length, as probabilities.

    >>> sorted(seeds({"banana": 1}))
    ['a', 'ana', 'b', 'n', 'na']
    """
    counts: Counter[str] = Counter()
    for word, count in words.items():
        for start in range(len(word)):
            for end in range(start + 1, min(len(word), start + longest) + 1):
                counts[word[start:end]] += count
    longer = {piece[:-1] for piece, count in counts.items() if counts.get(piece[:-1]) == count}
    weights = {piece: count * len(piece) for piece, count in counts.items() if count > 1}
    several = [piece for piece in weights if len(piece) > 1 and piece not in longer]
    kept = sorted(several, key=lambda piece: (-weights[piece], piece))[:size]
    characters = {piece: counts[piece] for piece in sorted(counts) if len(piece) == 1}
    return as_logarithms(characters | {piece: weights[piece] for piece in kept})


def fitted(
    words: Mapping[str, int], scores: Scores, rare: float = 0.0
) -> tuple[dict[str, float], float]:
    """One step of EM: the new scores, and the log-likelihood of the words under the old ones.

    Pieces that are expected less than `rare` times go, except characters.

    >>> scores, before = fitted({"ab": 3, "a": 1}, seeds({"ab": 3, "a": 1}))
    >>> before < fitted({"ab": 3, "a": 1}, scores)[1]
    True
    """
    counts = dict.fromkeys(scores, 0.0)
    longest = max(map(len, scores), default=0)
    likelihood = 0.0
    for word, weight in words.items():
        whole, found = expected(word, scores, longest)
        likelihood += weight * whole
        for piece, count in found.items():
            counts[piece] += weight * count
    kept = {p: max(count, LEAST) for p, count in counts.items() if len(p) == 1 or count >= rare}
    return as_logarithms(kept), likelihood


def pruned(words: Mapping[str, int], scores: Scores, size: int) -> dict[str, float]:
    """The characters, and the pieces whose loss would cost the most, `size` in all.

    A piece that no best segmentation uses, be it of a word or of itself, goes whatever the size.

    >>> sorted(pruned({"ab": 9, "cd": 1}, seeds({"ab": 9, "cd": 2}), 5))
    ['a', 'ab', 'b', 'c', 'd']
    """
    longest = max(map(len, scores), default=0)
    counts: Counter[str] = Counter()
    for word, weight in words.items():
        for piece in best(word, scores, longest):
            counts[piece] += weight
    total = counts.total()
    several = [p for p in scores if len(p) > 1 and best(p, scores, longest) == [p] and counts[p]]
    losses = {
        piece: _loss(piece, best(piece, scores, longest, without=piece), counts, total)
        for piece in several
    }
    characters = [piece for piece in scores if len(piece) == 1]
    ranked = sorted(losses, key=lambda piece: (-losses[piece], piece))
    return {p: scores[p] for p in [*characters, *ranked[: max(size - len(characters), 0)]]}


def _loss(piece: str, parts: list[str], counts: Counter[str], total: int) -> float:
    """Return the loss of likelihood if the next best segmentation replaces a piece."""
    count = counts[piece]
    then = log(total + count * (len(parts) - 1))
    return count * (log(count) - log(total) - sum(log(counts[p] + count) - then for p in parts))


def finished(scores: Scores, size: int) -> dict[str, float]:
    """The characters and the best other pieces, `size` in all, best first.

    A character that nothing expects scores just below everything else, as in SentencePiece.

    >>> finished({"a": -1.0, "b": -40.0, "ab": -2.0, "ba": -3.0}, 3)
    {'a': -1.0, 'ab': -2.0, 'b': -2.0001}
    """
    floor = log(LEAST)
    order = sorted(scores, key=lambda piece: (-scores[piece], piece))
    several = [piece for piece in order if len(piece) > 1]
    room = max(size - (len(order) - len(several)), 0)
    dropped = set(several[room:])
    kept = [piece for piece in order if piece not in dropped]
    used = {piece: scores[piece] for piece in kept if scores[piece] > floor}
    least = min(used.values(), default=0.0)
    unused = [piece for piece in kept if piece not in used]
    return used | {piece: least - STEP * place for place, piece in enumerate(unused, 1)}


def as_logarithms(counts: Mapping[str, float]) -> dict[str, float]:
    """Counts as logarithms of their share of the total.

    >>> as_logarithms({"a": 2.0, "b": 2.0})
    {'a': -0.6931471805599453, 'b': -0.6931471805599453}
    """
    whole = log(sum(counts.values())) if counts else 0.0
    return {piece: log(count) - whole for piece, count in counts.items()}
