"""Audits of sound subjects, of each of which one worker is killed at a drawn moment."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tokaudit.runtimes.worker.resources.usage import children, family

CHECKS = ("--select", "round_trip/encodes,round_trip/ids,agreement", "--tier", "quick")
ENDS = {0: "pass", 1: "fail", 3: "unverifiable"}


def killed(subjects: Sequence[Path], count: int, seed: int) -> Counter[str]:
    """How the audits ended, and how many workers were killed."""
    draw, ends = random.Random(seed), Counter[str]()
    for subject in subjects:
        began = time.monotonic()
        ends[f"undisturbed {_audit(subject, None, draw)[0]}"] += 1
        length = time.monotonic() - began
        for _ in range(count // len(subjects)):
            end, hit = _audit(subject, draw.uniform(0, length), draw)
            ends[end] += 1
            ends["workers killed"] += hit
    return ends


def _audit(subject: Path, moment: float | None, draw: random.Random) -> tuple[str, bool]:
    command = [sys.executable, "-P", "-m", "tokaudit", "audit", str(subject), *CHECKS]
    audit = subprocess.Popen(
        [*command, "--quiet"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    hit = False
    if moment is not None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            audit.wait(moment)
        if audit.poll() is None and (found := children(audit.pid)):
            hit = _kill(draw.choice(found))
    return ENDS.get(audit.wait(), str(audit.returncode)), hit


def _kill(worker: int) -> bool:
    for pid in family(worker):
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)
            return True
    return False
