"""A corpus in Parquet: rows with a text, in constant memory, or an error that says what to do."""

from __future__ import annotations

import sys
from pathlib import Path

import pyarrow
import pytest
from pyarrow import parquet

import tokaudit
from tokaudit.engine.corpus.documents import documents
from tokaudit.foundation.errors import UnreadableError, UsageError


def written(path: Path, **columns: list[object]) -> Path:
    parquet.write_table(pyarrow.table(columns), path, row_group_size=700)
    return path


def test_each_row_is_a_document(tmp_path: Path) -> None:
    texts = [f"row {number}\nsecond line" for number in range(1_500)]
    path = written(tmp_path / "rows.parquet", id=list(range(1_500)), text=[*texts])
    assert list(documents(path)) == texts


def test_the_column_may_be_called_content(tmp_path: Path) -> None:
    path = written(tmp_path / "rows.pq", content=["a", "b"])
    assert list(documents(path)) == ["a", "b"]


def test_a_file_without_such_a_column_is_named_with_those_that_it_has(tmp_path: Path) -> None:
    path = written(tmp_path / "rows.parquet", body=["a"], id=[1])
    with pytest.raises(
        UnreadableError, match="a column 'text' or 'content'; its columns are body, id"
    ):
        list(documents(path))


def test_a_row_without_text_is_named(tmp_path: Path) -> None:
    path = written(tmp_path / "rows.parquet", text=["a", None])
    with pytest.raises(UnreadableError, match=r"rows\.parquet: row 2 has no text"):
        list(documents(path))


def test_a_file_that_is_not_parquet_is_named(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    path.write_text("a\nb\n")
    with pytest.raises(UnreadableError, match=r"rows\.parquet: cannot be read as Parquet"):
        list(documents(path))


def test_without_pyarrow_the_command_that_installs_it_is_named_before_the_work(
    tmp_path: Path, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path / "rows.parquet", text=["ab"])
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageError, match=r"run: pip install 'tokaudit\[parquet\]'"):
        tokaudit.compare(small, small, tier="quick", corpus=[path])


def test_a_corpus_in_parquet_is_compared(tmp_path: Path, small: Path, processes: None) -> None:
    path = written(tmp_path / "rows.parquet", text=["ab", "a", "b"])
    found = tokaudit.compare(small, small, tier="quick", corpus=[path]).comparison
    assert found is not None
    assert (found.corpus[0].documents, found.corpus[0].left_tokens) == (3, 3)
