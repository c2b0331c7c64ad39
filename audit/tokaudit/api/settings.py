"""Refuses a setting that cannot be, before any work is done, and says what was probably meant.

A wrong name must never pass in silence: `--require vocabb` would otherwise weaken a gate.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from tokaudit.engine.check import TIERS, Check, matches
from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.paths import is_file, is_there
from tokaudit.report.comparison import Purpose
from tokaudit.runtimes.chat.conversations import Conversation, read, role_matrix
from tokaudit.subject.roles import refuse_unknown

NamedPath = str | os.PathLike[str]
FilesByRole = Mapping[str, NamedPath | Sequence[NamedPath]]
"""A role of a file, such as `merges.txt`, and the path that takes it, or several."""

MOST_JOBS = 64
MOST_SECONDS = 7 * 24 * 3600
LEAST_MEMORY, MOST_MEMORY = 500, 1_000_000  # megabytes


def tier(given: object) -> str:
    """A tier by its name.

    >>> tier("quick")
    'quick'
    """
    if given not in TIERS:
        raise UsageError(f"tier {given!r}: is not one of {', '.join(TIERS)}{meant(given, TIERS)}")
    return str(given)


def purpose(given: object) -> Purpose | None:
    """A purpose by its name, or None where there is none.

    >>> str(purpose("serving")), purpose(None)
    ('serving', None)
    """
    if given is None:
        return None
    if given not in list(Purpose):
        raise UsageError(
            f"purpose {given!r}: is not one of {', '.join(Purpose)}{meant(given, Purpose)}"
        )
    return Purpose(str(given))


def jobs(given: object) -> int:
    """How many checks are asked at once."""
    if isinstance(given, bool) or not isinstance(given, int) or not 1 <= given <= MOST_JOBS:
        raise UsageError(f"jobs {given!r}: is not a number from 1 to {MOST_JOBS}")
    return given


def seed(given: object) -> int:
    """What the sampling starts from."""
    if isinstance(given, bool) or not isinstance(given, int):
        raise UsageError(f"seed {given!r}: is not a whole number")
    return given


def flag(option: str, given: object) -> bool:
    """Yes or no, and not a text that only looks like it.

    >>> flag("read_embeddings", True)
    True
    """
    if not isinstance(given, bool):
        raise UsageError(f"{option} {given!r}: is neither True nor False")
    return given


def seconds(option: str, given: object) -> float:
    """A time to wait, which is more than nothing and at most a week.

    >>> seconds("timeout", 90)
    90.0
    """
    number = not isinstance(given, bool) and isinstance(given, int | float)
    if not number or not 0 < given <= MOST_SECONDS:  # type: ignore[operator]
        raise UsageError(
            f"{option} {given!r}: is not a number of seconds, more than 0 and at most "
            f"{MOST_SECONDS:,}"
        )
    return float(given)  # type: ignore[arg-type]


def memory(given: object) -> int:
    """Megabytes that an audit may use, which are enough for it to start.

    >>> memory(4000)
    4000
    """
    number = not isinstance(given, bool) and isinstance(given, int)
    if not number or not LEAST_MEMORY <= given <= MOST_MEMORY:  # type: ignore[operator]
        raise UsageError(
            f"memory {given!r}: is not a number of megabytes from {LEAST_MEMORY} to {MOST_MEMORY:,}"
        )
    return int(given)  # type: ignore[call-overload,no-any-return]


def listed(option: str, given: Iterable[Any]) -> tuple[Any, ...]:
    """A list of values; a lone string is refused, because its characters are not what is meant."""
    if isinstance(given, str | bytes | os.PathLike):
        raise UsageError(f"{option} {given!r}: is not a list; write [{given!r}]")
    try:
        return tuple(given)
    except TypeError as error:
        raise UsageError(f"{option} {given!r}: is not a list") from error


def names(option: str, given: Iterable[str], checks: Sequence[Check]) -> tuple[str, ...]:
    """Ids of checks and names of suites, each of which chooses at least one check."""
    found = listed(option, given)
    for name in found:
        if not isinstance(name, str) or not any(matches(each.id, (name,)) for each in checks):
            known = [each.id for each in checks] + sorted({each.suite for each in checks})
            raise UsageError(
                f"{option} {name!r}: is neither a check nor a suite{meant(name, known)}"
            )
    return found


def corpus(given: Iterable[str | os.PathLike[str]]) -> tuple[Path, ...]:
    """Files of text, each of which is there."""
    return _files("corpus", given)


def _files(option: str, given: Iterable[str | os.PathLike[str]]) -> tuple[Path, ...]:
    paths = tuple(Path(path) for path in listed(option, given))
    for path in paths:
        if not is_file(path):
            why = "is not a file" if is_there(path) else "does not exist"
            raise UsageError(f"{option} {str(path)!r}: {why}")
    return paths


def conversations(given: str | os.PathLike[str] | None) -> tuple[Conversation, ...]:
    """The conversations of a JSONL file, none of which is named like one of the role matrix."""
    if given is None:
        return ()
    (path,) = _files("conversations", [given])
    found = read(path.read_bytes(), str(path))
    known = {one.id for one in role_matrix()}
    for one in found:
        if one.id in known:
            raise UsageError(f"conversations {str(path)!r}: the role matrix has the id {one.id!r}")
    return found


def about_bare_files(pattern: str | None, special: Mapping[str, int] | None) -> dict[str, Any]:
    """What the user says about a file that leaves it open: the split pattern, special tokens."""
    if pattern is not None and not isinstance(pattern, str):
        raise UsageError(f"pattern {pattern!r}: is not a regular expression")
    if special is not None and not isinstance(special, Mapping):
        raise UsageError(f"special {special!r}: is not a mapping from token to id")
    settings = {"pattern": pattern, "special": dict(special or {})}
    return {key: value for key, value in settings.items() if value}


def file_roles(given: FilesByRole | None) -> tuple[tuple[str, str], ...]:
    """The files that the user gave a role to, as pairs of role and path; the roles exist.

    >>> file_roles({"merges": "pairs.txt"})
    (('merges', 'pairs.txt'),)
    """
    if given is None:
        return ()
    if not isinstance(given, Mapping):
        raise UsageError(f"files {given!r}: is not a mapping from a role to a path")
    pairs = []
    for role, paths in given.items():
        lone = isinstance(paths, str | os.PathLike)
        for path in (paths,) if lone else listed("files", paths):  # type: ignore[arg-type]
            if not isinstance(path, str | os.PathLike):
                raise UsageError(f"files {path!r}: is not a path")
            pairs.append((role, os.fspath(path)))
    refuse_unknown(pairs)
    return tuple(pairs)


def meant(given: object, known: Iterable[str]) -> str:
    """The nearest known names, as the end of a sentence.

    >>> meant("vocab/hole", ["vocab/holes", "merges/order"])
    '; did you mean vocab/holes?'
    >>> meant("xyz", ["vocab/holes"])
    ''
    """
    near = get_close_matches(str(given), list(known), n=3, cutoff=0.6)
    return f"; did you mean {' or '.join(near)}?" if near else ""
