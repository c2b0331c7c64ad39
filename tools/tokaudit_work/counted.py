"""Runs one command and writes what it did: `python -m tokaudit_work.counted OUT COMMAND ...`.

The counters lie around what every question, process and call goes through.  Calls are counted by
the interpreter's profiler, in each thread, without those of functions in C.
"""

from __future__ import annotations

import cProfile
import json
import resource
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
        self.questions = self.texts = self.processes = 0
        self._profiles: list[cProfile.Profile] = []

    def begin(self) -> None:
        """Count from now on, in this thread and in those that start."""
        asked = process.WorkerProcess.ask

        def counted(worker: process.WorkerProcess, question: Any, *rest: Any) -> Any:
            self.questions += 1
            if isinstance(question, questions.Encode):
                self.texts += len(question.texts)
            return asked(worker, question, *rest)

        process.WorkerProcess.ask = counted  # type: ignore[assignment, method-assign]
        sys.addaudithook(self._event)
        threading.setprofile(lambda *_: self._profile())
        self._profile()

    def end(self) -> Counts:
        """The counts up to now."""
        calls = sum(entry.callcount for profile in self._profiles for entry in profile.getstats())
        read = Path("/proc/self/io").read_text("ascii").split()[1]  # rchar: of its children too
        own, children = (
            resource.getrusage(who).ru_maxrss
            for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
        )
        return Counts(
            questions=self.questions,
            texts=self.texts,
            processes=self.processes,
            modules=len(sys.modules),
            calls=calls,
            kilobytes_read=int(read) // 1000,
            megabytes=(own + children) // 1000,
        )

    def _event(self, name: str, _: object) -> None:
        self.processes += name in STARTS

    def _profile(self) -> None:
        profile = cProfile.Profile(builtins=False)
        self._profiles.append(profile)
        profile.enable()


def run(out: Path, command: list[str]) -> int:
    """Run the command, write its counts to `out`, and return its exit code."""
    counter = Counter()
    counter.begin()
    code = main(command)
    out.write_text(json.dumps(asdict(counter.end())), "utf-8")
    return code


if __name__ == "__main__":
    raise SystemExit(run(Path(sys.argv[1]), sys.argv[2:]))
