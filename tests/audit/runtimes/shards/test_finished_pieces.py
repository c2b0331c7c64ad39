"""A finished piece is believed only where it says what it was made of and what it holds."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tokaudit.foundation.errors import UsageError
from tokaudit.products.data.ids.counts.tally import Tally
from tokaudit.products.data.shards.carrying_out import WORK
from tokaudit.shards.finished import FinishedPieces, kept_in
from tokaudit.shards.work import Task

ONE, OTHER = (Task("a.bin", "/a.bin", 8, start, start + 4) for start in (0, 4))


def pieces(folder: Path, settings: bytes = b"settings") -> FinishedPieces[Tally]:
    return kept_in(str(folder), WORK, settings, {"a.bin": "digest of the file"})


def test_what_was_kept_is_read_again(tmp_path: Path) -> None:
    pieces(tmp_path).keep(ONE, Tally(documents=7))
    assert pieces(tmp_path).read(ONE) == Tally(documents=7)
    assert pieces(tmp_path).read(OTHER) is None
    assert pieces(tmp_path, b"other settings").read(ONE) is None
    assert len(list(tmp_path.iterdir())) == 1


def forged(path: Path) -> None:
    path.write_bytes(b"{}")


def changed(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"7", b"8", 1))


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def linked(path: Path) -> None:
    path.rename(path.with_suffix(".other"))
    path.symlink_to(path.with_suffix(".other"))


def piped(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def foldered(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    "change", [forged, changed, cut, emptied, linked, piped, foldered], ids=lambda one: one.__name__
)
def test_any_other_file_in_its_place_is_refused_by_its_name(
    change: Callable[[Path], None], tmp_path: Path
) -> None:
    kept = pieces(tmp_path)
    kept.keep(ONE, Tally(documents=7))
    change(kept.path(ONE))
    with pytest.raises(UsageError, match=rf"resume: .*{kept.path(ONE).name}: .*; remove this file"):
        pieces(tmp_path).read(ONE)


def test_a_piece_of_another_task_is_not_taken(tmp_path: Path) -> None:
    kept = pieces(tmp_path)
    kept.keep(OTHER, Tally(documents=7))
    kept.path(OTHER).rename(kept.path(ONE))
    with pytest.raises(UsageError, match="is not the piece that was written under this name"):
        kept.read(ONE)


def test_keeping_writes_through_no_link_and_waits_for_no_pipe(tmp_path: Path) -> None:
    kept, outside = pieces(tmp_path / "kept"), tmp_path / "outside"
    outside.write_text("theirs")
    kept.path(ONE).symlink_to(outside)
    os.mkfifo(kept.path(OTHER))
    for task in (ONE, OTHER):
        kept.keep(task, Tally(documents=7))
        assert kept.read(task) == Tally(documents=7)
    assert outside.read_text() == "theirs"
