"""Puts each defect into the healthy templates of its entry, and asks the check that names it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tokaudit.report.model import Severity
from tokaudit_folders import chat_folders
from tokaudit_folders.chat_folders import Asked, Family
from tokaudit_template_defects.catalogue import TemplateDefect
from tokaudit_template_defects.published import family

LOUD = (Severity.WARNING, Severity.ERROR)
Complaint = tuple[Severity, str]  # severity and cause


@dataclass(frozen=True, slots=True)
class Instance:
    """One defect in one template: what its check says that it does not say of the healthy one."""

    defect: TemplateDefect
    healthy: str
    said: tuple[Complaint, ...]

    @property
    def caught(self) -> bool:
        """Whether it is said at warning or error."""
        return any(severity in LOUD for severity, _ in self.said)


def instances(defect: TemplateDefect) -> Iterator[Instance]:
    """Each template of the entry with the defect in it."""
    check = defect.check.partition("/")[2]
    for name in defect.healthy:
        sound = family(name)
        broken = chat_folders.with_template(sound, defect.put_into(sound.template))
        new = _said(broken, check) - _of_healthy(name, check)
        yield Instance(defect, name, tuple(sorted(new)))


@cache
def _of_healthy(name: str, check: str) -> frozenset[Complaint]:
    return _said(family(name), check)


def _said(one: Family, check: str) -> frozenset[Complaint]:
    with tempfile.TemporaryDirectory(prefix="tokaudit-templates-") as folder:
        asked = Asked(chat_folders.write(Path(folder), one))
        return frozenset((found.severity, found.cause) for found in asked.findings(check))
