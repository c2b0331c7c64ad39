"""Roles for files whose names do not show them.

A role is the name of the file that a reader looks for.  Nothing lists them here: formats declare
the names of theirs, the table of classes those that each class reads, and the listing of a folder
those of settings, templates and weights.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path

from tokaudit.foundation.errors import UsageError
from tokaudit.subject.formats import all_formats
from tokaudit.subject.material import GONE, SourceFile
from tokaudit.subject.sniff import NAMED, role_of
from tokaudit.subject.upstream.tokenizer_class import Ids, every_class

Roles = Sequence[tuple[str, str]]
"""Pairs of a role and the path that takes it, from the folder of the subject or from here."""

HEAD = 4096
ASIDE = "not read: {} is named as {}"


@cache
def all_roles() -> Mapping[str, str]:
    """Map every role to the format whose main file it is, or to ""."""
    main = {name: f.name for f in all_formats() for name in f.files or (f.name,)}
    companions = [name for format in all_formats() for name in format.companions]
    read = (known for known in every_class().values() if known.ids is not Ids.UNREAD)
    of_classes = [name for known in read for name in known.files]
    return main | {name: "" for name in (*companions, *of_classes, *NAMED) if name not in main}


def role(given: str, path: str = "") -> str:
    """Return a role by its name, with or without suffix if unambiguous; else refuse it.

    >>> role("merges"), role("chat_template", "x.jinja"), role("vocab.txt")
    ('merges.txt', 'chat_template.jinja', 'vocab.txt')
    """
    known = all_roles()
    if given in known:
        return given
    stems = [name for name in known if name.partition(".")[0] == given]
    suffix = Path(path).suffix
    fitting = [name for name in stems if Path(name).suffix == suffix] if suffix else []
    for names in (fitting, stems):
        if len(names) == 1:
            return names[0]
    near = stems or get_close_matches(given, list(known), n=1, cutoff=0.0)
    meant = f"did you mean {' or '.join(near)}?"
    raise UsageError(
        f"--file {given}={path}: {given!r} is not a role; {meant} Roles: {', '.join(sorted(known))}"
    )


def refuse_unknown(roles: Roles) -> None:
    """Refuse unknown roles before any file is opened."""
    for given, path in roles:
        role(given, path)


def with_roles(files: Sequence[SourceFile], root: Path, roles: Roles) -> tuple[SourceFile, ...]:
    """Return a folder's files, with user-given roles as their standard names.

    A file that has such a name without being the one that was meant is put aside.
    """
    given = dict(_taken(files, root, roles))
    taken = {_in_folder_of(name, taken): name for name, taken in given.items()}
    return tuple(_with_role(file, given, taken) for file in files)


def holds(root: Path, path: str) -> bool:
    """Return whether a folder contains the file at a path, relative to it or to here."""
    return _inside(root, path) is not None


def given_role(file: SourceFile) -> str:
    """Return the role that the user gave a file; empty without one."""
    return "" if file.read_as.endswith(GONE) else file.read_as.rpartition("/")[2]


def _taken(files: Sequence[SourceFile], root: Path, roles: Roles) -> dict[str, str]:
    """Map files to their roles; raise `UsageError` for one that cannot take its role."""
    found: dict[str, str] = {}
    there = {file.name: file for file in files}
    for given, path in roles:
        name, wanted = _inside(root, path), role(given, path)
        if why := _refusal(name, path, root, there, found, wanted):
            raise UsageError(f"--file {given}={path}: {why}")
        found[str(name)] = wanted
    return found


def _refusal(
    name: str | None,
    path: str,
    root: Path,
    there: Mapping[str, SourceFile],
    found: Mapping[str, str],
    wanted: str,
) -> str:
    """Explain why a path cannot take a role; empty if it can."""
    if name is None:
        inside = _whole(root / path).is_relative_to(_whole(root))
        return f"{path!r} {'does not exist in' if inside else 'is outside of'} {root}"
    if name not in there or not there[name].regular:
        return f"{path!r} is not a file that can be read"
    if found.get(name, wanted) != wanted:
        return f"{path!r} is named as {found[name]} already"
    known = {_in_folder_of(other, taken): other for other, taken in found.items()}
    other = known.get(_in_folder_of(name, wanted), name)
    return f"{other!r} is named as {wanted} already" if other != name else ""


def _inside(root: Path, path: str) -> str | None:
    """Return the name within a folder of a path, relative to it or to here."""
    home = _whole(root)
    for place in (_whole(home / path), _whole(Path(path))):
        if place != home and place.is_relative_to(home) and os.path.lexists(place):
            return place.relative_to(home).as_posix()
    return None


def _whole(path: Path) -> Path:
    """Return an absolute path without dots, keeping its links."""
    return Path(os.path.normpath(Path.cwd() / path))


def _with_role(file: SourceFile, given: Mapping[str, str], taken: Mapping[str, str]) -> SourceFile:
    if file.name in given:
        known = _in_folder_of(file.name, given[file.name])
        kind = all_roles()[given[file.name]] or role_of(known, file.content.head(HEAD))
        return replace(file, role=file.impostor or kind, read_as=known)
    if file.name in taken:
        why = ASIDE.format(taken[file.name], file.name.rpartition("/")[2])
        return replace(file, role=why, read_as=file.name + GONE)
    return file


def _in_folder_of(name: str, base: str) -> str:
    folder = name.rpartition("/")[0]
    return f"{folder}/{base}" if folder else base
