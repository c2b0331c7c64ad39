"""Of more than two tokenizers every pair is tried before any is searched, and none starves."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import tokaudit
from tokaudit.engine.needs import Options
from tokaudit.engine.workers import Workers
from tokaudit.foundation.deadline import Deadline
from tokaudit.foundation.errors import UsageError
from tokaudit.products.compare.work.pairs import compare_each
from tokaudit.products.compare.work.prepared import prepared
from tokaudit.report.comparison import Relation
from tokaudit.runtimes.worker.allowance import Allowance, WorkerLimits
from tokaudit.subject.opening import open_subject
from tokaudit_folders.folder import Folder

MERGES = {
    "a": [["a", "b"], ["ab", "c"], ["d", "d"]],
    "b": [["a", "b"], ["d", "d"]],
    "c": [["ab", "c"], ["a", "b"]],
}


@pytest.fixture
def three(tmp_path: Path) -> list[Path]:
    """Three tokenizers of one vocabulary, no two of which have the same merges."""
    vocab = {token: id for id, token in enumerate(["a", "b", "c", "d", "ab", "abc", "dd"])}
    for name, merges in MERGES.items():
        (tmp_path / name).mkdir()
        Folder.bpe(vocab, merges).write(tmp_path / name)
    return [tmp_path / name for name in MERGES]


def compared(
    folders: list[Path], limits: WorkerLimits, on_pair: Callable[[Workers, str], None]
) -> tuple[list[Any], Any]:
    """The comparisons and the matrix; `on_pair` is called with what is done next."""
    workers = Workers(limits)
    try:
        sides = [prepared(open_subject(path), workers, path.name) for path in folders]
        told = lambda what, done, total: on_pair(workers, what)  # noqa: E731
        return compare_each(sides, Options(tier="quick"), workers, None, told)
    finally:
        workers.close()


def test_every_pair_is_looked_at_before_any_is_searched(three: list[Path], processes: None) -> None:
    said: list[str] = []
    compared(three, WorkerLimits(60.0), lambda workers, what: said.append(what))
    assert [what.startswith("first look at ") for what in said] == [True] * 3 + [False] * 3


def test_what_is_known_is_told_before_the_end(three: list[Path], processes: None) -> None:
    heard: list[str] = []
    tokaudit.compare(*three[:2], tier="quick", on_answer=heard.append)
    assert heard == [
        "“abc” has different ids: 5 and 4 2",
        "ids: proved identical",
        "normalizer: proved identical",
        "pre-tokenizer: proved identical",
        "added tokens: proved identical",
        "merges: differs",
        "post-processor: proved identical",
        "decoder: proved identical",
        "batch settings: no difference found",
    ]


def test_of_several_pairs_each_answer_names_its_pair(three: list[Path], processes: None) -> None:
    heard: list[str] = []
    tokaudit.compare(*three, tier="quick", on_answer=heard.append)
    assert [each.split(": ")[0] for each in heard[:3]] == [
        f"{one} against {other}" for one, other in combinations(map(str, three), 2)
    ]


def test_a_pair_that_no_time_is_left_for_is_told_apart_by_its_first_texts(
    three: list[Path],
    processes: None,
) -> None:
    def end(workers: Workers, what: str) -> None:
        if not what.startswith("first look"):
            workers.limits.deadline._end = 0.0

    found, relations = compared(three, WorkerLimits(60.0, deadline=Deadline(600)), end)
    assert all(each.different for each in found)
    assert all(each.minimal is not None for each in found)
    assert relations == tuple(
        tuple(Relation.SAME if a == b else Relation.RESEGMENTED for b in range(3)) for a in range(3)
    )


def test_a_share_that_is_not_used_is_left_to_those_that_follow() -> None:
    used = Allowance(12.0)
    used.share(3)
    assert used.left == 4.0
    used.answered(1.0)
    used.share(2)
    assert used.left == 5.5
    used.answered(6.5)
    assert used.left == 0.0
    used.share(1)
    assert used.left == 5.5


def test_a_time_that_is_none_is_refused_before_any_work(three: list[Path]) -> None:
    with pytest.raises(UsageError, match="timeout 0: is not a number of seconds"):
        tokaudit.compare(*three, timeout=0)


def test_the_verdict_is_over_all_pairs(three: list[Path], processes: None) -> None:
    report = tokaudit.compare(*three, tier="quick", timeout=600)
    assert report.verdict == "fail"
    assert report.sentence.startswith(
        "No two of a, b and c are interchangeable: a and c differ in merges"
    )
    assert "b and c differ (resegmented)" in report.sentence
    assert [each for each in tokaudit.recheck(report) if each.objection] == []
