"""`tokaudit.render`: a stored report in another format, made of the file alone."""

from __future__ import annotations

import os
from pathlib import Path

from tokaudit.foundation.settings.places import name_of
from tokaudit.report.reading import decode_report
from tokaudit.report.report import Report
from tokaudit.report.writer import DEFAULT, Look, ReportWriter, writer_for
from tokaudit.subject.material import SourceFile, read_bytes

LARGEST = 256 * 1024 * 1024  # bytes of a report
ReportOrFile = Report | str | os.PathLike[str]


def render(report: ReportOrFile, format: str = DEFAULT, *, look: Look | None = None) -> str:
    """Render a report, or a `report.json`, as text in one of the installed formats.

    Neither the subject nor the checks that wrote the report need to be there.  A `look` is that of
    the stream that shows it, by colour and width.  Raises `UsageError`
    for a format that there is not, and for a file that is no report of this version.

    >>> import tokaudit
    >>> report = tokaudit.audit("models/checkpoint", select=["vocab/holes"], tier="quick")
    >>> tokaudit.render(report, "markdown").startswith("#")
    True
    """
    writer = writer_for(format, None)
    return rendered(stored(report), writer, look)


def rendered(report: Report, writer: ReportWriter, look: Look | None = None) -> str:
    """Render a report that is `stored` already, for repeated use."""
    return writer.write(report) if look is None else writer.shown(report, look)


def stored(report: ReportOrFile) -> Report:
    """Return a report as its file holds it, or read one from a file.

    Raises `UnreadableError` for a file that cannot be read.
    """
    if isinstance(report, Report):
        return report.as_stored()
    name = name_of("report", report)
    return decode_report(read_bytes(SourceFile(name, Path(name), 0, "report"), LARGEST), name)
