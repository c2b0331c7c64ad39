"""Read the entry points with which installed packages plug into tokaudit.

A distribution names its packages in one group; the name of an entry point says what its package
holds, up to a dot where there are several:

    [project.entry-points."tokaudit.plugins"]
    suites = "acorn.suites"
    "reports.text" = "acorn.text_reports"
    "reports.pages" = "acorn.page_reports"

Only installed packages plug in: those of `trusted_folders`.  A folder that is on the path because
it is the current one or because PYTHONPATH names it may hold anything, a checkpoint for one, and
what it declares is not read.
"""

from __future__ import annotations

import os
import site
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

GROUP = "tokaudit.plugins"
PLACES = ("suites", "needs", "formats", "adapters", "reports", "data", "jobs")
OURS = "tokaudit"
OUR_ADAPTERS = "tokaudit.runtimes.adapters"
METADATA = (".dist-info", ".egg-info")


@dataclass(frozen=True, order=True)
class EntryPoint:
    """One entry point of a distribution: the kind of plug-ins, and the package."""

    distribution: str
    place: str
    package: str


_alone: list[EntryPoint] = []


def only_ours() -> None:
    """Disable other packages' plug-ins, in an interpreter without tokaudit installed."""
    _alone.append(EntryPoint(OURS, "adapters", OUR_ADAPTERS))


@cache
def entry_points() -> tuple[EntryPoint, ...]:
    """Return every entry point of our group, tokaudit's first, then by distribution.

    The files are read as installers write them, in those folders of the path that are trusted:
    merely importing `importlib.metadata` takes five times as long as starting Python, and every
    worker and every command asks here.  Of two distributions of one name the first on the path
    counts, as it does for an import.
    """
    if _alone:
        return tuple(_alone)
    seen: set[str] = set()
    found: list[EntryPoint] = []
    trusted = trusted_folders()
    for folder in dict.fromkeys(os.path.realpath(entry) for entry in sys.path if entry):
        if folder not in trusted:
            continue
        here = {_distribution(metadata): metadata for metadata in _installed_in(Path(folder))}
        for distribution in here.keys() - seen:
            found += _declared(here[distribution], distribution)
        seen |= here.keys()
    return tuple(sorted(found, key=lambda point: (point.distribution != OURS, point)))


def trusted_folders() -> frozenset[str]:
    """Return the folders of installers; whoever can write there can change Python itself.

    They are the site folders of the interpreter and of the user (unless Python was started
    without), the folders that lines of their `.pth` files add, as editable installs do, and the
    folder that holds the tokaudit that runs.
    """
    folders = [*site.getsitepackages(), *([site.getusersitepackages()] if _of_user() else [])]
    added = [line for folder in folders for line in _added_by_files(Path(folder))]
    ours = str(Path(__file__).parents[3])
    return frozenset(map(os.path.realpath, [*folders, *added, ours]))


def _of_user() -> bool:
    """Return whether the user's own site folder counts, as `site` found when Python started."""
    return bool(site.ENABLE_USER_SITE)


def _added_by_files(folder: Path) -> Iterator[str]:
    """Yield the folders that `.pth` files of a site folder name, ignoring their code."""
    try:
        files = sorted(path for path in folder.iterdir() if path.suffix == ".pth")
        texts = [path.read_text("utf-8") for path in files if not path.name.startswith(".")]
    except (OSError, UnicodeDecodeError):
        return
    for line in "\n".join(texts).splitlines():
        if line.strip() and not line.startswith(("#", "import ", "import\t")):
            yield str(folder / line.rstrip())


def _installed_in(folder: Path) -> list[Path]:
    """Return the metadata folders of the distributions in a folder of the path."""
    try:
        return sorted(path for path in folder.iterdir() if path.suffix in METADATA)
    except OSError:  # a zip archive, or a folder that is not there
        return []


def _distribution(metadata: Path) -> str:
    """Return the name of a distribution in the spelling of package indexes.

    >>> _distribution(Path("Acorn_checks-1.0.dist-info"))
    'acorn-checks'
    """
    return metadata.stem.partition("-")[0].replace("_", "-").lower()


def _declared(metadata: Path, distribution: str) -> Iterator[EntryPoint]:
    """Yield the entry points of our group in one distribution."""
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
            yield EntryPoint(distribution, place.partition(".")[0].strip(), package.strip())
