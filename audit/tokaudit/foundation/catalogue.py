"""The checks that a package holds, listed without importing it.

Importing every check takes thirty times as long as starting Python; the list of them needs a line
of each.  So a package may carry a catalogue: a file made from its checks when it is built, which
starts with a checksum of the source that it was made from.  It counts only while the source has
that checksum; without a catalogue, or with an outdated one, the package is imported, so that a
stale list never hides a check.
"""

from __future__ import annotations

import importlib.util
import os
from collections import namedtuple
from zlib import crc32

from tokaudit.foundation.entry_points import PLACES, entry_points

TYPE_CHECKING = False  # `typing` alone would add a fifth to the time that listing takes
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

NAME = "catalogue.tsv"

Listed = namedtuple("Listed", ("id", "severity", "title"))
"""What the list shows of a check, as text."""


def listed() -> list[Listed] | None:
    """The checks of all installed packages, sorted by id; None if one has to be imported for it.

    None too where an entry point names no place of ours: importing says what is wrong with it.
    """
    found: list[Listed] = []
    for point in entry_points():
        if point.place not in PLACES:
            return None
        if point.place == "suites":
            folder = _folder(point.package)
            here = None if folder is None else _catalogue(folder)
            if here is None:
                return None
            found += here
    return sorted(found) or None


def catalogue_of(folder: str, checks: Iterable[Listed]) -> str:
    """The catalogue of the package in a folder: its checksum, then a line for each check."""
    lines = (f"{each.id}\t{each.severity}\t{each.title}\n" for each in sorted(checks))
    return f"{checksum(folder)}\n{''.join(lines)}"


def checksum(folder: str) -> str:
    """A checksum of the names and bytes of all modules of a package and its subpackages."""
    sum_so_far = 0
    for path in sorted(_sources(folder)):
        with open(path, "rb") as file:  # noqa: PTH123 - pathlib would be imported
            sum_so_far = crc32(file.read(), crc32(path[len(folder) :].encode(), sum_so_far))
    return f"{sum_so_far:08x}"


def _catalogue(folder: str) -> list[Listed] | None:
    try:
        with open(os.path.join(folder, NAME), encoding="utf-8") as file:  # noqa: PTH118, PTH123
            made_from, *lines = file.read().splitlines()
    except (OSError, ValueError):
        return None
    if made_from != checksum(folder):
        return None
    return [Listed(*line.split("\t")) for line in lines]


def _folder(package: str) -> str | None:
    """Where a top-level package lies; finding one inside another would import that other."""
    spec = None if "." in package else importlib.util.find_spec(package)
    places = list(spec.submodule_search_locations or ()) if spec else []
    return places[0] if len(places) == 1 else None


def _sources(folder: str) -> Iterator[str]:
    for entry in os.scandir(folder):
        if entry.name.endswith(".py"):
            yield entry.path
        elif entry.is_dir() and os.path.isfile(f"{entry.path}/__init__.py"):  # noqa: PTH113
            yield from _sources(entry.path)
