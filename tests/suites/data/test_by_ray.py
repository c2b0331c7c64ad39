"""Pieces by Ray on two nodes of one machine: one result, also where a node or a process dies."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import waiting_ids
from id_scans import known
from small_ids import small_tokenizer
from waiting_pieces import NODE, REACHED, reached

from tokaudit.runtimes.request import LoadRequest
from tokaudit.runtimes.shards.ids import carrying_out
from tokaudit.runtimes.shards.ids.carrying_out import Way, carry_out
from tokaudit.runtimes.shards.ids.job import Job
from tokaudit.runtimes.shards.ids.plan import Draw, Plan
from tokaudit.runtimes.shards.work import packed
from tokaudit.subject.data.files import IdDescription, files_of
from tokaudit.subject.data.opening import open_data
from tokaudit_folders.id_files import datatrove

pytestmark = [pytest.mark.ray, pytest.mark.process]
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
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


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    """Two nodes of Ray, with one processor each; the last test takes the second away."""
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    own = str(Path(waiting_ids.__file__).parent)  # for its processes to import the piece that waits
    os.environ["PYTHONPATH"] = own
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    second = cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, log_to_driver=False)
    yield cluster, second
    ray.shutdown()
    cluster.shutdown()
    del os.environ["PYTHONPATH"]


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
    killer = threading.Thread(target=lambda: os.kill(reached(ids), signal.SIGKILL), daemon=True)
    killer.start()
    assert result(ids, folder, Way(ray="auto")) == one
    assert (ids / REACHED).exists()


def test_a_node_that_is_killed_at_a_piece_changes_nothing(
    ids: Path, folder: Path, nodes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster, second = nodes
    one = result(ids, folder, Way(apart=True))
    monkeypatch.setattr(carrying_out, "WORK", waiting_ids.WORK)
    (ids / NODE).write_text(second.node_id)

    def kill() -> None:
        reached(ids)
        cluster.remove_node(second, allow_graceful=False)

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    assert result(ids, folder, Way(ray="auto")) == one
    assert (ids / REACHED).exists()
    killer.join()
