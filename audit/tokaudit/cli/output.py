"""Where a report goes: stdout or a file, written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path

from tokaudit.errors import UsageError
from tokaudit.report.model import Report

SUFFIXES = {".json": "json", ".html": "html", ".htm": "html", ".txt": "terminal"}


def writers() -> dict[str, Callable[[Report], str]]:
    """Format name -> the function that renders a report, ours and any third party's."""
    return {entry.name: entry.load() for entry in entry_points(group="tokaudit.reports")}


def writer_for(format: str | None, out: Path | None) -> tuple[str, Callable[[Report], str]]:
    """The asked-for format, else the one that the file's suffix names, else the terminal's."""
    name = format or (SUFFIXES.get(out.suffix.lower(), "json") if out else "terminal")
    known = writers()
    if name not in known:
        raise UsageError(f"no report format {name!r}; there are: {', '.join(sorted(known))}")
    return name, known[name]


def write_atomically(path: Path, text: str) -> None:
    """Write beside the target and rename, so that nobody ever sees half a report."""
    try:
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from error
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace") as handle:
            handle.write(text)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise


def deliver(report: Report, format: str | None, outs: list[Path]) -> None:
    """Render to each file by its suffix, or to stdout when no file was named."""
    if not outs:
        _, render = writer_for(format, None)
        sys.stdout.write(_printable(render(report)))
    for out in outs:
        _, render = writer_for(format, out)
        write_atomically(out, render(report))


def _printable(text: str) -> str:
    """The text without what this stdout cannot encode."""
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)
