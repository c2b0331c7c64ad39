"""Scores many mutants in a few processes."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed

from tokaudit_mutants.mutant import Mutant
from tokaudit_mutants.scoring import Key, Known, Score, known_of, score

Progress = Callable[[int, int, Score], None]
_known: Known = {}


def run(mutants: Sequence[Mutant], processes: int, progress: Progress) -> list[Score]:
    """The score of every mutant, in their order."""
    sides = sorted({(mutant.family, mutant.made_by.base) for mutant in mutants})
    spawn = multiprocessing.get_context("spawn")  # a fork would share the parent's threads
    with ProcessPoolExecutor(processes, spawn) as pool:
        healthy = pool.map(known_of, *zip(*sides, strict=True))
        known: list[tuple[tuple[str, bool], dict[Key, int]]]
        known = [(side, dict(found)) for side, found in zip(sides, healthy, strict=True)]
    found: dict[Mutant, Score] = {}
    with ProcessPoolExecutor(processes, spawn, _begin, (known,)) as pool:
        waiting = [pool.submit(_scored, mutant) for mutant in mutants]
        for done in as_completed(waiting):
            found[done.result().mutant] = done.result()
            progress(len(found), len(mutants), done.result())
    return [found[mutant] for mutant in mutants]


def _begin(known: Sequence[tuple[tuple[str, bool], dict[Key, int]]]) -> None:
    from collections import Counter

    _known.update((side, Counter(found)) for side, found in known)


def _scored(mutant: Mutant) -> Score:
    try:
        return score(mutant, _known)
    except Exception as error:  # one mutant that ends in a bug of ours is a survivor
        return Score(mutant, False, said=f"{type(error).__name__}: {error}")
