"""Progress on stderr while a model is trained: a bar on a terminal, nothing where there is none."""

from __future__ import annotations

import sys
from time import monotonic
from types import TracebackType

EVERY = 0.1  # seconds between two drawings, so that drawing costs nothing


class Steps:
    """A bar that is told what is done of what; each new name begins it anew."""

    def __init__(self, quiet: bool) -> None:
        self._bar = None
        self._name, self._drawn = "", 0.0
        if not quiet and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import Progress as Bar

            self._bar = Bar(console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task("reading", total=None)

    def __enter__(self) -> Steps:
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

    def __call__(self, name: str, done: int, total: int | None) -> None:
        if self._bar is None:
            return
        now = monotonic()
        if name != self._name:
            self._bar.reset(self._task, description=name, total=total)
        elif now - self._drawn < EVERY:
            return
        self._name, self._drawn = name, now
        self._bar.update(self._task, completed=done)
