"""A unified patch of changed files, which `patch -p1` applies in the folder of the subject."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping

Files = Mapping[str, bytes | None]
NOWHERE = b"/dev/null"
NO_END = b"\n\\ No newline at end of file\n"


def unified(before: Files, after: Files) -> bytes:
    """The patch from the one state of some files to the other; None is a file that is not there."""
    return b"".join(
        part
        for name in sorted({*before, *after})
        if before.get(name) != after.get(name)
        for part in _of_file(name, before.get(name), after.get(name))
    )


def _of_file(name: str, before: bytes | None, after: bytes | None) -> Iterator[bytes]:
    named = _quoted(name)
    lines = difflib.diff_bytes(
        difflib.unified_diff,
        _lines(before),
        _lines(after),
        NOWHERE if before is None else b"a/" + named,
        NOWHERE if after is None else b"b/" + named,
        lineterm=b"\n",
    )
    for line in lines:
        yield line if line.endswith(b"\n") else line + NO_END


def _quoted(name: str) -> bytes:
    """A name as it is in a patch: one line, whatever the file is called."""
    return name.encode("utf-8", "surrogateescape").replace(b"\n", b"\\n")


def _lines(data: bytes | None) -> list[bytes]:
    """The lines with their ends; only a line feed ends one, as `patch` has it."""
    return [line + b"\n" for line in (data or b"").split(b"\n")[:-1]] + _last(data or b"")


def _last(data: bytes) -> list[bytes]:
    rest = data.rpartition(b"\n")[2]
    return [rest] if rest else []
