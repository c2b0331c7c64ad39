"""Words counted piece by piece: exact, in the order of first appearance, also by way of the disk."""

from __future__ import annotations

import random
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from tokaudit.foundation.errors import UnreadableError, UsageError
from tokaudit.products.train.words import counting
from tokaudit.products.train.words.counting import count_corpus
from tokaudit.products.train.words.merging import WordTotals
from tokaudit.products.train.words.work import CountingJob
from tokaudit.shards.running import Runners
from tokaudit_reference.training import chunks

JOB = CountingJob("test", ("<end>",), (r"\w+|\W",))


def pieces(seed: int, count: int = 9) -> list[dict[str, int]]:
    draw = random.Random(seed)
    words = ["a", "b", "\n", '"', "é", "\x00", "zz", "\u2028", "Ω", "\\"]
    return [dict(Counter(draw.choices(words, k=draw.randrange(8)))) for _ in range(count)]


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("most", [0, 3, 1000])
def test_totals_are_those_of_one_count_in_any_order_and_with_any_memory(
    tmp_path: Path, seed: int, most: int
) -> None:
    parts = pieces(seed)
    expected: Counter[str] = Counter()
    for part in parts:
        expected.update(part)
    totals = WordTotals(tmp_path / "runs", most)
    order = list(enumerate(parts))
    random.Random(seed).shuffle(order)
    for number, part in order:
        totals.add(number, part)
    assert list(totals.words()) == list(expected.items())


def test_what_memory_holds_is_in_the_order_of_the_corpus_after_pieces_came_late(
    tmp_path: Path,
) -> None:
    totals = WordTotals(tmp_path / "runs")
    totals.add(1, {"late": 1, "both": 1})
    totals.add(0, {"both": 2, "early": 1})
    assert list(totals.words()) == [("both", 3), ("early", 1), ("late", 1)]
    assert not (tmp_path / "runs").exists()


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Two files in several pieces each."""
    monkeypatch.setattr(counting, "ranges", partial(chunks.ranges, size=40))
    files = [tmp_path / "a.txt", tmp_path / "b.txt"]
    files[0].write_text("one two<end>" * 9 + "three\n\n four")
    files[1].write_text("four five " * 9 + "<end>" + "six " * 30)
    return files


def test_pieces_in_two_processes_and_resumed_ones_give_the_same(
    corpus: list[Path], tmp_path: Path, processes: None
) -> None:
    kept = tmp_path / "kept"
    one = list(count_corpus(corpus, JOB, Runners(1)))
    assert one[:3] == [("one", 9), (" ", 58), ("two", 9)]
    assert list(count_corpus(corpus, JOB, Runners(2), resume=str(kept))) == one
    pieces = sorted(kept.iterdir())
    assert len(pieces) == 5
    pieces[0].unlink()
    pieces[1].write_bytes(b"{")
    with pytest.raises(UsageError, match=pieces[1].name):
        list(count_corpus(corpus, JOB, Runners(1), resume=str(kept)))
    pieces[1].unlink()
    assert list(count_corpus(corpus, JOB, Runners(1), resume=str(kept))) == one


def test_a_piece_of_another_text_is_not_taken_for_a_finished_one(
    corpus: list[Path], tmp_path: Path
) -> None:
    kept = str(tmp_path / "kept")
    list(count_corpus(corpus, JOB, Runners(1), resume=kept))
    corpus[0].write_text(corpus[0].read_text().replace("two", "owt"))
    assert ("owt", 9) in list(count_corpus(corpus, JOB, Runners(1), resume=kept))


def test_bytes_that_are_not_utf_8_are_named_by_file_and_offset(corpus: list[Path]) -> None:
    corpus[1].write_bytes(b"good <end>" * 9 + b"\xff")
    with pytest.raises(UnreadableError, match=r"b\.txt: is not UTF-8: byte 0xff at offset 90"):
        list(count_corpus(corpus, JOB, Runners(1)))


def test_a_text_that_no_special_token_divides_is_refused_above_a_size(
    corpus: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "LARGEST_PIECE", 100)
    with pytest.raises(
        UnreadableError, match=r"b\.txt: 125 bytes have no place at which the text may be split"
    ):
        list(count_corpus(corpus, JOB, Runners(1)))
