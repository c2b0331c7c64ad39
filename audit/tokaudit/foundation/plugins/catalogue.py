"""Contents of a suite package, known without importing it.

Importing every check takes thirty times as long as starting Python; the list of them needs a line
of each, and an audit that selects one needs that one.  So a package may carry a catalogue: a file
made from its modules when it is built, which starts with a checksum of the source that it was made
from.  It counts only while the source has that checksum; without a catalogue, or with an outdated
one, the package is imported, so that a stale list never hides a check.
"""

from __future__ import annotations

import importlib.util
import os
from collections import namedtuple
from functools import cache
from zlib import crc32

from tokaudit.foundation.plugins.entry_points import PLACES, entry_points

TYPE_CHECKING = False  # `typing` alone would add a fifth to the time that listing takes
if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "catalogue.tsv"

Listed = namedtuple("Listed", ("id", "severity", "title", "module"))
"""What the list shows of a check, as text, and the module that holds it."""

Catalogue = namedtuple("Catalogue", ("checks", "needs"))
"""The checks of a package as `Listed`; its needs as the type that one builds, and its module."""


def listed() -> list[Listed] | None:
    """Return the checks of all installed packages, sorted; None if an import is needed."""
    return sorted(check for held in _catalogues() for check in held.checks) or None


def modules_of_needs() -> dict[str, str] | None:
    """Map names of types to the suite modules that build them; None as in `listed`.

    None too where two build one type: importing them says so.
    """
    needs = [need for held in _catalogues() for need in held.needs]
    by_type = dict(needs)
    return by_type if by_type and len(by_type) == len(needs) else None


def _catalogues() -> list[Catalogue]:
    """Return the catalogues of all installed suite packages; None if one has none.

    None too where an entry point names no place of ours: importing says what is wrong with it.
    """
    held: list[Catalogue] = []
    for point in entry_points():
        if point.place not in PLACES:
            return []
        if point.place == "suites":
            catalogue = catalogue_in(point.package)
            if catalogue is None:
                return []
            held.append(catalogue)
    return held


@cache
def catalogue_in(package: str) -> Catalogue | None:
    """Return the catalogue of an installed suite package; None without a valid one."""
    folder = _folder(package)
    if folder is None:
        return None
    try:
        with open(os.path.join(folder, NAME), encoding="utf-8") as file:  # noqa: PTH118, PTH123
            made_from, *lines = file.read().splitlines()
    except (OSError, ValueError):
        return None
    if made_from != checksum(folder):
        return None
    rows = [tuple(line.split("\t")) for line in lines]
    return Catalogue(
        tuple(Listed(*row) for row in rows if len(row) == len(Listed._fields)),
        tuple(row for row in rows if len(row) == len(("type", "module"))),
    )


def text_of(catalogue: Catalogue, folder: str) -> str:
    """Format a catalogue: the checksum of the folder, and a line for each item."""
    rows = [*sorted(catalogue.checks), *sorted(catalogue.needs)]
    return "\n".join([checksum(folder), *map("\t".join, rows), ""])


def checksum(folder: str) -> str:
    """Return a checksum of the catalogue's format, and of all modules of a package.

    So a catalogue with other columns, of an older version of ours, does not count either.
    """
    sum_so_far = crc32(repr((Listed._fields, Catalogue._fields)).encode())
    for path in sorted(_sources(folder)):
        with open(path, "rb") as file:  # noqa: PTH123 - pathlib would be imported
            sum_so_far = crc32(file.read(), crc32(path[len(folder) :].encode(), sum_so_far))
    return f"{sum_so_far:08x}"


def _folder(package: str) -> str | None:
    """Find the folder of a top-level package; a nested one would import its parent."""
    spec = None if "." in package else importlib.util.find_spec(package)
    places = list(spec.submodule_search_locations or ()) if spec else []
    return places[0] if len(places) == 1 else None


def _sources(folder: str) -> Iterator[str]:
    for entry in os.scandir(folder):
        if entry.name.endswith(".py"):
            yield entry.path
        elif entry.is_dir() and os.path.isfile(f"{entry.path}/__init__.py"):  # noqa: PTH113
            yield from _sources(entry.path)
