"""Accept an intended change: rewrite manifests and the baseline."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tokaudit.foundation.errors import UsageError
from tokaudit.products.gate.configuration import Configuration
from tokaudit.products.gate.drift_findings import MANIFEST
from tokaudit.products.gate.one_subject import Examined
from tokaudit.products.identity import statement
from tokaudit.report.model import CheckResult, Finding, Severity, Status
from tokaudit.report.saving import refuse_unwritable, save


def refuse_unacceptable(configured: Configuration, reason: str) -> None:
    """Raise `UsageError` before any work if acceptance cannot be written or lacks a reason."""
    if not reason.strip():
        raise UsageError("--accept: the reason is empty; say why the tokenizer changed")
    held = [each for each in configured.subjects if each.manifest is not None]
    if not held and configured.baseline is None:
        raise UsageError(
            f"{configured.file}: names neither a manifest nor a baseline, so --accept has nothing "
            "to write"
        )
    for each in held:
        if each.key is not None:
            raise UsageError(
                f"{each.manifest}: is signed, so --accept cannot replace this manifest; write and "
                f"sign a new manifest with: tokaudit manifest {each.path} --sign PRIVATE_KEY --out "
                f"{each.manifest}"
            )
        refuse_unwritable(Path(str(each.manifest)))


def accepted(
    found: Sequence[tuple[Examined, bool]], reason: str, day: dt.date
) -> list[tuple[Examined, bool]]:
    """Write the manifests of drifted subjects and return all subjects as they are then."""
    return [(_accepted(one, reason, day), failed) for one, failed in found]


def _accepted(one: Examined, reason: str, day: dt.date) -> Examined:
    if one.asked.manifest is None or one.statement is None or not _drifted(one):
        return one
    path = Path(one.asked.manifest)
    save(path, statement.write(_with_reason(one.statement, reason, day)))
    note = Finding(
        Severity.INFO,
        f"{path} was rewritten, because: {reason}",
        cause="accepted",
        check=MANIFEST,
    )
    others = (each for each in one.gates if each.check != MANIFEST)
    return replace(one, gates=(*others, CheckResult(MANIFEST, Status.PASSED, findings=(note,))))


def _drifted(one: Examined) -> bool:
    """Return whether a manifest is missing or differs."""
    results = [each for each in one.gates if each.check == MANIFEST]
    return not results or any(each.status is Status.FAILED for each in results)


def _with_reason(made: dict[str, Any], reason: str, day: dt.date) -> dict[str, Any]:
    said = {"reason": reason, "on": day.isoformat()}
    return {**made, "predicate": {**made["predicate"], "accepted": said}}
