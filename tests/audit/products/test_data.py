"""Ids on disk by the functions and the command: one result however it is run, stamps, writers."""

from __future__ import annotations

import json
import re
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from processes import Command
from small_ids import END, documents, small_folder, small_tokenizer
from waiting_pieces import killed_at_the_last_piece

import tokaudit
from tokaudit.shards import running
from tokaudit_folders.folder import Folder
from tokaudit_folders.id_files import datatrove, json_lines, parquet

pytestmark = pytest.mark.usefixtures("processes")


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_tokenizer(tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="module")
def cut(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same tokenizer without half of its merges, whose ids are others."""
    folder = Folder(json.loads(small_folder().text()))
    merges = folder.tokenizer["model"]["merges"]
    del merges[len(merges) // 2 :]
    written = folder.tokenizer_config(eos_token=END)
    return written.write(tmp_path_factory.mktemp("cut"))


@pytest.fixture
def ids(tmp_path: Path) -> Path:
    """Four shards in three formats, with an end twice in one."""
    rows, folder = documents(), tmp_path / "ids"
    folder.mkdir()
    datatrove(folder / "a.ds", rows[:20])
    datatrove(folder / "b.ds", rows[20:40])
    json_lines(folder / "c.jsonl", rows[40:50])
    parquet(folder / "d.parquet", [[*row, row[-1]] for row in rows[50:]])
    return folder


def results(report: tokaudit.Report) -> str:
    """All that was found and measured, without the time that it took."""
    every = report.results
    return repr([(each.check, each.status, each.findings, each.measurements) for each in every])


def test_the_result_is_the_same_from_one_process_from_two_and_resumed(
    ids: Path, tokenizer: Path, tmp_path: Path
) -> None:
    one = tokaudit.data(ids, tokenizer)
    two = tokaudit.data(ids, tokenizer, jobs=2, resume=tmp_path / "kept")
    again = tokaudit.data(ids, tokenizer, resume=tmp_path / "kept")
    assert results(one) == results(two) == results(again)
    assert len(list((tmp_path / "kept").iterdir())) == 4
    assert [each.identity for each in one.errors] == ["data/boundaries:ends-twice"]


def test_a_finished_piece_is_not_measured_again(
    ids: Path, tokenizer: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = tokaudit.data(ids, tokenizer, resume=tmp_path / "kept")
    monkeypatch.setattr(running, "_run", lambda work, job, tasks, *_: iter(_none(tasks)))
    assert results(tokaudit.data(ids, tokenizer, resume=tmp_path / "kept")) == results(first)


def _none(tasks: Any) -> tuple[()]:
    assert list(tasks) == []
    return ()


KILLED = """
import sys
import waiting_ids
from tokaudit.cli import main
from tokaudit.products.data.shards import carrying_out
carrying_out.WORK = waiting_ids.WORK
main(sys.argv[1:])
"""


def test_a_run_that_was_killed_at_a_piece_goes_on(
    ids: Path, tokenizer: Path, tmp_path: Path
) -> None:
    kept = tmp_path / "kept"
    command = [sys.executable, "-P", "-c", KILLED, "data", str(ids), "--tokenizer", str(tokenizer)]
    command += ["--resume", str(kept), "--jobs", "2", "--quiet"]
    killed = killed_at_the_last_piece(command, ids, kept, pieces=4)
    assert killed == -signal.SIGKILL
    whole = tokaudit.data(ids, tokenizer)
    assert results(tokaudit.data(ids, tokenizer, resume=kept)) == results(whole)
    assert len(list(kept.glob("*.json"))) == 4


def test_a_sample_is_about_so_many_documents_and_says_what_it_would_miss(
    tokenizer: Path, tmp_path: Path
) -> None:
    datatrove(tmp_path / "ids.ds", documents() * 30)
    scope = tokaudit.data(tmp_path, tokenizer, sample=300, select=["data/whole"]).scope
    judged = re.search(r", (\d+) documents judged; if 1\.0\d% of all were wrong, 1 sample", scope)
    assert judged is not None and 200 < int(judged[1]) < 300


def test_an_audit_asks_the_same_next_to_everything_else(ids: Path, tokenizer: Path) -> None:
    report = tokaudit.audit(tokenizer, data=[ids], select=["data", "vocab/holes"])
    assert report.result("data/whole").status == "passed"
    assert "all ids of 4 shards decoded" in report.scope
    assert tokaudit.audit(tokenizer, select=["data"]).result("data/whole").reason == (
        "no files of token ids were named with --data"
    )


def test_a_stamp_says_whether_ids_and_tokenizer_belong_together(
    ids: Path, tokenizer: Path, tokaudit_in_fork: Command, tmp_path: Path
) -> None:
    parquet(ids / "d.parquet", documents()[50:])
    stamp = ids / "tokaudit.stamp.json"
    done = tokaudit_in_fork("data", ids, "--tokenizer", tokenizer, "--stamp", stamp, "--quiet")
    assert done.returncode == 0, done.stderr
    assert tokaudit.expect_data(ids, tokenizer)["data/shards"] == 4
    assert (
        json.loads(stamp.read_text())["predicate"]["files"]["a.ds"] == (ids / "a.ds").stat().st_size
    )
    changed = bytearray((ids / "a.ds").read_bytes())
    changed[0] ^= 1
    (ids / "a.ds").write_bytes(changed)
    assert tokaudit.verify(tokenizer, ids) == []
    [drift] = tokaudit.verify(tokenizer, ids, exact=True)
    assert (drift.kind, drift.name) == ("file", "a.ds")
    (ids / "b.ds").write_bytes(b"")
    with pytest.raises(tokaudit.UnreadableError, match=r"b\.ds"):
        tokaudit.expect_data(stamp, tokenizer)


def test_a_shard_that_came_into_a_stamped_folder_is_drift(
    ids: Path, tokenizer: Path, tokaudit_in_fork: Command
) -> None:
    stamp = ids / "tokaudit.stamp.json"
    tokaudit_in_fork("data", ids, "--tokenizer", tokenizer, "--stamp", stamp, "--quiet")
    (ids / "notes.txt").write_text("of another kind than the shards")
    assert tokaudit.verify(tokenizer, ids) == []
    json_lines(ids / "e.jsonl", documents()[:5])
    [drift] = tokaudit.verify(tokenizer, ids)
    assert (drift.kind, drift.name, drift.was) == ("file", "e.jsonl", None)


def test_of_stamped_files_alone_others_are_no_drift(
    ids: Path, tokenizer: Path, tokaudit_in_fork: Command
) -> None:
    stamp = ids / "tokaudit.stamp.json"
    tokaudit_in_fork("data", ids / "c.jsonl", "--tokenizer", tokenizer, "--stamp", stamp, "--quiet")
    json_lines(ids / "e.jsonl", documents()[:5])
    assert tokaudit.verify(tokenizer, ids) == []


def test_the_function_writes_the_stamp_too_and_refuses_one_without_a_folder(
    ids: Path, tokenizer: Path
) -> None:
    with pytest.raises(tokaudit.UsageError, match="the folder of this file does not exist"):
        tokaudit.data(ids / "c.jsonl", tokenizer, stamp=ids / "nowhere" / "stamp.json")
    tokaudit.data(ids / "c.jsonl", tokenizer, stamp=ids / "tokaudit.stamp.json")
    assert tokaudit.expect_data(ids, tokenizer)["data/shards"] == 1


def test_a_folder_without_a_stamp_is_told_how_to_have_one(ids: Path, tokenizer: Path) -> None:
    with pytest.raises(
        tokaudit.UnreadableError, match=r"this folder has no tokaudit\.stamp\.json; to"
    ):
        tokaudit.expect_data(ids, tokenizer)


def test_a_stamp_that_has_no_folder_is_refused_before_the_work(
    ids: Path, tokenizer: Path, tokaudit_in_fork: Command, tmp_path: Path
) -> None:
    stamp = tmp_path / "nowhere" / "stamp.json"
    done = tokaudit_in_fork("data", ids, "--tokenizer", tokenizer, "--stamp", stamp)
    assert done.returncode == 2
    assert "the folder of this file does not exist" in done.stderr


def test_another_tokenizer_is_drift_from_a_stamp(
    ids: Path, tokenizer: Path, cut: Path, tokaudit_in_fork: Command
) -> None:
    stamp = ids / "tokaudit.stamp.json"
    tokaudit_in_fork("data", ids, "--tokenizer", tokenizer, "--stamp", stamp, "--quiet")
    [drift] = tokaudit.verify(cut, stamp)
    assert (drift.kind, drift.name) == ("identity", "tokenizer")


def test_the_writer_is_named_among_several(
    ids: Path, tokenizer: Path, cut: Path, tmp_path: Path
) -> None:
    copy = small_folder().write(tmp_path / "copy")
    found = tokaudit.who_wrote(ids, [str(tokenizer), str(cut)])
    assert found.left == (str(tokenizer),)
    assert found.candidates[0].own == found.candidates[0].drawn == 60
    both = tokaudit.who_wrote(ids, [str(tokenizer), str(copy)])
    assert (set(both.left), both.same) == ({str(tokenizer), str(copy)}, True)


def test_one_with_more_added_tokens_is_proved_the_same_where_none_of_them_is(
    ids: Path, tokenizer: Path, tmp_path: Path
) -> None:
    larger = small_folder().added("<|more|>").write(tmp_path / "larger")
    found = tokaudit.who_wrote(ids, [str(tokenizer), str(larger)])
    assert set(found.left) == {str(tokenizer), str(larger)}
    [tie] = found.ties
    assert tie.sameness == (
        "every text has the same ids, unless it holds an added token in which they differ"
    )
    assert found.same


def test_a_tie_without_a_proof_is_said_to_be_none(tokenizer: Path, tmp_path: Path) -> None:
    json_lines(tmp_path / "ids.jsonl", [[72, 8192]] * 9)
    other = Folder(json.loads(small_folder().text()))
    del other.tokenizer["model"]["merges"][-50:]
    written = other.tokenizer_config(eos_token=END).write(tmp_path / "other")
    found = tokaudit.who_wrote(tmp_path / "ids.jsonl", [str(tokenizer), str(written)])
    assert len(found.left) == 2
    [tie] = found.ties
    assert (tie.sameness, found.same) == (
        "nothing is proved, and on this data they do the same",
        False,
    )


def test_the_nearest_is_named_where_one_document_excludes_the_writer(
    tokenizer: Path, cut: Path, tmp_path: Path, tokaudit_in_fork: Command
) -> None:
    first, *others = documents()
    json_lines(tmp_path / "ids.jsonl", [[*first[:5], 129, *first[5:]], *others])
    file = tmp_path / "ids.jsonl"
    done = tokaudit_in_fork("data", file, "--among", tokenizer, cut)
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == (
        f"none of these wrote every document; the nearest is {tokenizer}, with 59 of 60"
    )


def test_the_command_wants_one_tokenizer_or_several(ids: Path, tokaudit_in_fork: Command) -> None:
    done = tokaudit_in_fork("data", ids)
    assert (done.returncode, done.stderr) == (
        2,
        "tokaudit: name one tokenizer with --tokenizer, or several with --among\n",
    )


@pytest.mark.parametrize("write", [json_lines, parquet])
def test_columns_of_other_names_are_read_by_the_word_of_the_user(
    write: Any, tokenizer: Path, tmp_path: Path
) -> None:
    suffix = "jsonl" if write is json_lines else "parquet"
    rows, file = documents()[:20], tmp_path / f"ids.{suffix}"
    write(file, rows, named="doc_v2", labels=[[*row[1:], -100] for row in rows])
    with pytest.raises(tokaudit.UnreadableError, match=r"doc_v2, labels"):
        tokaudit.data(file, tokenizer)
    report = tokaudit.data(file, tokenizer, column=["doc_v2"])
    assert [each.identity for each in report.errors] == ["data/labels:labels-shifted"]
    lacking = tokaudit.data(file, tokenizer, column=["doc_v2", "labels=label"])
    assert lacking.verdict == "fail"
    [error] = lacking.errors
    assert error.identity == "data/whole:unreadable"
    assert error.message.endswith(
        "has no column 'label' for labels; its columns are doc_v2, labels"
    )


def test_each_shard_is_named_where_none_can_be_opened(
    tokenizer: Path, tmp_path: Path, tokaudit_in_fork: Command
) -> None:
    for name in ("a.npy", "b.npy"):
        (tmp_path / name).write_bytes(b"\x93NUMPY\1\0\x02\0{}")
    report = tokaudit.data(tmp_path, tokenizer)
    assert [(each.identity, each.places[0].file) for each in report.errors] == [
        ("data/whole:unreadable", "a.npy"),
        ("data/whole:unreadable", "b.npy"),
    ]
    assert report.errors[0].message.startswith("a.npy: its header cannot be read")
    skipped = report.result("data/range")
    assert skipped.status == "skipped"
    assert skipped.reason.startswith("no shard could be opened: a.npy: its header cannot be read")
    assert skipped.reason.endswith("; nor could 1 other")
    assert tokaudit_in_fork("data", tmp_path, "--tokenizer", tokenizer).returncode == 1


def test_a_role_of_a_column_that_is_not_known_is_wrong_usage(ids: Path, tokenizer: Path) -> None:
    with pytest.raises(
        tokaudit.UsageError, match=r"column 'label': is not one of the roles ids, .*labels"
    ):
        tokaudit.data(ids, tokenizer, column=["label=y"])
