"""What writes a report in one output format, and all such writers that are installed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from tokaudit.plugins.kinds import Kind, installed
from tokaudit.report.model import Report


@dataclass(frozen=True)
class ReportWriter:
    """An output format: its name, the suffixes of the files that are of it, and how it is written.

    The first suffix is the one that such a file gets where nobody chose another.
    """

    name: str
    suffixes: tuple[str, ...]
    write: Callable[[Report], str]

    def __post_init__(self) -> None:
        if isinstance(self.suffixes, str):
            raise TypeError(f"report {self.name!r}: suffixes is a tuple, not a string")
        for suffix in self.suffixes:
            if not suffix.startswith(".") or suffix != suffix.lower():
                raise ValueError(f"report {self.name!r}: {suffix!r} is not like '.html'")


WRITERS = Kind(
    "report format", ReportWriter, ("reports",), lambda writer: (writer.name, *writer.suffixes)
)


@cache
def all_writers() -> dict[str, ReportWriter]:
    """Format name -> its writer, for every installed one."""
    return installed(WRITERS).all()


def writer_of(file_name: str) -> ReportWriter | None:
    """The writer that claims the longest ending of a file's name, if any does."""
    endings = {suffix: each for each in all_writers().values() for suffix in each.suffixes}
    fitting = [suffix for suffix in endings if file_name.lower().endswith(suffix)]
    return endings[max(fitting, key=len)] if fitting else None
