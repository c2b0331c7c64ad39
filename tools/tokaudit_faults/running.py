"""One run of a command in which one call fails, and what must hold of its end."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tokaudit_faults.commands import CODES, COMMANDS

HERE = Path(__file__).parent
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


def run(library: Path, work: Path, command: str, call: str, at: int, *, start: bool = False) -> Run:
    """Run a command; the call fails at its `at`-th time, at none where that is 0."""
    out, temporary, count = work / "out", work / "tmp", work / "count"
    for folder in (out, temporary):
        subprocess.run(["rm", "-rf", str(folder)], check=True)
        folder.mkdir()
    before = listed(work)
    settings = {
        "LD_PRELOAD": str(library),
        "FAULT_CALL": call,
        "FAULT_AT": str(at),
        "FAULT_ERRNO": str(ERRNOS[call]),
        "FAULT_COUNT": str(count),
        "TMPDIR": str(temporary),
        **({"FAULT_START": "1"} if start else {}),
    }
    try:
        done = subprocess.run(
            [sys.executable, str(HERE / "armed.py"), *COMMANDS[command]],
            cwd=work,
            env={**os.environ, **settings},
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        return Run(command, call, at, -1, 0, f"took more than {SECONDS} seconds")
    calls = int(count.read_text()) if count.exists() else 0
    count.unlink(missing_ok=True)
    said = "; ".join(troubles(done.returncode, done.stderr, work, before))
    return Run(command, call, at, done.returncode, calls, said)


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
    return sorted(path.name for path in work.iterdir() if path.name not in ("out", "tmp", "count"))


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
