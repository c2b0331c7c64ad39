"""Audit a tokenizer in memory: save it to a private folder by its own method, and open it.

Nothing is pickled: what is audited is what its library writes, as a user would publish it.  An
encoding of tiktoken has no such method, so its ranks are written here, and its pattern and special
tokens are given as those of a bare rank file are.
"""

from __future__ import annotations

import tempfile
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol, TypeGuard, runtime_checkable

from tokaudit.engine.opening import Opened, SubjectName, repository_of
from tokaudit.engine.settings.settings import Opening
from tokaudit.foundation.errors import UnreadableError, UsageError
from tokaudit.subject.opening import Repository

FILE = "tokenizer.json"  # the name under which loaders look for what `save` writes
PIECES = "tokenizer.model"
TEKKEN = "tekken.json"


@runtime_checkable
class SavesFolder(Protocol):
    """A tokenizer that saves itself into a folder, as those of transformers."""

    def save_pretrained(self, save_directory: str, /) -> object:
        """Write every file."""


@runtime_checkable
class SavesFile(Protocol):
    """A tokenizer that saves itself into one file, as `tokenizers.Tokenizer`."""

    def save(self, path: str, /) -> object:
        """Write the file."""


@runtime_checkable
class IsSerialized(Protocol):
    """A tokenizer with its model as bytes, as `sentencepiece.SentencePieceProcessor`."""

    def serialized_model_proto(self) -> bytes:
        """Return the bytes of the model file."""
        ...


@runtime_checkable
class HasRanks(Protocol):
    """A tokenizer with ranks, a pattern and special tokens, as `tiktoken.Encoding`."""

    name: str
    _pat_str: str
    _mergeable_ranks: Mapping[bytes, int]
    _special_tokens: Mapping[str, int]


@runtime_checkable
class HasFile(Protocol):
    """A tokenizer that names the file it was loaded from, as those of mistral-common."""

    @property
    def file_path(self) -> Path:
        """Return the path of the file."""
        ...


@runtime_checkable
class HasInner(Protocol):
    """A tokenizer around another that names its file, as `MistralTokenizer`."""

    instruct_tokenizer: Any


LoadedTokenizer = SavesFolder | IsSerialized | HasRanks | SavesFile | HasInner | HasFile


def is_loaded(subject: object) -> TypeGuard[LoadedTokenizer]:
    """Return whether a subject is an object that can be saved, not a name."""
    return not isinstance(subject, type) and any(isinstance(subject, kind) for kind in WRITERS)


@contextmanager
def on_disk(
    subject: SubjectName | LoadedTokenizer, add_files: Callable[[Path], None] | None = None
) -> Iterator[SubjectName]:
    """Yield a name unchanged, or a temporary folder with a loaded tokenizer's files.

    `add_files` writes more into that folder before it is opened.
    """
    if not is_loaded(subject):
        yield subject  # type: ignore[misc]  # what has no such method is a name
        return
    with tempfile.TemporaryDirectory(prefix="tokaudit-") as private:
        folder = Path(private)
        how = _save(subject, folder)
        if add_files is not None:
            add_files(folder)
        yield Opened(_named(repository_of(folder, how), type(subject).__qualname__))


def _save(subject: LoadedTokenizer, folder: Path) -> Opening:
    """Write the files, and return the settings to open them."""
    write = next(write for kind, write in WRITERS.items() if isinstance(subject, kind))
    try:
        how = write(subject, folder)
    except Exception as error:
        about = f"{type(subject).__qualname__}: cannot save itself: {error}"
        raise UnreadableError(about) from error
    if not any(folder.iterdir()):
        raise UsageError(
            f"{type(subject).__qualname__}: saved no file, so there is nothing to audit"
        )
    return how


def _save_folder(subject: Any, folder: Path) -> Opening:
    """Let the tokenizer write its folder."""
    subject.save_pretrained(str(folder))
    return Opening()


def _save_pieces(subject: Any, folder: Path) -> Opening:
    """Write the model of SentencePiece."""
    (folder / PIECES).write_bytes(subject.serialized_model_proto())
    return Opening()


def _save_ranks(subject: Any, folder: Path) -> Opening:
    """Write a rank file in the order of ranks."""
    ranks = sorted(subject._mergeable_ranks.items(), key=lambda item: item[1])
    lines = (b"%s %d\n" % (b64encode(token), rank) for token, rank in ranks)
    (folder / f"{Path(subject.name).name}.tiktoken").write_bytes(b"".join(lines))
    return Opening(pattern=subject._pat_str, special=dict(subject._special_tokens))


def _save_file(subject: Any, folder: Path) -> Opening:
    """Let the tokenizer write its file."""
    subject.save(str(folder / FILE))
    return Opening()


def _copy_file(subject: Any, folder: Path) -> Opening:
    """Copy the file under the name that loaders look for."""
    path = Path(subject.file_path)
    name = TEKKEN if path.suffix == ".json" else PIECES
    (folder / name).write_bytes(path.read_bytes())
    return Opening()


def _copy_inner(subject: Any, folder: Path) -> Opening:
    """Copy the file of the inner tokenizer."""
    return _copy_file(subject.instruct_tokenizer.tokenizer, folder)


# The first that fits writes: what saves a folder may have others of these methods too.
WRITERS: Mapping[type, Callable[[Any, Path], Opening]] = {
    SavesFolder: _save_folder,
    IsSerialized: _save_pieces,
    HasRanks: _save_ranks,
    SavesFile: _save_file,
    HasInner: _copy_inner,
    HasFile: _copy_file,
}


def _named(repository: Repository, name: str) -> Repository:
    """Name the repository by the object's class: the folder means nothing to readers."""
    subjects = tuple(replace(each, name=name) for each in repository.subjects)
    return replace(repository, name=name, subjects=subjects)
