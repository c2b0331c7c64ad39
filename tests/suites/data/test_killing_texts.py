"""A text that kills the tokenizer's library costs its document, and no other of its piece."""

from __future__ import annotations

from pathlib import Path

import pytest
from id_scans import findings, scan_of

from tokaudit.products.data.files.files import IdDescription, files_of
from tokaudit.products.data.files.opening import open_data
from tokaudit.products.data.ids import isolating
from tokaudit.products.data.ids.counts.tally import Sign, Spot, Tally
from tokaudit.products.data.ids.isolating import without_killers
from tokaudit.products.data.ids.plan import Draw, Expected, Plan
from tokaudit.products.data.shards.carrying_out import Way, carry_out
from tokaudit.products.data.shards.job import Job
from tokaudit.runtimes.request import LoadRequest
from tokaudit.shards.work import packed
from tokaudit_folders.id_files import datatrove

FAKES = Path(__file__).parents[2] / "audit" / "runtimes" / "fakes"
GIVEN = IdDescription("", 129)
BELL, END = 7, 128


def tallies(folder: Path, way: Way, encoder: str = "mortal") -> dict[str, Tally]:
    """What is counted of the shards of a folder whose ids are code points."""
    job = Job("test", Plan(Expected(129, end=(END,)), Draw(1.0)), GIVEN)
    job = job.loading(LoadRequest("call", f"fake_encoders:{encoder}"))
    files = {file.name: file for file in files_of([folder])}
    shards = {files[one.info.name]: one for one in open_data([folder], GIVEN).shards}
    return carry_out(job, shards, way)


def with_bells(*killing: int, count: int = 8) -> list[list[int]]:
    """Documents of letters, of which some have a bell."""
    return [[97, 98, BELL if at in killing else 99, at + 97, END] for at in range(count)]


def test_only_the_documents_that_kill_are_named_and_the_rest_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: None
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(FAKES))
    datatrove(tmp_path / "ids.ds", with_bells(1, 3, count=4))
    found = tallies(tmp_path, Way())["ids.ds"]
    assert [(spot.document, spot.offset) for spot in found.spots(Sign.KILLS)] == [(1, 0), (3, 0)]
    assert (found.faults, found.ids, found.documents) == ((), 20, 4)
    assert (found.count(Sign.KILLS), found.count(Sign.OWN), found.drawn) == (2, 2, 2)


def test_what_is_found_is_the_same_from_two_processes_and_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: None
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(FAKES))
    folder, kept = tmp_path / "ids", str(tmp_path / "kept")
    folder.mkdir()
    for name, killing in (("a.ds", 1), ("b.ds", 2)):
        datatrove(folder / name, with_bells(killing, count=4))
    one = packed(tallies(folder, Way()))
    assert packed(tallies(folder, Way(jobs=2, resume=kept))) == one
    assert packed(tallies(folder, Way(apart=True, resume=kept))) == one


def test_a_library_that_all_documents_kill_leaves_the_piece_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: None
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(FAKES))
    monkeypatch.setattr(isolating, "MOST_KILLERS", 2)
    datatrove(tmp_path / "ids.ds", with_bells(*range(3), count=3))
    found = tallies(tmp_path, Way())["ids.ds"]
    assert [fault[1] for fault in found.faults] == [
        "the part from 0 on could not be read: the worker process died twice (killed by SIGABRT)"
    ]


def test_a_document_that_kills_is_an_error_with_its_place(
    rows: list[list[int]], tokenizer: Path, tmp_path: Path
) -> None:
    datatrove(tmp_path / "ids.ds", rows)
    scan = scan_of(tmp_path, tokenizer)
    scan.tallies["ids.ds"].note(Sign.KILLS, 1, [Spot("ids.ds", 3, 0, (258, 262))])
    [found] = findings(scan)
    assert (found.identity, str(found.severity)) == ("data/own-encoding:kills", "error")
    assert found.message == (
        "1 document ends the process of tokenizers that encodes the text again: not judged; the "
        "first: ids.ds, document 3, position 0, where the id is 258"
    )


def test_what_two_documents_do_together_names_neither() -> None:
    asked = []

    def ask(left_out: tuple[tuple[int, int], ...]) -> Tally | None:
        asked.append(left_out)
        there = {at for at in range(8) if not any(a <= at < b for a, b in left_out)}
        if {2, 6} <= there:
            return None
        found = Tally()
        found.note(Sign.KILLS, 8 - len(there))
        return found

    assert without_killers(ask) is None
    assert len(asked) == 3
