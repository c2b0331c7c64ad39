"""Reads which installed packages plug into tokaudit, from the entry points that they declare.

A distribution names its packages in one group; the name of an entry point says what its package
holds:

    [project.entry-points."tokaudit.plugins"]
    suites = "acorn.suites"
    reports = "acorn.reports"
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

GROUP = "tokaudit.plugins"
PLACES = ("suites", "needs", "formats", "adapters", "reports")
OURS = "tokaudit"
METADATA = (".dist-info", ".egg-info")


@dataclass(frozen=True, order=True)
class EntryPoint:
    """One line of a distribution's entry points: what the package holds, and its name."""

    distribution: str
    place: str
    package: str


@cache
def entry_points() -> tuple[EntryPoint, ...]:
    """Every entry point of our group, those of tokaudit first, then by distribution.

    The files are read as installers write them, in the folders that Python imports from: merely
    importing `importlib.metadata` takes five times as long as starting Python, and every worker
    and every command asks here.  Of two distributions of one name the first on the path counts,
    as it does for an import.
    """
    seen: set[str] = set()
    found: list[EntryPoint] = []
    for folder in dict.fromkeys(sys.path):
        here = {_distribution(metadata): metadata for metadata in _installed_in(Path(folder))}
        for distribution in here.keys() - seen:
            found += _declared(here[distribution], distribution)
        seen |= here.keys()
    return tuple(sorted(found, key=lambda point: (point.distribution != OURS, point)))


def _installed_in(folder: Path) -> list[Path]:
    """The metadata folders of the distributions in a folder of the path."""
    try:
        return sorted(path for path in folder.iterdir() if path.suffix in METADATA)
    except OSError:  # a zip archive, or a folder that is not there
        return []


def _distribution(metadata: Path) -> str:
    """The name of a distribution, spelled as package indexes spell it.

    >>> _distribution(Path("Acorn_checks-1.0.dist-info"))
    'acorn-checks'
    """
    return metadata.stem.partition("-")[0].replace("_", "-").lower()


def _declared(metadata: Path, distribution: str) -> Iterator[EntryPoint]:
    """The entry points of our group among those of one distribution."""
    try:
        text = (metadata / "entry_points.txt").read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return
    section = ""
    for line in map(str.strip, text.splitlines()):
        place, equals, package = line.partition("=")
        if line.startswith("["):
            section = line[1:].partition("]")[0].strip()
        elif section == GROUP and equals and not line.startswith("#"):
            yield EntryPoint(distribution, place.strip(), package.strip())
