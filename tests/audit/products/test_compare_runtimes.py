"""`tokaudit.compare_runtimes`: every runtime has its row, whatever it does."""

from __future__ import annotations

import runpy
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from few_texts import few_texts

import tokaudit
from tokaudit.engine.samples import Samples
from tokaudit.products.engines import compared_runtimes as runtimes
from tokaudit.products.engines.compared_runtimes import Refereeing
from tokaudit.report.comparison import Comparison, Relation
from tokaudit.report.recorded import RuntimeState
from tokaudit.runtimes.adapters import tokenizers_adapter
from tokaudit.runtimes.named_runtimes import NamedRuntime
from tokaudit.runtimes.worker import client
from tokaudit_folders.folder import Folder

FAKES = Path(__file__).parents[1] / "runtimes" / "fakes"
TEMPLATE = runpy.run_path(str(FAKES / "rendering_engines.py"))["TEMPLATE"]
SHORTER = "' Hello.<s>assistant: ' by the file; ' Hello.<s>assistant:' by acorn 1"


@dataclass
class Clock:
    """A clock that goes only when it is told to."""

    seconds: float = 1_000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture(autouse=True)
def few_of_each_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few texts of each kind show the same, in a tenth of the time."""
    few_texts(monkeypatch, of_a_kind=30, largest=10)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small tokenizer that `tokenizers` runs; the fakes can be imported."""
    monkeypatch.setenv("PYTHONPATH", str(FAKES))
    return Folder.bpe("ab ", ["a b"]).added("<s>").write(tmp_path)


def states(report: tokaudit.Report) -> dict[str, str]:
    compared = report.comparisons
    return {each.runtime.name: each.runtime.state for each in compared if each.runtime}


def test_the_library_of_the_file_agrees_here_and_in_an_interpreter_by_name(
    folder: Path, processes: None
) -> None:
    names = ["tokenizers", f"tokenizers@{sys.executable}"]
    report = tokaudit.compare_runtimes(folder, runtime=names, tier="quick")
    assert states(report) == dict.fromkeys(names, RuntimeState.AGREES)
    assert report.ok
    assert report.comparison is not None and report.comparison.texts > 200


# What each does when it is loaded, encodes or decodes, and what its row says.
HOSTILE = {
    "ends_at_once": RuntimeState.CRASHES,
    "not_there": RuntimeState.REFUSES,
    "code_points": RuntimeState.DIFFERS,
    "not_numbers": RuntimeState.DIFFERS,
    "negative": RuntimeState.DIFFERS,
    "beyond_numbers": RuntimeState.REFUSES,
    "reads_nowhere": RuntimeState.CRASHES,
    "writes_to_every_pipe": RuntimeState.CRASHES,
    "forks": RuntimeState.DIFFERS,
    "ends_while_decoding": RuntimeState.DIFFERS,
    "decodes_to_a_number": RuntimeState.DIFFERS,
    "decodes_to_half_a_pair": RuntimeState.DIFFERS,
}


# What a program does that gives another number of answers than it was asked for.
PROGRAMS = {"more": RuntimeState.DIFFERS, "fewer": RuntimeState.REFUSES}


def test_whatever_encoders_and_programs_do_each_has_its_row_and_the_sound_one_agrees(
    folder: Path,
    processes: None,
) -> None:
    rows = {f"call:hostile_runtimes:{encoder}": state for encoder, state in HOSTILE.items()}
    for answers, state in PROGRAMS.items():
        rows[f"cmd:{sys.executable} {FAKES / 'hostile_program.py'} {answers}"] = state
    rows["tokenizers"] = RuntimeState.AGREES
    report = tokaudit.compare_runtimes(folder, runtime=list(rows), tier="quick")
    assert states(report) == rows
    assert not report.ok


def test_of_too_many_threads_the_kernel_refuses_one_or_the_watch_ends_the_worker(
    folder: Path, processes: None
) -> None:
    """Which is first depends on the machine."""
    name = "call:hostile_runtimes:many_threads"
    report = tokaudit.compare_runtimes(folder, runtime=["tokenizers", name], tier="quick")
    assert states(report)["tokenizers"] is RuntimeState.AGREES
    assert states(report)[name] in {RuntimeState.REFUSES, RuntimeState.CRASHES}


def test_who_takes_all_memory_gives_nothing_and_the_other_rows_are_whole(
    folder: Path, monkeypatch: pytest.MonkeyPatch, processes: None
) -> None:
    few_texts(monkeypatch, of_a_kind=1, largest=8)  # each fills the memory
    monkeypatch.setattr(Samples, "of_kind", lambda *_: ())
    less = 1024**3 // 3  # than what programs have, and so sooner full
    monkeypatch.setattr(client, "MEMORY_OF_PROGRAMS", less)
    hostile = "call:hostile_runtimes:allocates"
    found = states(tokaudit.compare_runtimes(folder, runtime=[hostile, "tokenizers"], tier="quick"))
    assert found["tokenizers"] is RuntimeState.AGREES
    # Its own memory ends, or it is ended for what it takes: whichever comes first.
    assert found[hostile] in (RuntimeState.REFUSES, RuntimeState.CRASHES)


def test_who_hangs_takes_no_time_of_those_that_follow(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[float] = []

    def hanging(asked: Refereeing, runtime: NamedRuntime) -> Comparison:
        deadline = asked.workers.limits.deadline
        given.append(deadline.left)
        clock.seconds += deadline.left
        return Comparison(folder.name, runtime.name, 0, 0, Relation.UNKNOWN)

    clock = Clock()
    monkeypatch.setattr(time, "monotonic", clock)
    monkeypatch.setattr(runtimes, "refereed", hanging)
    names = ["call:hostile_runtimes:sleeps"] * 2 + ["tokenizers"]
    tokaudit.compare_runtimes(folder, runtime=names, tier="quick", timeout=90.0)
    assert given == [30.0, 30.0, 30.0]


def test_a_refusal_says_who_refused_and_in_which_words(folder: Path, processes: None) -> None:
    report = tokaudit.compare_runtimes(folder, runtime=["call:hostile_runtimes:gone"], tier="quick")
    assert report.verdict is tokaudit.Verdict.UNVERIFIABLE
    assert report.comparison is not None and report.comparison.runtime is not None
    assert "has no attribute 'gone'" in report.comparison.runtime.why
    assert report.comparison.texts == 0


def test_a_runtime_that_nobody_knows_is_refused_before_any_work(folder: Path) -> None:
    with pytest.raises(tokaudit.UsageError, match="'tokeniserz' is not a known runtime"):
        tokaudit.compare_runtimes(folder, runtime=["tokeniserz"])


def test_the_library_can_be_asked_for_one_text_and_for_a_batch() -> None:
    assert {"adds", "batch"} <= tokenizers_adapter.CAPABILITIES


@pytest.mark.parametrize(
    ("engine", "outcome"), [("right", "no difference found"), ("trimmed", "differs")]
)
def test_an_engine_of_ones_own_is_held_to_the_template_of_the_folder(
    engine: str, outcome: str, folder: Path, processes: None
) -> None:
    (folder / "chat_template.jinja").write_text(TEMPLATE)
    name = f"call:rendering_engines:{engine}"
    [found] = tokaudit.compare_runtimes(folder, runtime=[name], tier="quick").comparisons
    [facet] = [each for each in found.facets if each.name == "template"]
    assert facet.outcome == outcome
    shown = [each.note for each in facet.evidence]
    assert shown == ([] if engine == "right" else [SHORTER])
