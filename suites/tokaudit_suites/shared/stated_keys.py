"""All keys of the settings files, for checks that look at every key."""

from __future__ import annotations

from dataclasses import dataclass

from tokaudit.plugin import Contents, Subject, UnreadableError, need
from tokaudit.subject.safe_json import parse_object
from tokaudit.subject.upstream.records import settings_files
from tokaudit_suites.config._known import KnownKeys
from tokaudit_suites.shared.stated_key import StatedKey

LARGEST = 16_000_000  # bytes of one file


@dataclass(frozen=True)
class StatedKeys:
    """Every key of every settings file of the subject, in file order.

    One that is null is as one that is left out, and listed among `nulls` alone.
    """

    all: tuple[StatedKey, ...]
    nulls: tuple[StatedKey, ...] = ()


@need
def stated_keys(subject: Subject, contents: Contents, known: KnownKeys) -> StatedKeys:
    """Read the keys of known settings files; a file that is not an object is skipped."""
    ruled = settings_files()
    found: list[StatedKey] = []
    for file in subject.files:
        read = file.base in ruled or file.base in known.by_file
        if not read or file.size > LARGEST or file.impostor:
            continue
        try:
            data = parse_object(contents.whole(file), file.name)
        except UnreadableError:
            continue  # files/parse or opening says so
        found += [StatedKey(file.name, key, value, file.base) for key, value in data.items()]
    stated = tuple(key for key in found if key.value is not None)
    return StatedKeys(stated, tuple(key for key in found if key.value is None))
