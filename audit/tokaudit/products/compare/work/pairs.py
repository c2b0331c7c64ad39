"""Compare all pairs of tokenizers: a few texts for every pair, then each pair fully.

Every pair is tried on a few texts before anything is proved or searched of any, and the time that
is left is shared out among those that wait. So the first pair leaves some for the last, and a proof
that takes all of the time leaves an answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations

from tokaudit.engine.needs import Options
from tokaudit.engine.sides.trial import Trial
from tokaudit.engine.texts.probes import draw
from tokaudit.engine.texts.suspects import added_token_texts, bare_texts
from tokaudit.engine.workers import Workers
from tokaudit.foundation.progress import OnAnswer, OnStep, silently, unheard
from tokaudit.products.compare.encoders import length_then_print
from tokaudit.products.compare.work.matrix import Matrix, matrix
from tokaudit.products.compare.work.prepared import Compared
from tokaudit.products.compare.work.subjects import compare_subjects, trial_of
from tokaudit.report.comparison import Comparison, Purpose

MOST_LOOKED_AT = 200  # texts of each kind
LOOK_SHARE = 2  # the first look takes at most such a part of an equal share
MOST_IDS = 6  # of a side, in a first answer
PairOfSides = tuple[int, int]


def compare_each(
    sides: Sequence[Compared],
    options: Options,
    workers: Workers,
    purpose: Purpose | None = None,
    on_pair: OnStep = silently,
    on_answer: OnAnswer = unheard,
) -> tuple[list[Comparison], Matrix]:
    """Compare the first with each other one, and relate all pairs of more than two.

    `on_pair` gets what is done now and how many pairs are done; `on_answer` gets a text that
    differs as soon as one is met, and each facet as it closes.
    """
    turns = _Turns(sides, options, workers, on_pair, on_answer)
    found = [turns.compared((0, at), purpose) for at in range(1, len(sides))]
    several = len(sides) > 2
    relations = matrix(len(sides), found, lambda a, b: turns.compared((a, b)).relation)
    turns.over()
    return found, relations if several else ()


class _Turns:
    """The waiting pairs, and the trial of a few texts of each."""

    def __init__(
        self,
        sides: Sequence[Compared],
        options: Options,
        workers: Workers,
        on_pair: OnStep,
        on_answer: OnAnswer,
    ) -> None:
        self.sides, self.options, self.workers = sides, options, workers
        self.on_pair, self.on_answer = on_pair, on_answer
        self.pairs = list(combinations(range(len(sides)), 2))
        self.waiting = list(self.pairs)
        self.looks = {pair: self._looked_at(pair, at) for at, pair in enumerate(self.pairs)}

    def _looked_at(self, pair: PairOfSides, at: int) -> Trial:
        self.on_pair(f"first look at {_named(self.sides, pair)}", at, len(self.pairs))
        left, right = (self.sides[each] for each in pair)
        trial = trial_of(left, right, self.workers)
        with self._turn(pair, LOOK_SHARE):
            trial.run(_first_texts(left, right, self.options))
        if trial.seen:
            self.on_answer(f"{self._of(pair)}{_first_answer(trial)}")
        return trial

    def compared(self, pair: PairOfSides, purpose: Purpose | None = None) -> Comparison:
        """Search one pair completely, in its share of the time."""
        done = len(self.pairs) - len(self.waiting)
        self.on_pair(_named(self.sides, pair), done, len(self.pairs))
        left, right = (self.sides[each] for each in pair)
        with self._turn(pair):
            found = compare_subjects(
                left,
                right,
                self.options,
                self.workers,
                purpose,
                self.looks[pair],
                lambda facet: self.on_answer(f"{self._of(pair)}{facet.name}: {facet.outcome}"),
            )
        self.waiting.remove(pair)
        return found

    def _of(self, pair: PairOfSides) -> str:
        """Return the beginning of a sentence about one of several pairs."""
        return f"{_named(self.sides, pair)}: " if len(self.pairs) > 1 else ""

    @contextmanager
    def _turn(self, pair: PairOfSides, part: int = 1) -> Iterator[None]:
        """Limit the block to the pair's share of the time, or a part of it."""
        for at in pair:
            parts = part * sum(at in other for other in self.waiting)
            _share(self.sides[at], parts)
        with self.workers.limits.deadline.shared(part * len(self.waiting)):
            yield

    def over(self) -> None:
        """Leave the remaining time to later work."""
        for side in self.sides:
            _share(side, 1)


def _share(side: Compared, parts: int) -> None:
    for encoder in (side.reference, side.upstream):
        if encoder is not None:
            encoder.share(parts)


def _first_texts(left: Compared, right: Compared, options: Options) -> list[str]:
    """Return a few texts of each kind: around added tokens, entries, and drawn ones."""
    first, second = left.side.spec, right.side.spec
    kinds = (
        added_token_texts(first, second),
        bare_texts(first, second),
        draw(first, options.tier, options.seed).texts,
    )
    return [text for texts in kinds for text in _spread(texts)]


def _spread(texts: Sequence[str]) -> Sequence[str]:
    """Return an even sample of the texts."""
    return texts[:: max(1, len(texts) // MOST_LOOKED_AT)][:MOST_LOOKED_AT]


def _first_answer(trial: Trial) -> str:
    """Describe the shortest differing text, with the ids of both."""
    shortest = min(trial.seen.values(), key=lambda seen: length_then_print(seen.text))
    left, right = (
        " ".join(map(str, ids[:MOST_IDS])) + ("..." if len(ids) > MOST_IDS else "")
        for ids in (shortest.left, shortest.right)
    )
    return f"“{shortest.text}” has different ids: {left or 'none'} and {right or 'none'}"


def _named(sides: Sequence[Compared], pair: PairOfSides) -> str:
    return " against ".join(sides[at].side.name for at in pair)
