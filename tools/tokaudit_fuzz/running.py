"""Runs one target in a process with limits, until its time is up, and tells what happened."""

from __future__ import annotations

import base64
import hashlib
import json
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import FrameType

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st

from tokaudit_fuzz.mutation import changed_files
from tokaudit_fuzz.sample import Files
from tokaudit_fuzz.samples import built
from tokaudit_fuzz.targets import Target

MOST_MEMORY = 3_000_000_000  # bytes of address space; more than an audit's own process may need
ROUND = 200  # inputs that one run of hypothesis draws
OURS = {"tokaudit", "tokaudit_reference", "tokaudit_suites", "tokaudit_reports"}
HANGS = 1.5  # times the seconds of a target, after which an input is interrupted


class Over(BaseException):
    """The time is up; not an `Exception`, so that hypothesis does not take it for a failure."""


class TooSlow(Exception):
    """An input took more of the processor than its target allows."""


@dataclass
class Tally:
    """What a run of one target tells."""

    target: str
    inputs: int = 0
    taken: int = 0
    slowest: float = 0.0  # seconds of the processor, workers included
    memory: int = 0  # bytes at the peak of this process
    escapes: dict[str, str] = field(default_factory=dict)  # where -> what


def used() -> float:
    """Seconds of the processor of this process and of those it has waited for."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    found = [resource.getrusage(kind) for kind in kinds]
    return sum(one.ru_utime + one.ru_stime for one in found)


def attempt(target: Target, files: Files, reported: Tally | None = None) -> None:
    """Give changed files to a target; raises whatever escapes, and `TooSlow`."""
    with tempfile.TemporaryDirectory(prefix="tokaudit-fuzz-") as place:
        for name, data in files.items():
            (Path(place) / name).write_bytes(data)
        if reported is not None:
            reported.inputs += 1
        started = used()
        signal.setitimer(signal.ITIMER_PROF, HANGS * target.seconds)
        try:
            taken = target.run(Path(place))
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        seconds = used() - started
    if reported is not None:
        reported.taken += taken
        reported.slowest = max(reported.slowest, seconds)
    if seconds > target.seconds:
        raise TooSlow(f"{seconds:.1f} s of the processor")


def where(error: BaseException) -> str:
    """An escape's identity: the type, and the last line of ours that it came through."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if set(Path(frame.filename).parts) & OURS] or frames
    last = ours[-1]
    return f"{type(error).__name__} at {Path(last.filename).name}:{last.name}"


def run(target: Target, seconds: float, seed: int, kept: Path) -> Tally:
    """Draw, try, make small and keep, until the time is up."""
    for sample in target.samples:
        built(sample)  # before the clock runs: a sample may be a whole audit
    reported, end = Tally(target.name), time.monotonic() + seconds
    while time.monotonic() < end:
        one_round(target, reported, end, seed, kept)
        seed += 1
    reported.memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return reported


def one_round(target: Target, reported: Tally, end: float, seed: int, kept: Path) -> None:
    """One run of hypothesis, which makes the input of an escape that is new as small as it can."""
    new: dict[str, tuple[str, Files]] = {}
    now = kept / ".now.json"

    @seeded(seed)
    @settings(
        max_examples=ROUND,
        deadline=None,
        database=None,
        print_blob=False,
        report_multiple_bugs=False,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    @given(data=st.data())
    def tried(data: st.DataObject) -> None:
        files = data.draw(changed_files(built(data.draw(st.sampled_from(target.samples)))))
        if time.monotonic() > end:  # only here, for hypothesis expects the same draws again
            raise Over
        now.write_text(described(target.name, files))  # found there if this process is killed
        try:
            attempt(target, files, reported)
        except Exception as error:
            name = where(error)
            if name not in reported.escapes:
                new[name] = str(error), files  # the last of a name is the smallest
                raise

    try:
        tried()
    except Over:
        pass
    except Exception:
        if not new:
            raise  # ours: an input that cannot even be drawn
    for name, (what, files) in new.items():
        reported.escapes[name] = what[:300]
        keep(target.name, files, kept)
    now.unlink(missing_ok=True)


def described(target: str, files: Files) -> str:
    """An input as JSON: text where it is text, else base64."""
    return json.dumps({"target": target, "files": {n: _text(data) for n, data in files.items()}})


def read(path: Path) -> tuple[str, Files]:
    """An input that was kept: the target's name and the files."""
    kept = json.loads(path.read_text())
    return kept["target"], {name: _bytes(text) for name, text in kept["files"].items()}


def keep(target: str, files: Files, folder: Path) -> Path:
    """Write an input into the folder of those that were found."""
    text = described(target, files)
    path = (
        folder / f"{target.replace(' ', '-')}-{hashlib.sha256(text.encode()).hexdigest()[:8]}.json"
    )
    path.write_text(text + "\n")
    return path


def _text(data: bytes) -> str | dict[str, str]:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}


def _bytes(text: str | dict[str, str]) -> bytes:
    return text.encode() if isinstance(text, str) else base64.b64decode(text["base64"])


def too_slow(_: int, __: FrameType | None) -> None:
    """The handler of the alarm."""
    raise TooSlow("interrupted")


def child(target: Target, seconds: float, seed: int, kept: Path) -> None:
    """What the process of one target does; it prints what it tells as JSON."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    limit = int(seconds + HANGS * target.seconds) + 60
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
    signal.signal(signal.SIGPROF, too_slow)
    warnings.simplefilter("ignore")
    reported = run(target, seconds, seed, kept)
    shutil.rmtree(kept / ".hypothesis", ignore_errors=True)
    sys.stdout.write(json.dumps(asdict(reported)) + "\n")
