"""Examples of a check: small subjects in a folder next to its module.

Those of `vocab/holes` are in `examples/holes/bad` and `examples/holes/good`, next to `holes.py`: in
the first the check finds something, in the second nothing.  Files under `base/` and `against/` are
of what the subject is compared with.  A binary file is shown by what it holds, as JSON under its
name and `.json` after it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

from tokaudit.engine.check import Check

FOLDER = "examples"
BAD, GOOD = "bad", "good"
OTHERS = ("base", "against")
"""Folders of an example that are not the subject, by the option that names them."""
PACKED = (".safetensors", ".gguf", ".model")
"""What the names of binary files end with."""


@dataclass(frozen=True)
class ExampleFile:
    """One file of an example, by its path in the example's folder."""

    place: str
    data: bytes

    @property
    def packed(self) -> bool:
        """Return whether the file describes the content of a binary file."""
        return self.place.removesuffix(".json").endswith(PACKED)

    @property
    def name(self) -> str:
        """Return the name of the file in the subject."""
        return self.place.removesuffix(".json") if self.packed else self.place


def example(check: Check, kind: str) -> tuple[ExampleFile, ...]:
    """Return the files of a check's bad or good example, the subject's first."""
    home = sys.modules.get(check.function.__module__)
    package = home.__package__ if home is not None else None
    if not package:
        return ()
    folder = files(package) / FOLDER / check.id.partition("/")[2] / kind
    found = _below(folder, "") if folder.is_dir() else ()
    return tuple(sorted(found, key=lambda file: (file.place.startswith(OTHERS), file.place)))


def _below(folder: Traversable, above: str) -> Iterator[ExampleFile]:
    for entry in folder.iterdir():
        place = above + entry.name
        if entry.is_dir():
            yield from _below(entry, f"{place}/")
        else:
            yield ExampleFile(place, entry.read_bytes())
