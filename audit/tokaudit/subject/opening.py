"""Opens a subject from whatever names it: a folder, a file, `pkg:`, `hf:` or `tiktoken:`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tokaudit.errors import UnreadableError
from tokaudit.subject import locate
from tokaudit.subject.facts import collect
from tokaudit.subject.files import listed, single
from tokaudit.subject.formats import all_formats
from tokaudit.subject.material import Subject

NOT_TOKENIZERS = ("config", "weights", "template", "unread")


def open_subject(
    name: str | os.PathLike[str],
    *,
    allow_root: Path | None = None,
    settings: Mapping[str, Any] | None = None,
) -> Subject:
    """The subject that `name` names, with every file listed and every fact collected.

    Raises `UnreadableError`, in one line, when there is nothing there that tokaudit reads.
    """
    text = os.fspath(name)
    found = locate.locate(text)
    given = {**found.settings, **(settings or {})}
    path = found.path
    if path.is_dir():
        files = listed(path, allow_root)
        root = path
    else:
        files, root = (single(path, allow_root, found.file_role),), path.parent
    subject = Subject(text, root, files, collect(files), given)
    _refuse_nothing(subject)
    return subject


def _refuse_nothing(subject: Subject) -> None:
    roles = {format.name for format in all_formats()}
    if any(file.role in roles for file in subject.files):
        return
    if not subject.files:
        raise UnreadableError(f"{subject.name}: is empty; there is nothing to audit")
    found = "; ".join(f"{file.name}: {file.role}" for file in subject.files[:8])
    raise UnreadableError(
        f"{subject.name}: holds no tokenizer that can be read ({found}); "
        f"read are: {', '.join(sorted(roles))}"
    )
