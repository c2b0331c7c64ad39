"""Pieces are parsed in a worker: the run hands out bytes, and a piece that kills is named."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from small_ids import documents, small_tokenizer

from tokaudit.foundation.errors import UnreadableError
from tokaudit.products.data.files.files import DataFile, IdDescription, files_of
from tokaudit.products.data.files.opening import open_data
from tokaudit.products.data.ids.counts.tally import Tally
from tokaudit.products.data.ids.plan import Draw, Expected, Plan
from tokaudit.products.data.shards.carrying_out import Measurer, Way, carry_out
from tokaudit.products.data.shards.jail import ShardWorker, companions
from tokaudit.products.data.shards.job import Job
from tokaudit.runtimes.worker.files.server import HandedFile
from tokaudit_folders.id_files import WRITERS, IdWriter, datatrove, json_lines, parquet

pytestmark = pytest.mark.usefixtures("processes")
GIVEN = IdDescription("", 8193)
JOB = Job("test", Plan(Expected(8193, end=(8192,)), Draw(1.0)), GIVEN)


class Killed(ShardWorker):
    """A worker whose processes are killed before they are asked, so many of them."""

    def __init__(self, times: int, by: signal.Signals = signal.SIGSEGV) -> None:
        super().__init__()
        self.times, self.by = times, by

    def _started(self) -> Any:
        process = super()._started()
        if self.times:
            self.times -= 1
            os.kill(process.pid, self.by)
        return process


def tally(path: Path, worker: ShardWorker) -> Tally:
    """The tally of the one file of a folder."""
    files = {file.name: file for file in files_of([path])}
    [shard] = open_data([path], GIVEN).shards
    return carry_out(JOB, {files[shard.info.name]: shard}, Way(here=worker.measured))[
        shard.info.name
    ]


@pytest.mark.parametrize("writer", WRITERS, ids=lambda each: each.name)
def test_a_worker_reads_what_this_process_reads(writer: IdWriter, tmp_path: Path) -> None:
    writer.write(tmp_path / writer.file, documents(9))
    [shard] = open_data([tmp_path], GIVEN).shards
    file = next(each for each in files_of([tmp_path]) if each.name == shard.info.name)
    with ShardWorker() as worker:
        opened = worker.opened(file, GIVEN)
        assert opened is not None
        assert (opened.info, list(opened.pieces())) == (shard.info, list(shard.pieces()))
        way = Way(here=worker.measured)
        assert carry_out(JOB, {file: opened}, way) == carry_out(
            JOB, {file: shard}, Way(here=Measurer().measure)
        )


def test_a_worker_that_is_killed_is_asked_again(tmp_path: Path) -> None:
    datatrove(tmp_path / "ids.ds", documents(9))
    with Killed(0) as whole, Killed(1) as killed:
        assert tally(tmp_path, killed) == tally(tmp_path, whole)


def test_a_piece_that_kills_its_worker_twice_is_named_in_one_line(tmp_path: Path) -> None:
    datatrove(tmp_path / "ids.ds", documents(9))
    with Killed(2) as worker:
        assert tally(tmp_path, worker).faults == (
            (
                "unreadable",
                "the part from 0 on could not be read: the worker process died twice (killed by SIGSEGV)",
                "ids.ds",
                -1,
            ),
        )


def test_a_header_that_kills_its_worker_twice_is_named_in_one_line(tmp_path: Path) -> None:
    json_lines(tmp_path / "ids.jsonl", documents(9))
    [file] = files_of([tmp_path])
    line = r"^ids\.jsonl: its header could not be read: the worker process died twice \(killed by SIGSEGV\)$"
    with Killed(2) as worker, pytest.raises(UnreadableError, match=line):
        worker.opened(file, GIVEN)


def test_who_is_killed_twice_from_outside_accuses_no_piece(tmp_path: Path) -> None:
    datatrove(tmp_path / "ids.ds", documents(9))
    lost = r"^ids\.ds: the worker ended, and not by its own task: killed by SIGKILL$"
    with Killed(2, signal.SIGKILL) as worker, pytest.raises(UnreadableError, match=lost):
        tally(tmp_path, worker)


def test_the_process_of_a_run_imports_no_parser(tmp_path: Path) -> None:
    tokenizer, ids = small_tokenizer(tmp_path / "tokenizer"), tmp_path / "ids"
    ids.mkdir()
    parquet(ids / "a.parquet", documents(9))
    json_lines(ids / "b.jsonl.zst", documents(9))
    script = (
        "import sys, tokaudit\n"
        "report = tokaudit.data(sys.argv[1], sys.argv[2], tier='quick')\n"
        "assert report.result('data/whole').measurements\n"
        "print(sorted({'pyarrow', 'zstandard'} & {*sys.modules}))"
    )
    command = [sys.executable, "-P", "-c", script, str(ids), str(tokenizer)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_worker_has_its_file_and_those_that_belong_to_it(tmp_path: Path) -> None:
    for name in ("ids.ds", "ids.ds.index", "key.pem"):
        (tmp_path / name).write_bytes(b"abc")
    handed = HandedFile("ids.ds", DataFile("ids.ds", tmp_path / "ids.ds", 3), companions())
    assert handed.named("ids.ds") == handed.file
    index = handed.named("ids.ds.index")
    assert index is not None
    assert index.read(1, 9) == b"bc"
    for name in ("key.pem", "../ids.ds.index", f"{tmp_path}/ids.ds.index", "", "b.ds.index"):
        assert handed.named(name) is None
