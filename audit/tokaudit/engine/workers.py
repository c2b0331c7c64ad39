"""Worker processes of one audit."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import dataclass, field
from threading import Semaphore
from typing import TypeVar

from tokaudit.foundation.progress import OnStep, silently
from tokaudit.runtimes.request import LoadRequest
from tokaudit.runtimes.worker.allowance import WorkerLimits
from tokaudit.runtimes.worker.client import WorkerTokenizer
from tokaudit.runtimes.worker.known_answers import KnownAnswers, Replay
from tokaudit.runtimes.worker.process import WorkerProcess

_Client = TypeVar("_Client")
MOST_JOBS = 2  # processes at once: a third would start for as long as it then works


@dataclass
class Workers:
    """Worker processes of one audit, closed together."""

    limits: WorkerLimits = field(default_factory=WorkerLimits)
    known: KnownAnswers | None = None  # of other subjects of the same run
    on_step: OnStep = silently  # gets how far pieces of files are
    opened: dict[str, WorkerTokenizer] = field(default_factory=dict)
    _idle: list[WorkerProcess] = field(default_factory=list)
    idle_for_jobs: list[WorkerProcess] = field(default_factory=list)
    room_for_jobs: Semaphore = field(default_factory=lambda: Semaphore(MOST_JOBS))
    _jobs: Replay | None = None
    _stack: ExitStack = field(default_factory=ExitStack)

    def start_ahead(self, count: int) -> None:
        """Start processes for the first encoders while the files are still being read.

        None where answers are known already: a further subject may need no process.
        """
        if self.known is not None and self.known.some:
            return
        for _ in range(count):
            with suppress(OSError, RuntimeError):  # no room; who needs one tries again
                process = WorkerProcess(
                    self.limits.budget.of_one,
                    self.limits.deadline,
                    budget=self.limits.budget,
                )
                self._stack.callback(process.close)
                self._idle.append(process)

    def open(self, role: str, request: LoadRequest) -> WorkerTokenizer:
        """Return a started worker that holds the requested tokenizer."""
        replay = self.known.replay(request) if self.known is not None else None
        tokenizer = WorkerTokenizer(request, limits=self.limits, idle=self._idle, replay=replay)
        self._stack.callback(tokenizer.close)
        self.opened[role] = tokenizer
        _ = tokenizer.info  # starts and loads, so that a refusal shows here
        return tokenizer

    def later(self, role: str, request: LoadRequest) -> WorkerTokenizer:
        """Return a worker that starts on first use."""
        tokenizer = WorkerTokenizer(request, limits=self.limits)
        self._stack.callback(tokenizer.close)
        self.opened[f"{role} {len(self.opened)}"] = tokenizer
        return tokenizer

    def client(
        self, make: Callable[[Workers, Replay | None], AbstractContextManager[_Client]]
    ) -> _Client:
        """Return a client of its own jobs, with processes started on demand."""
        if self.known is not None and self._jobs is None:
            self._jobs = self.known.of_jobs()
        return self._stack.enter_context(make(self, self._jobs))

    def close(self) -> None:
        """End every worker."""
        self._stack.close()
