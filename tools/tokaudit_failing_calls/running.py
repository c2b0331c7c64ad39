"""One run of a command in which one call fails, and what must hold of its end."""

from __future__ import annotations

import errno
import json
import os
import queue
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tokaudit_failing_calls.commands import CODES, COMMANDS, prepare

HERE = Path(__file__).parent
WRITTEN = ("out", "tmp", "said")  # the folders of a run, made anew for each
SECONDS = 300  # for one run; the wall, which a busy machine makes longer
ERRNOS: Mapping[str, int] = {
    "open": errno.EMFILE,
    "write": errno.ENOSPC,
    "rename": errno.EIO,
    "fork": errno.EAGAIN,
    "mmap": errno.ENOMEM,
    "malloc": errno.ENOMEM,
    "read": errno.EIO,
}


@dataclass(frozen=True)
class Run:
    """How a command ended in which a call failed at its n-th time."""

    command: str
    call: str
    at: int
    code: int
    calls: int  # of that kind, in the whole run
    trouble: str  # what does not hold; empty where all does


def built(folder: Path) -> Path:
    """The library to preload, compiled; needs gcc."""
    made = folder / "faults.so"
    source = str(HERE / "faults.c")
    flags = ["-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    subprocess.run(["gcc", *flags, "-o", str(made), source, "-ldl"], check=True)
    return made


class Place:
    """A folder with what the commands read, and the process that runs them there.

    With `start`, calls count from the interpreter's start, and each run is a new process.
    """

    def __init__(self, library: Path, work: Path, *, start: bool = False) -> None:
        self.library, self.work, self.start = library, work, start
        self._armed: subprocess.Popen[str] | None = None

    def run(self, command: str, call: str, at: int) -> Run:
        """Run a command; the call fails at its `at`-th time, at none where that is 0."""
        for name in WRITTEN:
            folder = self.work / name
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
        before = listed(self.work)
        count = self.work / "said" / "count"
        settings = {
            "FAULT_CALL": call,
            "FAULT_AT": str(at),
            "FAULT_ERRNO": str(ERRNOS[call]),
            "FAULT_COUNT": str(count),
            "TMPDIR": str(self.work / "tmp"),
        }
        code = (self._started if self.start else self._asked)(command, settings)
        if code is None:
            return Run(command, call, at, -1, 0, f"took more than {SECONDS} seconds")
        calls = int(count.read_text()) if count.exists() else 0
        stderr = (self.work / "said" / "err").read_text(errors="replace")
        said = "; ".join(troubles(code, stderr, self.work, before))
        return Run(command, call, at, code, calls, said)

    def close(self) -> None:
        """End the process that runs commands, with what it has started."""
        if self._armed is not None:
            os.killpg(self._armed.pid, signal.SIGKILL)
            self._armed.communicate()
            self._armed = None

    def _started(self, command: str, settings: Mapping[str, str]) -> int | None:
        environment = {**os.environ, **settings, **self._preloaded, "FAULT_START": "1"}
        with (self.work / "said" / "err").open("w") as stderr:
            try:
                return subprocess.run(
                    [sys.executable, "-m", "tokaudit", *COMMANDS[command]],
                    cwd=self.work,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=stderr,
                    check=False,
                    timeout=SECONDS,
                ).returncode
            except subprocess.TimeoutExpired:
                return None

    def _asked(self, command: str, settings: Mapping[str, str]) -> int | None:
        self._armed = armed = self._armed or subprocess.Popen(
            [sys.executable, str(HERE / "armed.py")],
            env={**os.environ, **self._preloaded},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert armed.stdin is not None
        assert armed.stdout is not None
        said = self.work / "said"
        order = {
            "folder": str(self.work),
            "out": str(said / "out"),
            "err": str(said / "err"),
            "settings": dict(settings),
            "arguments": COMMANDS[command],
        }
        armed.stdin.write(json.dumps(order) + "\n")
        armed.stdin.flush()
        if not select.select([armed.stdout], [], [], SECONDS)[0]:
            self.close()
            return None
        return int(armed.stdout.readline())

    @property
    def _preloaded(self) -> dict[str, str]:
        return {"LD_PRELOAD": str(self.library)}


class Places:
    """Folders in each of which one run at a time is made."""

    def __init__(
        self, library: Path, folder: Path, count: int, subject: Path | None, *, start: bool
    ) -> None:
        self.all = [
            Place(library, folder / f"work{number}", start=start) for number in range(count)
        ]
        self.free: queue.SimpleQueue[Place] = queue.SimpleQueue()
        for place in self.all:
            prepare(place.work, subject)
            self.free.put(place)

    def run(self, command: str, call: str, at: int) -> Run:
        """Run a command in the next free folder."""
        place = self.free.get()
        try:
            return place.run(command, call, at)
        finally:
            self.free.put(place)

    def close(self) -> None:
        """End what runs the commands."""
        for place in self.all:
            place.close()


def troubles(code: int, stderr: str, work: Path, before: Sequence[str]) -> Iterator[str]:
    """What does not hold of how a command ended."""
    lines = [line for line in stderr.splitlines() if line.strip()]
    if code not in CODES:
        yield f"exit code {code}"
    if "Traceback" in stderr:
        yield f"a traceback: {lines[-1][:200]}"
    elif len(lines) > 1 or (not lines and not said_otherwise(code, work)):
        yield f"{len(lines)} lines: {stderr[:200]!r}"
    left = [path.name for path in (work / "tmp").iterdir()]
    left += [path.name for path in (work / "out").iterdir() if path.name.startswith(".")]
    if left:
        yield f"left behind: {', '.join(left)[:200]}"
    if listed(work) != before:
        yield f"changed the folder: {sorted(set(listed(work)) ^ set(before))}"
    yield from broken(work / "out")


def said_otherwise(code: int, work: Path) -> bool:
    """Whether no line is needed: it is no refusal, or the report itself says what is undecided."""
    return code in (0, 1) or (code == 3 and any((work / "out").iterdir()))


def listed(work: Path) -> list[str]:
    """What the commands read, and nothing that they write."""
    return sorted(path.name for path in work.iterdir() if path.name not in WRITTEN)


def broken(out: Path) -> Iterator[str]:
    """The results that are there and not whole."""
    for path in sorted(out.rglob("*")):
        text = path.read_text(errors="replace") if path.is_file() else ""
        whole = text.rstrip().endswith("</html>") if path.suffix == ".html" else True
        if path.suffix == ".json":
            try:
                json.loads(text)
            except ValueError:
                whole = False
        if not whole:
            yield f"half-written: {path.name}"


def workplace() -> tempfile.TemporaryDirectory[str]:
    """A folder for all runs, away from where temporary files of ours are looked for."""
    return tempfile.TemporaryDirectory(prefix="faults-of-tokaudit-")
