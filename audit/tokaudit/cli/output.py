"""Where a report goes: stdout or a file, written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from tokaudit.errors import UsageError
from tokaudit.report.model import Report
from tokaudit.report.writer import ReportWriter, all_writers, writer_of

DEFAULT = "terminal"  # the format of what is printed


def writer_for(format: str | None, out: Path | None) -> ReportWriter:
    """The writer of the asked-for format, else of the file's suffix, else for the terminal.

    Raises `UsageError` for a format that there is not, and for a suffix that no format claims.
    """
    known = all_writers()
    if format is None and out is not None:
        claimed = writer_of(out.name)
        if claimed is None:
            raise UsageError(f"{out}: no report format has this suffix; {_offers(known)}")
        return claimed
    name = format or DEFAULT
    if name not in known:
        raise UsageError(f"no report format {name!r}; {_offers(known)}")
    return known[name]


def _offers(known: Mapping[str, ReportWriter]) -> str:
    formats = (f"{each.name} ({' '.join(each.suffixes)})" for each in known.values())
    return f"--format takes: {', '.join(formats)}"


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
    writers = {out: writer_for(format, out) for out in outs}
    if not outs:
        sys.stdout.write(_printable(writer_for(format, None).write(report)))
    for out, writer in writers.items():
        write_atomically(out, writer.write(report))


def _printable(text: str) -> str:
    """The text without what this stdout cannot encode."""
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)
