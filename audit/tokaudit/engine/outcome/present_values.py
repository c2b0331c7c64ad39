"""Read the current values of files, at the places of findings and of repairs.

A check names a place and may say what it found there; what the report shows is read here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tokaudit.foundation.errors import UnreadableError
from tokaudit.report.causes.facts import spelled
from tokaudit.report.model import CheckResult, Finding, Place
from tokaudit.report.repair import Change, ChangeKind, Repair
from tokaudit.report.wording import located
from tokaudit.subject.editing.json_text import ABSENT, value_at
from tokaudit.subject.formats import all_formats
from tokaudit.subject.material import SourceFile, Subject, read_bytes
from tokaudit.subject.places.pointers import LINE
from tokaudit.subject.safe_json import parse
from tokaudit_reference.spec import SpecError

ADDED = "added_tokens"


UNKNOWN = object()
"""What cannot be read of a file: it is broken, or of a form that nothing here reads."""
Named = tuple[str, bool]  # a file, and whether it is of another subject
MOST_SHOWN = 8  # entries of a list or object that is shown whole


@dataclass
class PresentValues:
    """Files of a subject and of others, parsed once, when a finding needs them."""

    files: Mapping[Named, SourceFile]
    parsed: dict[Named, Any] = field(default_factory=dict)
    _spellings: dict[tuple[Named, str], frozenset[str]] = field(default_factory=dict)

    def at(self, file: str, pointer: str, *, outside: bool = False) -> Any:
        """Return the value at a pointer; `ABSENT` if there is none, `UNKNOWN` if unreadable."""
        key = (file, outside)
        if key not in self.parsed:
            self.parsed[key] = self._parsed(self.files.get(key))
        whole = self.parsed[key]
        if isinstance(whole, Lines):
            return whole.at(pointer)
        if whole is UNKNOWN or (not pointer and not isinstance(whole, dict)):
            return UNKNOWN
        return value_at(whole, pointer if pointer[:1] in ("", "/") else f"/{pointer}")

    def _parsed(self, file: SourceFile | None) -> Any:
        """Parse a JSON file, a binary one by its pointers, or lines of any other text."""
        if file is None or not file.regular or file.role == "weights":
            return UNKNOWN
        form = next((each for each in all_formats() if each.name == file.role), None)
        try:
            if form is not None and form.stated is not None:
                return form.stated(file)
            data = read_bytes(file)
            try:
                return parse(data, file.name)
            except UnreadableError:
                return Lines(tuple(data.decode("utf-8-sig").split("\n")))
        except (UnreadableError, SpecError, UnicodeDecodeError):
            return UNKNOWN

    def changes(self, changes: Iterable[Change]) -> Iterator[Change]:
        """Yield the effective changes, each with the value that it replaces."""
        for each in changes:
            if each.kind is ChangeKind.RUN or not each.pointer or LINE.fullmatch(each.pointer):
                yield each
                continue
            now = self.at(each.file, each.pointer)
            now = ABSENT if now is UNKNOWN else now
            if each.kind is ChangeKind.REMOVE and now is not ABSENT:
                yield replace(each, now=now)
            elif each.kind is ChangeKind.TAKE:
                yield replace(each, now=None if now is ABSENT else _short(now))
            elif each.kind in (ChangeKind.SET, ChangeKind.ADD) and now is ABSENT:
                yield replace(each, kind=ChangeKind.ADD)
            elif each.kind is ChangeKind.SET and not same(now, each.wanted):
                yield replace(each, now=now)

    def placed(self, place: Place) -> Place:
        """Return a place with the value that its file holds there, or what it lacks."""
        if (place.value is None and place.lacks is None) or place.implied_by or not place.file:
            return place
        now = self.at(place.file, place.pointer, outside=place.outside)
        if now is UNKNOWN:
            return replace(place, lacks=None)
        if place.lacks is not None:
            there = isinstance(now, dict | list) and not self._holds(place, now, place.lacks)
            return place if there else replace(place, lacks=None)
        if now is ABSENT:
            return replace(place, pointer="", value=None, lacks=place.pointer)
        if not isinstance(now, dict | list):
            json = place.pointer[:1] in ("", "/")
            return replace(place, value=now if json else _as_said(now, place.value))
        if not place.pointer or self._holds(place, now, place.value):
            return place
        if place.component != ADDED:
            return replace(place, value=now if _is_small(now) else None)
        return replace(place, value=None, lacks=place.value)

    def _holds(self, place: Place, now: dict[str, Any] | list[Any], said: Any) -> bool:
        """Return whether a list or object contains what a check said."""
        key = (place.file, place.outside), place.pointer
        if said != now and key not in self._spellings:
            self._spellings[key] = spellings(now)
        return said == now or spellings(said) <= self._spellings[key]

    def finding(self, finding: Finding) -> Finding:
        """Return a finding with current values, and without a repair that changes nothing."""
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


@dataclass(frozen=True, slots=True)
class Lines:
    """A file of lines, each with a pointer."""

    lines: tuple[str, ...]

    def at(self, pointer: str) -> Any:
        """Return the text of a line; unknown for any other pointer."""
        number = LINE.fullmatch(pointer)
        if number is None:
            return UNKNOWN
        place = int(number[1]) - 1
        return self.lines[place].rstrip("\r") if place < len(self.lines) else ABSENT


def _as_said(now: Any, said: Any) -> Any:
    """Return the file's value, or the check's if that is a part of its text or its truth.

    >>> _as_said("  {{ a }} b", "{{ a }}"), _as_said(1, True), _as_said("a b", "'b + a'")
    ('{{ a }}', True, 'a b')
    """
    if isinstance(now, str) and isinstance(said, str):
        return said if said and _plain(said) in _plain(now) and "\n" not in said else now
    if isinstance(said, bool) and type(now) is int and now == said:
        return said
    return now


def _is_small(now: dict[str, Any] | list[Any]) -> bool:
    values = now.values() if isinstance(now, dict) else now
    return len(now) <= MOST_SHOWN and not any(isinstance(each, dict | list) for each in values)


def same(one: Any, other: Any) -> bool:
    """Return whether two values are equal in JSON, where true is not 1.

    >>> same(1, True), same([1.0], [1]), same(None, None)
    (False, False, True)
    """
    return repr(one) == repr(other)


def spellings(value: Any) -> frozenset[str]:
    """Return all keys and values of an object or list, in plain spelling.

    >>> spellings(["b", 1]) <= spellings({"a": {"b": 1}})
    True
    >>> spellings("<b>") <= spellings([{"content": "<a>"}])
    False
    """
    return frozenset(map(_plain, _leaves(value)))


def _leaves(value: Any) -> Iterator[Any]:
    """Yield all nested keys and values of an object or list, or a plain value itself."""
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
    """Normalize a value's spelling: from a file, a report's quote, or a numeric key.

    >>> _plain("Ġa") == _plain("' a'"), _plain(5) == _plain("5")
    (True, True)
    """
    return spelled(str(value)).strip("'\"b").strip()


def _short(value: Any) -> Any:
    """Return a short value; a whole object is not quoted, as it may be a vocabulary."""
    return value if not isinstance(value, dict | list) or len(value) < 20 else None


def with_present_values(
    results: Sequence[CheckResult], own: Iterable[Subject], others: Iterable[Subject] = ()
) -> tuple[CheckResult, ...]:
    """Return the results, with the current value at each place and change.

    `own` and `others` are as for lines.
    """
    files = {(file.name, False): file for subject in own for file in subject.files}
    for other in others:
        files |= {(located(other.name, file.name), True): file for file in other.files}
    values = PresentValues(files)
    return tuple(
        replace(each, findings=tuple(map(values.finding, each.findings))) for each in results
    )
