"""What is repaired: a broken folder, what it is compared with, and the checks that report it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class AuditInput:
    """What an audit is given: the subject, and what it is compared with."""

    subject: Path
    base: Path | None = None
    against: str | None = None


@dataclass(frozen=True)
class Case:
    """One broken folder; `write` makes it in an empty folder, and `healthy` the one it was made of.

    `source` is where the case is from: examples, defects or mutants.
    """

    source: str
    name: str
    checks: tuple[str, ...]
    write: Callable[[Path], AuditInput]
    healthy: Callable[[Path], AuditInput] | None = None
