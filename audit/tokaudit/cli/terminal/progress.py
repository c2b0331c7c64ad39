"""Progress on stderr: a bar on a terminal, else nothing."""

from __future__ import annotations

import sys
from time import monotonic
from typing import TYPE_CHECKING

from tokaudit.report.model import CheckResult, Status
from tokaudit.report.visible import visible

if TYPE_CHECKING:
    from rich.progress import ProgressColumn, Task, TaskID

EVERY = 0.1  # seconds between two drawings of one step, so that drawing costs nothing
MARKS = {Status.FAILED: "FAIL", Status.CRASHED: "CRASH"}


class Progress:
    """A progress bar; `first` is its text until it knows more."""

    def __init__(self, quiet: bool, first: str, color: str = "auto", *, rate: bool = False) -> None:
        self._bar = None
        self._name, self._drawn = first, 0.0
        self._lines: dict[str, TaskID] = {}
        if not quiet and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import Progress as Bar

            from tokaudit.cli.terminal.look import look

            plain = not look(sys.stderr, color).color
            columns = [*Bar.get_default_columns(), *_rate()]
            console = Console(stderr=True, no_color=plain)
            self._bar = Bar(*columns, console=console, transient=True)
            self._task = self._bar.add_task(first, total=None, rate=rate)

    def __enter__(self) -> Progress:
        if self._bar:
            self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar:
            self._bar.stop()

    def step(self, name: str, done: int, total: int | None) -> None:
        """Show one step of several; each new name restarts the bar."""
        if self._bar is None:
            return
        now = monotonic()
        if name != self._name:
            self._bar.reset(self._task, description=name, total=total)
        elif now - self._drawn < EVERY:
            return
        self._name, self._drawn = name, now
        self._bar.update(self._task, completed=done)

    def part(self, name: str, done: int, total: int | None) -> None:
        """Show work that runs besides the checks, on its own line with its rate."""
        if self._bar is None:
            return
        if name not in self._lines:
            self._lines[name] = self._bar.add_task(name, total=total, rate=True)
        self._bar.update(self._lines[name], completed=done, visible=done != total)

    def answer(self, sentence: str) -> None:
        """Print an early result on a line that stays."""
        if self._bar is not None:
            self._bar.console.print(visible(sentence), markup=False, highlight=False)

    def result(self, result: CheckResult, done: int, total: int) -> None:
        """Show a finished check; a failed one also leaves a line."""
        if self._bar is None:
            return
        self._bar.update(self._task, description=result.check, completed=done, total=total)
        if result.status in MARKS:
            self._bar.console.print(f"{MARKS[result.status]:5} {result.check}", markup=False)


def _rate() -> tuple[ProgressColumn]:
    """Return a column with the rate per second, for lines that need it."""
    from rich.progress import ProgressColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        """The rate of steps per second; empty until known."""

        def render(self, task: Task) -> Text:
            """Format the rate as a whole number."""
            shown = task.fields.get("rate") and task.speed
            return Text(f"{task.speed:,.0f}/s" if shown else "")

    return (Rate(),)
