"""Training's counts and a compared corpus by Ray: what one process gives, to the byte."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

import tokaudit
from tokaudit.engine.corpus import documents
from tokaudit.products.train.words import counting
from tokaudit.products.train.words.counting import count_corpus
from tokaudit.products.train.words.work import CountingJob
from tokaudit.report.comparison import CorpusSlice
from tokaudit.shards.running import Runners
from tokaudit_folders.folder import Folder
from tokaudit_reference.training import chunks

pytestmark = [pytest.mark.ray, pytest.mark.usefixtures("processes")]
pytest.importorskip("ray")
JOB = CountingJob("test", ("<end>",), (r"\w+|\W",))


def test_words_are_counted_as_by_one_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "ranges", partial(chunks.ranges, size=400))
    files = [tmp_path / "a.txt", tmp_path / "b.txt"]
    files[0].write_text("one two<end>" * 90 + "three\n\n four")
    files[1].write_text("four five <end>" * 90 + "six " * 30)
    one = list(count_corpus(files, JOB, Runners(1)))
    assert [word for word, _ in one] == ["one", " ", "two", "three", "\n", "four", "five", "six"]
    assert list(count_corpus(files, JOB, Runners(2, ray="local"))) == one


def test_a_corpus_is_compared_as_by_one_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "PIECE", 2_000)
    (tmp_path / "lines.txt").write_text("".join(f"abc d {'ab' * n}\n" for n in range(90)))
    one = Folder.bpe("abcd ", ["a b", "ab c"]).write(tmp_path / "one")
    other = Folder.bpe(["a", "b", "c", "d", " ", "ab", "abc"], ["a b"]).write(tmp_path / "other")
    by_one = corpus_of(one, other, tmp_path / "lines.txt")
    assert (by_one.documents, by_one.different) == (90, 90)
    assert corpus_of(one, other, tmp_path / "lines.txt", ray="local", jobs=2) == by_one


def corpus_of(one: Path, other: Path, lines: Path, **how: Any) -> CorpusSlice:
    """What a corpus shows of two."""
    found = tokaudit.compare(one, other, tier="quick", corpus=[lines], **how).comparison
    assert found is not None
    return found.corpus[0]


def test_an_audit_reads_a_corpus_as_by_one_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "PIECE", 2_000)
    (tmp_path / "lines.txt").write_text("".join(f"abc d {'ab' * n}\n" for n in range(90)))
    one = Folder.bpe("abcd ", ["a b", "ab c"]).write(tmp_path / "one")
    found = [
        tokaudit.audit(one, corpus=[tmp_path / "lines.txt"], select=["fertility/corpus"], **how)
        for how in ({}, {"ray": "local", "jobs": 2})
    ]
    by_one, by_ray = (repr(each.result("fertility/corpus").measurements) for each in found)
    assert by_one == by_ray
    assert "corpus_bytes_per_token" in by_one
