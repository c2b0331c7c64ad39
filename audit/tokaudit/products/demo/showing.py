"""Writes the checkpoints of the demo, audits each, and says where its page is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tokaudit.foundation.errors import NotWrittenError, UsageError
from tokaudit.foundation.paths import is_folder
from tokaudit.foundation.settings.places import NamedPath, path_of
from tokaudit.products.audit.auditing import audit
from tokaudit.products.demo.whole_folder import write_folder
from tokaudit.report.report import Report

AUDITED = {"checkpoint": "", "cut": "", "finetuned": "checkpoint"}
"""The checkpoints, and the base that each is audited against, if any."""


@dataclass(frozen=True)
class AuditedCheckpoint:
    """One audited checkpoint of the demo, its page, and the command that repeats it."""

    folder: Path
    page: Path
    command: str
    report: Report


def demo(folder: NamedPath) -> tuple[AuditedCheckpoint, ...]:
    """Write a new folder with three small checkpoints and audit them: one passes, two fail.

    The folder has what the examples of the documentation name: a corpus, ids, a gate, and more.

    Raises `UsageError` where the folder holds something.
    """
    root = path_of("folder", folder)
    refuse_taken(root)
    try:
        (root / "reports").mkdir(parents=True)
        write_folder(root)
    except OSError as error:
        raise NotWrittenError(f"{root}: cannot be written: {error.strerror}") from error
    return tuple(_shown(root, name, base) for name, base in AUDITED.items())


def _shown(root: Path, name: str, base: str) -> AuditedCheckpoint:
    subject, page = root / "models" / name, root / "reports" / f"{name}.html"
    against = root / "models" / base if base else None
    report = audit(subject, base=against)
    report.save(page)
    command = f"tokaudit audit {subject}" + (f" --base {against}" if against else "")
    return AuditedCheckpoint(subject, page, f"{command} --out {page}", report)


def refuse_taken(root: Path) -> None:
    """Raise `UsageError` where the folder holds something, before anything is written."""
    if root.exists() and (not is_folder(root) or any(root.iterdir())):
        raise UsageError(f"{root}: is there already; name a new folder, or an empty one")
