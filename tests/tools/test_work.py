"""What typical runs do is counted, and does not grow unseen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace

import pytest

from tokaudit_work.counts import Counts, grown, recorded
from tokaudit_work.runs import RUNS, count

WITH_MORE = """
import subprocess, sys
from pathlib import Path
from tokaudit.runtimes.worker.process import WorkerProcess
from tokaudit_work import counted

once = WorkerProcess.ask

def twice(self, question, *rest):
    once(self, question, *rest)
    return once(self, question, *rest)

def more(command, main=counted.main):
    global once
    once = WorkerProcess.ask
    {more}
    return main(command)

counted.main = more
raise SystemExit(counted.run(Path(sys.argv[1]), sys.argv[2:]))
"""
SEEDED = {
    "questions": "WorkerProcess.ask = twice",
    "texts": "WorkerProcess.ask = twice",
    "processes": "[subprocess.run([sys.executable, '-c', '']) for _ in range(3)]",
    "modules": "sys.modules.update((f'module_{number}', sys) for number in range(100))",
    "calls": "[(lambda: None)() for _ in range(100_000)]",
    "kilobytes_read": "Path('large').write_bytes(bytes(3_000_000)); Path('large').read_bytes()",
    "megabytes": "globals().update(held=b'x' * 60_000_000)",
}
TOGETHER = (
    ("questions", "texts", "modules", "kilobytes_read"),
    ("processes", "calls", "megabytes"),
)


@pytest.mark.long
@pytest.mark.parametrize("run", RUNS)
def test_a_typical_run_does_no_more_than_is_recorded(run: str, processes: None) -> None:
    assert [str(each) for each in grown(run, recorded()[run], count(run))] == []


def test_a_count_may_grow_by_a_tenth_and_no_more() -> None:
    before, same, more = (Counts(*[value] * 7) for value in (1000, 1100, 1101))

    assert list(grown("run", before, same)) == []
    assert [each.count for each in grown("run", before, more)] == [
        each.name for each in fields(Counts) if each.name != "megabytes"
    ]


def test_the_peak_of_memory_may_grow_by_a_quarter_as_it_depends_on_what_happens_at_once() -> None:
    before = Counts(1, 1, 1, 1, 1, 1, megabytes=400)

    assert list(grown("run", before, replace(before, megabytes=500))) == []
    assert list(map(str, grown("run", before, replace(before, megabytes=501)))) == [
        "run: megabytes 501, recorded 400"
    ]


def test_growth_names_the_run_the_count_and_both_figures() -> None:
    before, after = Counts(1, 1, 1, 1, 1000, 1, 1), Counts(1, 1, 1, 1, 2000, 1, 1)

    assert [str(each) for each in grown("chat", before, after)] == [
        "chat: calls 2,000, recorded 1,000"
    ]


@pytest.mark.parametrize("counted", TOGETHER, ids=", ".join)
def test_a_seeded_regression_of_each_kind_is_found_and_no_other(
    counted: Sequence[str], processes: None
) -> None:
    script = WITH_MORE.replace("{more}", "; ".join(map(SEEDED.__getitem__, counted)))

    found = grown("chat", recorded()["chat"], count("chat", ("-c", script)))

    assert {each.count for each in found} == set(counted)


def test_each_count_has_its_seeded_regression() -> None:
    seeded = [name for together in TOGETHER for name in together]

    assert sorted(seeded) == sorted(SEEDED) == sorted(each.name for each in fields(Counts))
