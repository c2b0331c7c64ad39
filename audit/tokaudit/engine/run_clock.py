"""Clock of a run, which also builds its report."""

from __future__ import annotations

import datetime as dt
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tokaudit.engine.outcome.recording import timing
from tokaudit.engine.workers import Workers
from tokaudit.foundation.installed_version import own_version
from tokaudit.report.model import Verdict
from tokaudit.report.recorded import LACKING, SubjectRecord
from tokaudit.report.report import Report


@dataclass(frozen=True)
class RunClock:
    """Start of a run: calendar time, wall clock and processor time."""

    started: dt.datetime = field(default_factory=lambda: dt.datetime.now(dt.UTC))
    wall: float = field(default_factory=time.perf_counter)
    processor: float = field(default_factory=time.process_time)

    def report(
        self,
        subject: SubjectRecord,
        scope: str,
        judged: tuple[Verdict, str],
        environment: Mapping[str, str],
        workers: Workers,
        **found: Any,
    ) -> Report:
        """Build the report of this run; `found` are its remaining fields."""
        verdict, reason = judged
        lacking = environment.get(LACKING)
        scope += f"; not protected, as this platform lacks: {lacking}" if lacking else ""
        seconds = time.perf_counter() - self.wall
        return Report(
            tool={"name": "tokaudit", "version": own_version()},
            command=tuple(sys.argv),
            started=self.started.isoformat(timespec="seconds"),
            seconds=seconds,
            environment=environment,
            subject=subject,
            scope=scope,
            verdict=verdict,
            verdict_reason=reason,
            timing=timing(seconds, time.process_time() - self.processor, workers),
            **{"summary": {}, **found},
        )
