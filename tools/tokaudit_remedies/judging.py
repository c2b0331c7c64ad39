"""Judges a repair by somebody else than the check that asked for it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from tokaudit.report.repair import Change
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_remedies.wanted import Read, Reading, read_of

ROOT = Path(__file__).parents[2]
VERSIONS = (f"transformers {FOUR}", f"transformers {FIVE}")
LOADING = Path(__file__).with_name("loading.py")
ENDS = "\x1e"  # begins an answer, as libraries print too


class Judge(StrEnum):
    """Who agrees with a repair."""

    SOUND = "the sound folder is there again"
    LOADERS = "both versions load it and read the wanted value"
    UNWANTED = "a loader reads another value than the wanted one"
    OWN = "by our checks alone, as no loader here reads what changed"
    REFUSED = "a loader refuses what it loaded before"


def judged(
    broken: Path, repaired: Path, healthy: Path | None, changes: Sequence[Change]
) -> tuple[Judge, str]:
    """Whether the folder is the sound one, else what both versions make of what was changed."""
    if healthy is not None and same(healthy, repaired):
        return Judge.SOUND, ""
    read_wanted = []
    for version in (FOUR, FIVE):
        before, after = read(version, broken), read(version, repaired)
        if before is None or after is None:
            return Judge.OWN, ""
        for name, found in after.items():
            if _error(found) and not _error(before[name]):
                return Judge.REFUSED, f"{version}: {_error(found)}"
        one = read_of(changes, repaired, after, changed=before != after)
        if one is Read.ANOTHER:
            return Judge.UNWANTED, f"transformers {version}"
        read_wanted.append(one is Read.WANTED)
    return (Judge.LOADERS if any(read_wanted) else Judge.OWN), ""


def same(one: Path, other: Path) -> bool:
    """Whether two folders have the same files, those of JSON by what they state."""
    ours, theirs = ({f.relative_to(d) for f in d.rglob("*") if f.is_file()} for d in (one, other))
    return ours == theirs and all(_value(one / name) == _value(other / name) for name in ours)


def _value(file: Path) -> Any:
    data = file.read_bytes()
    try:
        return json.loads(data) if file.suffix == ".json" else data
    except ValueError:
        return data


def _error(found: Any) -> str:
    return str(found.get("error", "")) if isinstance(found, dict) else ""


def read(version: str, folder: Path) -> Reading | None:
    """What a version of transformers makes of a folder; None where it is not installed."""
    process = _process(version)
    if process is None or process.stdin is None or process.stdout is None:
        return None
    process.stdin.write(json.dumps(str(folder)) + "\n")
    process.stdin.flush()
    for line in process.stdout:
        if line.startswith(ENDS):
            found: Reading = json.loads(line[1:])
            return found
    return None


@cache
def _process(version: str) -> subprocess.Popen[str] | None:
    python = ROOT / ".venv" / f"transformers-{version}" / "bin" / "python"
    if not python.exists():
        return None
    return subprocess.Popen(
        [str(python), str(LOADING)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
