"""Distribute the files of `--file ROLE=PATH` to the subjects that they lie in."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace

from tokaudit.engine.needs import Others
from tokaudit.engine.opening import SubjectName, held_files
from tokaudit.engine.settings.file_settings import FilesByRole, file_roles
from tokaudit.runtimes.request import CODE_PREFIXES
from tokaudit.subject.roles import Roles


def shared_out(
    subject: SubjectName, others: Others, files: FilesByRole | None
) -> tuple[FilesByRole | None, Others]:
    """Return the subject's files, and the others with those of the base and other encoder.

    A file that lies in several of them has its role in each.  One that lies in none is left with
    the subject, whose opening says so.
    """
    base, against = _of(others.base, files), _of(others.against, files)
    if not base and not against:
        return files, others
    held = held_files(subject, files)
    mine: dict[str, list[str]] = {}
    for role, path in file_roles(files):
        if path in held.get(role, ()) or (role, path) not in (*base, *against):
            mine.setdefault(role, []).append(path)
    return mine or None, replace(others, base_files=base, against_files=against)


def _of(name: str | None, files: FilesByRole | None) -> Roles:
    """Return the files that lie in a named subject; None if it names code or none is given."""
    if name is None or files is None or name.startswith(tuple(CODE_PREFIXES)):
        return ()
    held: Mapping[str, list[str]] = held_files(os.fspath(name), files)
    return tuple((role, path) for role, paths in held.items() for path in paths)
