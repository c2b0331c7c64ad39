"""Progress on stderr while the checks run: a bar on a terminal, nothing where there is none."""

from __future__ import annotations

import sys
from types import TracebackType

from tokaudit.report.model import CheckResult, Status

MARKS = {
    Status.PASSED: "ok",
    Status.FAILED: "FAIL",
    Status.SKIPPED: "skip",
    Status.NOT_APPLICABLE: "n/a",
    Status.CRASHED: "CRASH",
}


class Progress:
    """Streams each result as it comes; a line each when verbose, else a bar on a terminal."""

    def __init__(self, quiet: bool) -> None:
        self._bar = None
        if not quiet and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import Progress as Bar

            self._bar = Bar(console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task("opening", total=None)

    def __enter__(self) -> Progress:
        if self._bar:
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar:
            self._bar.stop()

    def __call__(self, result: CheckResult, done: int, total: int) -> None:
        if self._bar:
            self._bar.update(self._task, description=result.check, completed=done, total=total)
            if result.status in (Status.FAILED, Status.CRASHED):
                self._bar.console.print(f"{MARKS[result.status]:5} {result.check}", markup=False)
