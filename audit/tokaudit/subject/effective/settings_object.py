"""Read the object of a settings file, null values included, as loaders do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.configs import LARGEST_CONFIG
from tokaudit.subject.material import GONE, SourceFile, Subject, read_bytes
from tokaudit.subject.safe_json import parse_object


def settings_file(subject: Subject, base: str) -> SourceFile | None:
    """Return the file of this name nearest to the top of a subject."""
    found = [file for file in subject.files if base in (file.base, _own(file)) and file.regular]
    return min(found, key=lambda file: (file.name.count("/"), file.base != base), default=None)


def settings_object(subject: Subject, base: str) -> Mapping[str, Any]:
    """Return a file's content by key; empty if it is absent or not a JSON object."""
    file = settings_file(subject, base)
    if file is None:
        return {}
    try:
        return parse_object(read_bytes(file, LARGEST_CONFIG), file.name)
    except UnreadableError:
        return {}  # opening or files/parse says so


def _own(file: SourceFile) -> str:
    """Return a file's own base name, whatever name the user gave it.

    One that was put aside for another tokenizer is known by no name.
    """
    return "" if file.known.endswith(GONE) else file.name.rpartition("/")[2]
