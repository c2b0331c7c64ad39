"""Writers of a report, one for each output format, and their selection by file name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.plugins.installed import Kind, installed

if TYPE_CHECKING:  # a report saves itself by a writer, and a writer writes reports
    from tokaudit.report.report import Report

DEFAULT = "terminal"  # the format of what is printed


@dataclass(frozen=True)
class Look:
    """The look of printed text: color, width in columns, and whether to show figures."""

    color: bool = False
    width: int = 120
    measurements: bool = False


@dataclass(frozen=True)
class ReportWriter:
    """An output format: its name, the suffixes of its files, and its writing function.

    The first suffix is the one that such a file gets where nobody chose another.  A format for
    terminals also says how it is drawn on one.
    """

    name: str
    suffixes: tuple[str, ...]
    write: Callable[[Report], str]
    draw: Callable[[Report, Look], str] | None = None

    def __post_init__(self) -> None:
        if isinstance(self.suffixes, str):
            raise TypeError(f"report {self.name!r}: suffixes is a tuple, not a string")
        for suffix in self.suffixes:
            if not suffix.startswith(".") or suffix != suffix.lower():
                raise ValueError(f"report {self.name!r}: {suffix!r} is not like '.html'")

    def shown(self, report: Report, look: Look) -> str:
        """Write the report for a stream of that look."""
        return self.write(report) if self.draw is None else self.draw(report, look)


WRITERS = Kind(
    "report format", ReportWriter, ("reports",), lambda writer: (writer.name, *writer.suffixes)
)


@cache
def all_writers() -> dict[str, ReportWriter]:
    """Map the names of installed formats to their writers."""
    return installed(WRITERS).all()


def writer_of(file_name: str) -> ReportWriter | None:
    """Return the writer that claims the longest ending of a file name, if any."""
    endings = {suffix: each for each in all_writers().values() for suffix in each.suffixes}
    fitting = [suffix for suffix in endings if file_name.lower().endswith(suffix)]
    return endings[max(fitting, key=len)] if fitting else None


def writer_for(format: str | None, out: Path | None) -> ReportWriter:
    """Return the writer of the requested format, the file's suffix, or the terminal.

    Raises `UsageError` for a format that there is not, for a suffix that no format claims, and for
    one that another format than the asked-for claims.
    """
    known = all_writers()
    claimed = None if out is None else writer_of(out.name)
    if format is None and out is not None:
        if claimed is None:
            if out.name in known:
                raise UsageError(
                    f"{out}: is the name of a format, not of a file; name a file, or use --format "
                    f"{out}"
                )
            raise UsageError(f"{out}: no report format has this suffix; {_offers(known)}")
        return claimed
    name = format or DEFAULT
    if name not in known:
        raise UsageError(f"{name!r} is not a report format; {_offers(known)}")
    if out is not None and claimed is not None and not _may_be(known[name], claimed, out):
        raise UsageError(
            f"{out}: ends in a suffix of the format {claimed.name}, but --format is {name}"
        )
    return known[name]


def _may_be(chosen: ReportWriter, claimed: ReportWriter, out: Path) -> bool:
    """Return whether a file of that name may have the format: SARIF is JSON too."""
    ends = tuple(Path(suffix).suffix or suffix for suffix in chosen.suffixes)
    return chosen is claimed or out.name.lower().endswith(ends)


def _offers(known: Mapping[str, ReportWriter]) -> str:
    formats = (f"{each.name} ({' '.join(each.suffixes)})" for each in known.values())
    return f"known formats: {', '.join(formats)}"
