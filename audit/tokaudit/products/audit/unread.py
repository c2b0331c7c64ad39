"""Report on a subject that could not be read, with the reason."""

from __future__ import annotations

import datetime as dt
import sys

from tokaudit.engine.outcome.verdict import summary
from tokaudit.foundation.installed_version import own_version
from tokaudit.report.model import CheckResult, Finding, Place, Severity, Status, Verdict
from tokaudit.report.recorded import SubjectRecord
from tokaudit.report.report import Report

TO_DO = "put that right, or name another subject, and run the command again"
REMEDY = f"{TO_DO[:1].upper()}{TO_DO[1:]}."


def unread_report(name: str, reason: str, check: str) -> Report:
    """Return the report of an unreadable subject; `check` is the one that could not begin."""
    note = Finding(
        Severity.INFO, reason, (Place("subject"),), remedy=REMEDY, cause="unreadable", check=check
    )
    results = (CheckResult(check, Status.SKIPPED, reason, (note,)),)
    return Report(
        tool={"name": "tokaudit", "version": own_version()},
        command=tuple(sys.argv),
        started=dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        seconds=0.0,
        environment={},
        subject=SubjectRecord(name),
        scope="nothing was read",
        verdict=Verdict.UNVERIFIABLE,
        verdict_reason=f"{reason}; {TO_DO}",
        summary=summary(results),
        results=results,
    )
