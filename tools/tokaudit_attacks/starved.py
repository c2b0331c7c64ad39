"""Audits of sound subjects in a control group that has too little memory for them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tokaudit_attacks.kills import ENDS

GROUPS = Path("/sys/fs/cgroup")
LIMITS = range(100, 1_100, 50)  # megabytes
ENTER = 'echo $$ > "$0"/cgroup.procs && exec "$@"'


def starved(subjects: Sequence[Path]) -> Counter[str]:
    """How the audits ended: killed by the kernel themselves, or with one of their verdicts."""
    ends = Counter[str]()
    for subject in subjects:
        for megabytes in LIMITS:
            with _group(megabytes) as group:
                audit = [sys.executable, "-P", "-m", "tokaudit", "audit", str(subject)]
                command = ["sh", "-c", ENTER, str(group), *audit, "--tier", "quick", "--quiet"]
                code = subprocess.run(command, capture_output=True, check=False).returncode
            ends["killed itself" if code == -9 else ENDS.get(code, str(code))] += 1
    return ends


@contextmanager
def _group(megabytes: int) -> Iterator[Path]:
    """Make a group with so much memory; raises `OSError` where this user or kernel may not."""
    first = GROUPS / "memory"  # of the first version of control groups
    group = (first if first.is_dir() else GROUPS) / f"tokaudit-{os.getpid()}-{megabytes}"
    limit = "memory.limit_in_bytes" if first.is_dir() else "memory.max"
    group.mkdir()
    try:
        (group / limit).write_text(str(megabytes << 20), "ascii")
        yield group
    finally:
        while (group / "cgroup.procs").read_text("ascii"):  # workers of an audit that was killed
            time.sleep(0.05)
        group.rmdir()
