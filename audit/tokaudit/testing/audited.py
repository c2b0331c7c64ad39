"""The audit for all items of a test run, carried out once on demand.

The workers of pytest-xdist are processes.  The first that runs an item audits, those that come
meanwhile wait for its lock, and all others read its report.  The kernel frees the lock of a worker
that dies, and the next one audits.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tokaudit.foundation.errors import TokauditError, UnreadableError
from tokaudit.foundation.settings.setting import values
from tokaudit.products.audit.auditing import audit
from tokaudit.report.reading import decode_report
from tokaudit.report.report import Report
from tokaudit.report.saving import save
from tokaudit.testing.asked import Asked

REPORT, TROUBLE = "report.json", "trouble.txt"


class Audited:
    """The report on the subject, or an error in its place."""

    def __init__(self, asked: Asked, folder: Path | None) -> None:
        """Store the settings, and a folder shared by all processes, if there are several."""
        self._asked = asked
        self._folder = folder if folder is not None and folder.is_dir() else None
        self._found: Report | UnreadableError | None = None

    def report(self) -> Report:
        """Return the report; raise `UnreadableError` each time if the audit failed."""
        if self._found is None:
            self._found = self._carried_out() if self._folder is None else self._shared()
        if isinstance(self._found, Report):
            return self._found
        raise self._found

    def _shared(self) -> Report | UnreadableError:
        assert self._folder is not None
        report, trouble = self._folder / REPORT, self._folder / TROUBLE
        with _locked(self._folder / "lock"):
            if report.exists():
                return decode_report(report.read_bytes())
            if trouble.exists():
                return UnreadableError(trouble.read_text("utf-8"))
            found = self._carried_out()
            if isinstance(found, Report):
                found.save(report)
            else:
                save(trouble, str(found))
            return found

    def _carried_out(self) -> Report | UnreadableError:
        asked = self._asked
        try:
            return audit(asked.subject, **values(asked.settings))
        except TokauditError as error:
            return UnreadableError(str(error))


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold an exclusive lock on the file, if the system has such locks."""
    with path.open("w") as file:
        if sys.platform != "win32":
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield
