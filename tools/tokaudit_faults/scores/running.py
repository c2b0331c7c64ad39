"""Scores many cases in a few processes."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed

from tokaudit_faults.case import Case
from tokaudit_faults.scores.scorer import Score, Scorer

Progress = Callable[[int, int, Score], None]
_SCORER = Scorer()  # of each process


def run(
    cases: Sequence[Case], processes: int, progress: Progress, kept: Sequence[Score] = ()
) -> list[Score]:
    """The score of every case, in their order; those that are kept are not run again."""
    wanted = set(cases)
    found = {score.case: score for score in kept if score.case in wanted}
    left = [case for case in cases if case not in found]
    spawn = multiprocessing.get_context("spawn")  # a fork would share the parent's threads
    with ProcessPoolExecutor(processes, spawn) as pool:
        for done in as_completed([pool.submit(_scored, case) for case in left]):
            found[done.result().case] = done.result()
            progress(len(found), len(cases), done.result())
    return [found[case] for case in cases]


def _scored(case: Case) -> Score:
    try:
        return _SCORER.score(case)
    except Exception as error:  # one case that ends in a bug of ours is a survivor
        return Score(case, False, said=f"{type(error).__name__}: {error}")
