"""The corpus: UTF-8 text files, or refused with the place of the first bad byte.

A folder stands for every regular file below it, in the order of their names.
"""

from __future__ import annotations

import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from tokaudit.foundation.errors import UnreadableError


def files_of(named: Sequence[Path]) -> list[Path]:
    """Return the files of a corpus; raise `UnreadableError` if there are none."""
    found = [file for path in named for file in _files(path)]
    if not any(file.stat().st_size for file in found):
        names = ", ".join(map(str, named))
        raise UnreadableError(f"{names}: no text was found; name files that contain text")
    return found


def _files(path: Path) -> list[Path]:
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            return sorted(file for file in path.rglob("*") if file.is_file())
    except OSError as error:
        raise UnreadableError(f"{path}: cannot be read: {error.strerror}") from error
    if not stat.S_ISREG(mode):
        raise UnreadableError(f"{path}: is not a regular file; name text files as the corpus")
    return [path]


def text_of(file: Path) -> str:
    """Read a file as text, keeping line ends; raise `UnreadableError` for other bytes."""
    try:
        return file.read_bytes().decode()
    except OSError as error:
        raise UnreadableError(f"{file}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        bad = error.object[error.start]
        raise UnreadableError(
            f"{file}: is not UTF-8: byte 0x{bad:02x} at offset {error.start}; convert the file "
            "first"
        ) from error


def documents(text: str, special: Sequence[str]) -> Iterator[str]:
    """Yield the text between special tokens, matching the longest first.

    >>> list(documents("a<s>b<s><s>", ["<s>"]))
    ['a', 'b']
    """
    import re

    longest_first = sorted(special, key=len, reverse=True)
    pattern = "|".join(map(re.escape, longest_first))
    parts = re.split(pattern, text) if pattern else [text]
    return (part for part in parts if part)
