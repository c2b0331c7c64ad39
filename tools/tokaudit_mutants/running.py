"""Scores many mutants in a few processes."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed

from tokaudit_mutants.mutant import Mutant
from tokaudit_mutants.scoring import Known, Score, known_of, score
from tokaudit_scored.scorer import Key

Progress = Callable[[int, int, Score], None]
_known: Known = {}


def run(
    mutants: Sequence[Mutant], processes: int, progress: Progress, kept: Sequence[Score] = ()
) -> list[Score]:
    """The score of every mutant, in their order; those that are kept are not run again."""
    wanted = set(mutants)
    found = {score.mutant: score for score in kept if score.mutant in wanted}
    left = [mutant for mutant in mutants if mutant not in found]
    if left:
        _run(left, processes, lambda score: progress(len(found), len(mutants), score), found)
    return [found[mutant] for mutant in mutants]


def _run(
    mutants: Sequence[Mutant],
    processes: int,
    progress: Callable[[Score], None],
    found: dict[Mutant, Score],
) -> None:
    """Put the score of each of these next to those that are found."""
    sides = sorted({(mutant.family, mutant.made_by.base) for mutant in mutants})
    spawn = multiprocessing.get_context("spawn")  # a fork would share the parent's threads
    with ProcessPoolExecutor(processes, spawn) as pool:
        healthy = pool.map(known_of, *zip(*sides, strict=True))
        known: list[tuple[tuple[str, bool], dict[Key, int]]]
        known = [(side, dict(found)) for side, found in zip(sides, healthy, strict=True)]
    with ProcessPoolExecutor(processes, spawn, _begin, (known,)) as pool:
        waiting = [pool.submit(_scored, mutant) for mutant in mutants]
        for done in as_completed(waiting):
            found[done.result().mutant] = done.result()
            progress(done.result())


def _begin(known: Sequence[tuple[tuple[str, bool], dict[Key, int]]]) -> None:
    from collections import Counter

    _known.update((side, Counter(found)) for side, found in known)


def _scored(mutant: Mutant) -> Score:
    try:
        return score(mutant, _known)
    except Exception as error:  # one mutant that ends in a bug of ours is a survivor
        return Score(mutant, False, said=f"{type(error).__name__}: {error}")
