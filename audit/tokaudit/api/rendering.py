"""`tokaudit.render`: a stored report in another format, made of the file alone."""

from __future__ import annotations

import os
from pathlib import Path

from tokaudit.report.reading import decode_report
from tokaudit.report.report import Report
from tokaudit.report.writer import DEFAULT, writer_for
from tokaudit.subject.material import SourceFile, read_bytes


def render(report: Report | str | os.PathLike[str], format: str = DEFAULT) -> str:
    """A report, or a `report.json`, as text in one of the installed formats.

    Neither the subject nor the checks that wrote the report need to be there.  Raises `UsageError`
    for a format that there is not, and for a file that is no report of this version.

    >>> import tokaudit
    >>> report = tokaudit.audit("models/checkpoint", select=["vocab/holes"], tier="quick")
    >>> tokaudit.render(report, "markdown").startswith("#")
    True
    """
    writer = writer_for(format, None)
    return writer.write(report if isinstance(report, Report) else stored(report))


def stored(path: str | os.PathLike[str]) -> Report:
    """The report in a file; raises `UnreadableError` for one that cannot be read."""
    name = os.fspath(path)
    return decode_report(read_bytes(SourceFile(name, Path(name), 0, "report")), name)
