"""Ids at a URL: the same result as from a folder, and refusals in one line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from id_scans import known
from processes import starts_processes
from s3_server import serving_bucket
from small_ids import documents, small_tokenizer

import tokaudit
from tokaudit.foundation.errors import UnreadableError, UsageError
from tokaudit.products.data.files.files import IdDescription, files_of
from tokaudit.products.data.files.opening import open_data
from tokaudit.products.data.ids.plan import Draw, Plan
from tokaudit.products.data.shards.carrying_out import Measurer, Way, carry_out
from tokaudit.products.data.shards.job import Job
from tokaudit.runtimes.request import LoadRequest
from tokaudit.shards.work import packed
from tokaudit_folders.id_files import datatrove, dolma, json_lines, megatron, npy, parquet

pytestmark = pytest.mark.usefixtures("processes")
BUCKET = "s3://corpus"


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_tokenizer(tmp_path_factory.mktemp("small"))


@pytest.fixture
def ids(tmp_path: Path) -> Path:
    """Shards with indexes next to them, rows, and a compressed file, in two folders."""
    rows, folder = documents(), tmp_path / "ids"
    (folder / "more").mkdir(parents=True)
    datatrove(folder / "a.ds", rows[:20])
    megatron(folder / "b.bin", rows[20:40])
    npy(folder / "c.npy", rows[:30])
    dolma(folder / "more" / "d.npy", rows[40:50])
    json_lines(folder / "e.jsonl.gz", rows[40:50])
    parquet(folder / "more" / "f.parquet", rows[50:])
    (folder / ".hidden.npy").write_bytes(b"nothing")
    return folder


@pytest.fixture
def in_memory(ids: Path) -> Iterator[str]:
    system = pytest.importorskip("fsspec").filesystem("memory")
    system.put(str(ids), "/corpus", recursive=True)
    yield "memory://corpus"
    system.rm("/corpus", recursive=True)


def tallies(data: str | Path, tokenizer: Path, way: Way = Way()) -> list[bytes]:
    """The bytes of what was counted of each shard."""
    expected, _, encoder = known(tokenizer)
    given = IdDescription("", expected.size)
    job = Job("test", Plan(expected, Draw(1.0)), given)
    path = str(tokenizer / "tokenizer.json")
    job = job.loading(LoadRequest("tokenizers", path, files=(path,)))
    files = {file.name: file for file in files_of([data])}
    shards = {files[shard.info.name]: shard for shard in open_data([data], given).shards}
    way = way if way.jobs > 1 else Way(here=Measurer(encoder).measure)
    return [packed(tally) for tally in carry_out(job, shards, way).values()]


def test_a_folder_at_a_url_gives_the_bytes_of_the_folder(
    ids: Path, in_memory: str, tokenizer: Path
) -> None:
    assert [file.name for file in files_of([in_memory])] == [file.name for file in files_of([ids])]
    assert tallies(in_memory, tokenizer) == tallies(ids, tokenizer)


@pytest.mark.parametrize(
    ("ending", "names"),
    [("/a.ds", ["a.ds"]), ("/*.npy", ["c.npy"]), ("/more", ["d.csv.gz", "d.npy", "f.parquet"])],
)
def test_a_url_names_a_file_a_glob_or_a_folder(
    in_memory: str, ending: str, names: list[str]
) -> None:
    assert [file.name for file in files_of([in_memory + ending])] == names


def test_a_finding_names_the_shard_at_the_url(
    ids: Path, in_memory: str, tokenizer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fsspec

    monkeypatch.chdir(ids)  # where the tests look for the places of findings
    with fsspec.open(f"{in_memory}/a.ds", "ab") as file:
        file.write(b"\x01")
    report = tokaudit.data(f"{in_memory}/a.ds", tokenizer)
    assert "a.ds has" in " ".join(each.message for each in report.errors)


def test_a_stamp_holds_for_a_url(in_memory: str, tokenizer: Path, tmp_path: Path) -> None:
    import fsspec

    stamp = tmp_path / "stamp.json"
    tokaudit_data = ["data", f"{in_memory}/a.ds", "--tokenizer", str(tokenizer)]
    from tokaudit.cli import main

    assert main([*tokaudit_data, "--quiet", "--stamp", str(stamp)]) == 0
    assert tokaudit.expect_data(stamp, tokenizer, exact=True)["data/shards"] == 1
    with fsspec.open(f"{in_memory}/a.ds", "ab") as file:
        file.write(b"\x01")
    with pytest.raises(UnreadableError, match=r"memory://.*/a\.ds"):
        tokaudit.expect_data(stamp, tokenizer)


def test_what_is_not_there_and_who_is_not_known_are_refused_in_one_line() -> None:
    pytest.importorskip("fsspec")
    with pytest.raises(UnreadableError, match=r"^memory://nowhere: does not exist$"):
        files_of(["memory://nowhere"])
    with pytest.raises(
        UsageError, match=r"^acorn://a: no installed library reads this protocol: .*acorn"
    ):
        files_of(["acorn://a"])


def test_without_fsspec_the_line_to_install_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(UsageError, match=r"pip install 'tokaudit\[cloud\]'"):
        files_of(["s3://never-asked/ids"])


@pytest.fixture
@starts_processes
def server(ids: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """A server of S3 on loopback, whose bucket holds the ids; gives a way to end it."""
    with serving_bucket("corpus", ids, monkeypatch) as bucket:
        yield bucket.end


@pytest.mark.cloud
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_bucket_gives_the_bytes_of_the_folder(
    ids: Path, server: Callable[[], None], tokenizer: Path, jobs: int
) -> None:
    assert tallies(f"{BUCKET}/ids", tokenizer, Way(jobs=jobs)) == tallies(ids, tokenizer)


@pytest.mark.cloud
def test_a_bucket_that_does_not_answer_is_a_refusal(server: Callable[[], None]) -> None:
    [*_] = files_of([f"{BUCKET}/ids/*.npy"])
    server()
    with pytest.raises(UnreadableError, match=r"^s3://corpus/other: "):
        files_of([f"{BUCKET}/other"])
