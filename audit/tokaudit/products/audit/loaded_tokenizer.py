"""A tokenizer that is loaded already: saved to a private folder by its own method, and opened.

Nothing is pickled: what is audited is what its library writes, as a user would publish it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Protocol, TypeGuard, runtime_checkable

from tokaudit.engine.opening import Opened, SubjectName
from tokaudit.foundation.errors import UnreadableError, UsageError
from tokaudit.subject.opening import Repository, open_repository

FILE = "tokenizer.json"  # the name under which loaders look for what `save` writes


@runtime_checkable
class SavesFolder(Protocol):
    """Writes itself with its settings into a folder, as tokenizers of transformers do."""

    def save_pretrained(self, save_directory: str, /) -> object:
        """Write every file."""


@runtime_checkable
class SavesFile(Protocol):
    """Writes itself into one file, as `tokenizers.Tokenizer` does."""

    def save(self, path: str, /) -> object:
        """Write the file."""


LoadedTokenizer = SavesFolder | SavesFile


def is_loaded(subject: object) -> TypeGuard[LoadedTokenizer]:
    """Whether a subject is an object that can save itself, and not the name of one."""
    return not isinstance(subject, type) and isinstance(subject, SavesFolder | SavesFile)


@contextmanager
def on_disk(subject: SubjectName | LoadedTokenizer) -> Iterator[SubjectName]:
    """A name as it is; a loaded tokenizer as a folder that is there until the block ends."""
    if not is_loaded(subject):
        yield subject  # type: ignore[misc]  # what has neither method is a name
        return
    with tempfile.TemporaryDirectory(prefix="tokaudit-") as private:
        folder = Path(private)
        _save(subject, folder)
        yield Opened(_named(open_repository(folder), type(subject).__qualname__))


def _save(subject: LoadedTokenizer, folder: Path) -> None:
    try:
        if isinstance(subject, SavesFolder):
            subject.save_pretrained(str(folder))
        else:
            subject.save(str(folder / FILE))
    except Exception as error:
        about = f"{type(subject).__qualname__}: cannot save itself: {error}"
        raise UnreadableError(about) from error
    if not any(folder.iterdir()):
        raise UsageError(
            f"{type(subject).__qualname__}: saved no file, so there is nothing to audit"
        )


def _named(repository: Repository, name: str) -> Repository:
    """The repository by the name of the object's class, as the folder means nothing to a reader."""
    subjects = tuple(replace(each, name=name) for each in repository.subjects)
    return replace(repository, name=name, subjects=subjects)
