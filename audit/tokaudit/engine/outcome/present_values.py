"""Fills in what the files hold now where a repair changes them, and drops what changes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tokaudit.foundation.errors import UnreadableError
from tokaudit.report.model import CheckResult, Finding
from tokaudit.report.repair import Change, ChangeKind, Repair
from tokaudit.subject.editing.json_text import ABSENT, value_at
from tokaudit.subject.material import SourceFile, Subject, read_bytes
from tokaudit.subject.places.pointers import LINE
from tokaudit.subject.safe_json import parse


@dataclass
class PresentValues:
    """The files of a subject, each JSON file parsed once, when a repair is about it."""

    files: dict[str, SourceFile]
    parsed: dict[str, Any] = field(default_factory=dict)

    def at(self, file: str, pointer: str) -> Any:
        """The value that is there; `ABSENT` where none is, or the file cannot be read."""
        if file not in self.parsed:
            self.parsed[file] = self._parsed(file)
        return value_at(self.parsed[file], pointer)

    def _parsed(self, file: str) -> Any:
        if file not in self.files or not self.files[file].regular:
            return ABSENT
        try:
            return parse(read_bytes(self.files[file]), file)
        except UnreadableError:
            return ABSENT

    def changes(self, changes: Iterable[Change]) -> Iterator[Change]:
        """The changes that change something, each with the value that it replaces."""
        for each in changes:
            if each.kind is ChangeKind.RUN or not each.pointer or LINE.fullmatch(each.pointer):
                yield each
                continue
            now = self.at(each.file, each.pointer)
            if each.kind is ChangeKind.REMOVE and now is not ABSENT:
                yield replace(each, now=now)
            elif each.kind is ChangeKind.TAKE:
                yield replace(each, now=None if now is ABSENT else _short(now))
            elif each.kind in (ChangeKind.SET, ChangeKind.ADD) and now is ABSENT:
                yield replace(each, kind=ChangeKind.ADD)
            elif each.kind is ChangeKind.SET and not same(now, each.wanted):
                yield replace(each, now=now)

    def finding(self, finding: Finding) -> Finding:
        """A finding whose repair says what is there now; none where nothing would change."""
        repair = finding.repair
        if repair is None or repair.decided_by is not None:
            return finding
        return replace(finding, repair=self._repair(repair))

    def _repair(self, repair: Repair) -> Repair | None:
        changes = tuple(self.changes(repair.changes))
        choice = tuple(
            replace(each, changes=left)
            for each in repair.choice
            if (left := tuple(self.changes(each.changes)))
        )
        return replace(repair, changes=changes, choice=choice) if changes or choice else None


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same in JSON, where true is not 1.

    >>> same(1, True), same([1.0], [1]), same(None, None)
    (False, False, True)
    """
    return repr(one) == repr(other)


def _short(value: Any) -> Any:
    """A value that is taken over whole is not quoted: it may be a vocabulary."""
    return value if not isinstance(value, dict | list) or len(value) < 20 else None


def with_present_values(
    results: Sequence[CheckResult], own: Iterable[Subject]
) -> tuple[CheckResult, ...]:
    """The results, in whose repairs each change says what the file holds now."""
    values = PresentValues({file.name: file for subject in own for file in subject.files})
    return tuple(
        replace(each, findings=tuple(map(values.finding, each.findings))) for each in results
    )
