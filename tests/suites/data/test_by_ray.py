"""Pieces by Ray on two nodes of one machine: one result, also where a node or a process dies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import waiting_ids
from id_scans import known
from small_ids import small_tokenizer
from two_nodes import killing_the_process, killing_the_second
from waiting_pieces import REACHED

from tokaudit.products.data.files.files import IdDescription, files_of
from tokaudit.products.data.files.opening import open_data
from tokaudit.products.data.ids.plan import Draw, Plan
from tokaudit.products.data.shards import carrying_out
from tokaudit.products.data.shards.carrying_out import Way, carry_out
from tokaudit.products.data.shards.job import Job
from tokaudit.runtimes.request import LoadRequest
from tokaudit.shards.work import packed
from tokaudit_folders.id_files import datatrove

pytestmark = pytest.mark.ray
SHARDS = 24


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_tokenizer(tmp_path_factory.mktemp("small"))


@pytest.fixture
def ids(tmp_path: Path, rows: list[list[int]]) -> Path:
    """Shards of kilobytes."""
    for number in range(SHARDS):
        datatrove(tmp_path / f"{number:05}.ds", rows[number : number + 30])
    return tmp_path


def result(ids: Path, folder: Path, way: Way) -> list[bytes]:
    """The bytes of the tally of each shard."""
    expected, _, _ = known(folder)
    path = str(folder / "tokenizer.json")
    given = IdDescription("", expected.size)
    job = Job("test", Plan(expected, Draw(1.0)), given)
    job = job.loading(LoadRequest("tokenizers", path, files=(path,)))
    files = {file.name: file for file in files_of([ids])}
    shards = {files[shard.info.name]: shard for shard in open_data([ids], given).shards}
    return [packed(tally) for tally in carry_out(job, shards, way).values()]


def test_ray_gives_the_same_bytes_as_one_process_and_two(
    ids: Path, folder: Path, nodes: Any
) -> None:
    one = result(ids, folder, Way(apart=True))
    assert one == result(ids, folder, Way(jobs=2))
    assert one == result(ids, folder, Way(ray="auto"))
    assert len(one) == SHARDS


def test_a_process_of_ray_that_is_killed_at_its_piece_changes_nothing(
    ids: Path, folder: Path, nodes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = result(ids, folder, Way(apart=True))
    monkeypatch.setattr(carrying_out, "WORK", waiting_ids.WORK)
    killing_the_process(ids)
    assert result(ids, folder, Way(ray="auto")) == one
    assert (ids / REACHED).exists()


def test_a_process_of_this_machine_that_is_killed_at_its_piece_changes_nothing(
    ids: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, processes: None
) -> None:
    one = result(ids, folder, Way(apart=True))
    monkeypatch.setenv("PYTHONPATH", str(Path(waiting_ids.__file__).parent))
    monkeypatch.setattr(carrying_out, "WORK", waiting_ids.WORK)
    killing_the_process(ids)
    assert result(ids, folder, Way(jobs=2)) == one
    assert (ids / REACHED).exists()


def test_a_node_that_is_killed_at_a_piece_changes_nothing(
    ids: Path, folder: Path, nodes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = result(ids, folder, Way(apart=True))
    monkeypatch.setattr(carrying_out, "WORK", waiting_ids.WORK)
    killer = killing_the_second(nodes, ids)
    assert result(ids, folder, Way(ray="auto")) == one
    assert (ids / REACHED).exists()
    killer.join()
