"""Fills in what the files hold now: at the places of findings, and where a repair changes them.

A check names a place and may say what it found there; what the report shows is read here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tokaudit.foundation.errors import UnreadableError
from tokaudit.report.causes.mentions import spelled
from tokaudit.report.model import CheckResult, Finding, Place
from tokaudit.report.repair import Change, ChangeKind, Repair
from tokaudit.subject.editing.json_text import ABSENT, value_at
from tokaudit.subject.material import SourceFile, Subject, read_bytes
from tokaudit.subject.places.pointers import LINE
from tokaudit.subject.safe_json import parse

ADDED = "added_tokens"


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

    def placed(self, place: Place) -> Place:
        """A place with the value that its file holds there, or with what the file lacks."""
        if not place.pointer.startswith("/") or place.value is None:
            return place
        now = self.at(place.file, place.pointer)
        if now is ABSENT:
            return place
        if not isinstance(now, dict | list):
            return replace(place, value=now)
        if holds(now, place.value):
            return place
        lacks = place.value if place.component == ADDED else None
        return replace(place, value=None, lacks=lacks)

    def finding(self, finding: Finding) -> Finding:
        """A finding whose places and repair say what is there; no repair that changes nothing."""
        finding = replace(finding, places=tuple(map(self.placed, finding.places)))
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


def holds(now: dict[str, Any] | list[Any], said: Any) -> bool:
    """Whether all that a check said of a list or an object is in it, however it is spelled.

    >>> holds({"a": {"b": 1}}, ["b", 1]), holds([{"content": "<a>"}], "<b>")
    (True, False)
    """
    inside = {_plain(each) for each in _leaves(now)}
    return said == now or all(_plain(each) in inside for each in _leaves(said))


def _leaves(value: Any) -> Iterator[Any]:
    """The keys and values of an object or list, those inside others too; a value is its own."""
    waiting = [value]
    while waiting:
        match waiting.pop():
            case dict() as found:
                yield from found
                waiting += found.values()
            case list() | tuple() as found:
                waiting += found
            case found:
                yield found


def _plain(value: Any) -> str:
    """A value in one spelling, whether a file writes it, a report quotes it or a key is a number.

    >>> _plain("Ġa") == _plain("' a'"), _plain(5) == _plain("5")
    (True, True)
    """
    return spelled(str(value)).strip("'\"b").strip()


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
