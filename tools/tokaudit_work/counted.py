"""Runs one command and writes what it did: `python -m tokaudit_work.counted OUT COMMAND ...`.

The counters lie around what every question, process and call goes through.  Calls are counted by
the interpreter's profiler, in each thread, without those of functions in C.
"""

from __future__ import annotations

import cProfile
import json
import os
import sys
import threading
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tokaudit.cli import main
from tokaudit.runtimes.worker import process, questions
from tokaudit_work.counts import Counts

STARTS = ("subprocess.Popen", "os.fork", "os.posix_spawn")


class Counter:
    """What is counted while a command runs."""

    def __init__(self) -> None:
        self.questions = self.texts = self.processes = self.largest_worker = 0
        self._profiles: list[cProfile.Profile] = []

    def begin(self) -> None:
        """Count from now on, in this thread and in those that start."""
        asked = process.WorkerProcess.ask

        def counted(worker: process.WorkerProcess, question: Any, *rest: Any) -> Any:
            self.questions += 1
            if isinstance(question, questions.Encode):
                self.texts += len(question.texts)
            answer = asked(worker, question, *rest)
            self.largest_worker = max(self.largest_worker, peak(worker._process.pid))
            return answer

        process.WorkerProcess.ask = counted  # type: ignore[assignment, method-assign]
        sys.addaudithook(self._event)
        threading.setprofile(lambda *_: self._profile())
        self._profile()

    def end(self) -> Counts:
        """The counts up to now."""
        self._profiles[0].disable()  # a call while its entries are listed would lose some of them
        calls = sum(entry.callcount for profile in self._profiles for entry in profile.getstats())
        read = Path("/proc/self/io").read_text("ascii").split()[1]  # rchar: of its children too
        return Counts(
            questions=self.questions,
            texts=self.texts,
            processes=self.processes,
            modules=len(sys.modules),
            calls=calls,
            kilobytes_read=int(read) // 1000,
            megabytes=(peak(os.getpid()) + self.largest_worker) // 1000,
        )

    def _event(self, name: str, _: object) -> None:
        self.processes += name in STARTS

    def _profile(self) -> None:
        profile = cProfile.Profile(builtins=False)
        self._profiles.append(profile)
        profile.enable()


def peak(process: int) -> int:
    """The most memory that a process has held since its program began, in kB; of a dead one 0.

    `ru_maxrss` is not that: it begins with the memory of who started the program.
    """
    lines = Path(f"/proc/{process}/status").read_text("ascii").splitlines()
    return next((int(line.split()[1]) for line in lines if line.startswith("VmHWM:")), 0)


def run(out: Path, command: list[str]) -> int:
    """Run the command, write its counts to `out`, and return its exit code."""
    counter = Counter()
    counter.begin()
    code = main(command)
    out.write_text(json.dumps(asdict(counter.end())), "utf-8")
    return code


if __name__ == "__main__":
    raise SystemExit(run(Path(sys.argv[1]), sys.argv[2:]))
