"""Makes attempts of the hostile library in workers, and says how each came out.

Run as a program it is given names and prints what became of them, with the rules and without: so a
test learns what another user is refused.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

from tokaudit.foundation.errors import OutOfTime
from tokaudit.runtimes.request import LoadRequest
from tokaudit.runtimes.worker import client, process
from tokaudit.runtimes.worker.allowance import WorkerLimits
from tokaudit.runtimes.worker.answers import Answer
from tokaudit.runtimes.worker.client import UpstreamRefused, WorkerCrashed, WorkerTokenizer
from tokaudit.runtimes.worker.confinement import capabilities
from tokaudit.runtimes.worker.resources import budget
from tokaudit.runtimes.worker.resources.usage import children
from tokaudit.runtimes.worker.starting import process_start

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
from attempts import ATTEMPTS, Attempt  # noqa: E402

MEMORY = 2_000_000_000  # bytes of address space; that of the whole audit is what a test is about
MOST = 300_000_000
DONE = "done"


def outcome(attempt: Attempt, *, off: bool) -> str:
    """`done`, or the words by which the attempt was refused."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        stack.enter_context(_surroundings(folder))
        patience = 60.0 if off or attempt.name != "sleep and not answer" else 2.5
        if off:
            for patch in _left_off(attempt.off):
                stack.enter_context(patch)
        if attempt.name == "compute after calling off its clock":
            stack.enter_context(mock.patch.object(client, "START_PROCESSOR", 1.0))
            stack.enter_context(mock.patch.object(budget, "LATITUDE", 0.2))
        subject = folder / "tokenizer.json"
        subject.write_text(json.dumps({"attempt": attempt.name}))
        limits = WorkerLimits(budget=budget.Budget(MOST))
        request = LoadRequest("tokenizers", str(subject))
        opened = WorkerTokenizer(request, start=patience, memory=MEMORY, limits=limits)
        with opened:
            return _how(opened)


def _how(opened: WorkerTokenizer) -> str:
    try:
        _ = opened.info
    except UpstreamRefused as error:
        return error.message.removeprefix("RuntimeError: ")
    except (WorkerCrashed, OutOfTime) as error:
        return f"died: {error}"
    return "it was loaded"


@contextlib.contextmanager
def _surroundings(folder: Path) -> Iterator[None]:
    """The hostile library first on the path, and a home folder with a secret."""
    home = folder / "home"
    home.mkdir()
    for name in ("secret", "kept", "removable"):
        (home / name).write_text(name)
    given = {"PYTHONPATH": str(HERE), "HOME": str(home), "HF_TOKEN": "hf_secret"}
    with mock.patch.dict(os.environ, given):
        yield
    left = {path.name for path in home.iterdir()}
    assert left <= {"secret", "kept", "removable", "made"}


def _left_off(rules: tuple[str, ...]) -> Iterator[Any]:
    """What takes the rules of the worker and of the parent away."""
    arguments = ", ".join(map(repr, rules))
    command = (sys.executable, "-P", "-c", f"import relaxed; relaxed.main({arguments})")
    yield mock.patch.object(process_start, "COMMAND", command)
    if "dumpable" in rules:
        yield mock.patch.object(capabilities, "hide", lambda: None)
    if "budget" in rules:
        yield mock.patch.object(budget.Budget, "look", lambda self: 1.0)
    if "environment" in rules:
        yield mock.patch.object(process_start, "allowed", lambda all, _: dict(all))
    if "frames" in rules:
        yield mock.patch.object(process, "receive", _believing)


def _believing(descriptor: int, *_: object) -> Answer[Any]:
    """Take whatever comes for an answer."""
    os.read(descriptor, 1 << 16)
    return Answer(1, 0.0, 0.0, error=DONE)


def main() -> None:
    """Print the outcomes of all attempts, a line each, and then the processes that are left."""
    for attempt in ATTEMPTS.values():
        print(json.dumps([attempt.name, outcome(attempt, off=False)]), flush=True)
    print(json.dumps(["left", children(os.getpid())]))


if __name__ == "__main__":
    main()
