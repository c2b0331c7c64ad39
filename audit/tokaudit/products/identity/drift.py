"""Differences between a manifest and the current tokenizer, with their meaning."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tokaudit.products.identity.explaining import (
    batch_changes,
    first_text,
    first_text_of_batch,
    step_changes,
)
from tokaudit.products.identity.short_id import BATCH_PART, OF_PARTS, PARTS
from tokaudit.products.identity.statement import (
    changed_files,
    file_digests,
    header_digests,
    other_files,
    weight_digests,
)
from tokaudit.report.model import Evidence
from tokaudit.report.report import Report
from tokaudit.report.visible import visible

# An upstream library's digest changes with the library; only an identity can have such a name.
_LIBRARY = re.compile(r"behaviour-v[0-9]+@[^@]*-[^@]*")
_LABELS = {
    "library": "warning",
    "files": "note",
    "written": "note",
    "not given": "note",
    "headers": "note",
    "changed": "note",
    "unchecked": "note",  # the signature of a key that was not given
}
FILE = "file"  # a difference in bytes, where every one counts
OF_BYTES = ("files", "headers", "changed")
# How a component is written, and what proves that it acts the same however it is written.
_PROVED_BY = {
    "merges-listed-v1": "merges-canonical-v1",
    "merges-effective-v1": "merges-canonical-v1",
    "model_settings-v1": "model-canonical-v1",
    "product_ranks-v1": "model-canonical-v1",
    "pre_tokenizer-v1": "pre_tokenizer-canonical-v1",
}
_STATED_BY = {part.replace(" ", "_"): names for part, names in PARTS.items()}
_IN_THE_ID = (*_PROVED_BY, "added_tokens-v1", "normalizer-v1", "decoder-v1")
_ID = "id-v1"
_BATCH = f"{OF_PARTS}{BATCH_PART.replace(' ', '_')}-"
_LONGEST_LINE = 4000  # characters; a path may have 4,096, so that one such is cut


@dataclass(frozen=True, slots=True, repr=False)
class Drift:
    """One difference between a manifest and the current tokenizer."""

    kind: str  # "identity", "facts", "weights", "file", or a key of `_LABELS`
    name: str
    was: Any
    now: Any
    changes: tuple[str, ...] = ()  # of the options that files state, place by place
    evidence: Evidence | None = None  # the first text whose ids changed

    def __repr__(self) -> str:
        """Return the difference in one line."""
        return f"<Drift {str(self)[:200]}>"

    @property
    def gated(self) -> bool:
        """Return whether the difference counts: changed bytes or library digests alone do not."""
        return self.kind not in _LABELS

    def __str__(self) -> str:
        """Format the difference as one line that is safe to print."""
        label = _LABELS.get(self.kind, "drift")
        if self.kind == "changed" or (self.was is self.now is None and self.kind == FILE):
            said = "was exchanged or written to meanwhile; compared is what was read first"
            return visible(f"{label}: {self.name} {said}", limit=_LONGEST_LINE)
        if self.kind == "unchecked":
            said = f"signature of {self.name or 'an unnamed key'}: was not checked; give the key"
            return visible(f"{label}: {said}", limit=_LONGEST_LINE)
        nothing = "null or absent" if self.kind == "facts" else "absent"
        was, now = (_short(each, nothing) for each in (self.was, self.now))
        kind = "identity" if self.kind == "written" else self.kind
        proved = "; written differently, proved the same" if self.kind == "written" else ""
        line = f"{label}: {kind} {self.name}: was {was}, is {now}{proved}"
        return visible(line, limit=_LONGEST_LINE)


class Drifts(list[Drift]):
    """All differences, gated ones first; `ok` if none of them counts.

    `comparison` is the report of what the manifest was made from and the subject, facet by facet,
    where the former was given and a difference counts.  `other_table` names the table of Unicode
    that the manifest was made with, where it is not ours: what depends on it cannot be compared.
    """

    comparison: Report | None = None
    other_table: str = ""

    @property
    def gated(self) -> list[Drift]:
        """Return the differences that count."""
        return [each for each in self if each.gated]

    @property
    def ok(self) -> bool:
        """Return whether the subject still matches the manifest."""
        return not self.gated

    def __repr__(self) -> str:
        """Return whether it is ok, and the first difference that counts."""
        first = f": {self.gated[0]}" if self.gated else ""
        state = "ok" if self.ok else f"{len(self.gated)} drifted"
        return f"<Drifts {state}{first[:200]}>"


UNICODE = "unicode-"  # in the name of an identity, before the name of the table


def other_table(statement: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """Return the manifest's Unicode table, if it differs from the current one."""
    was, is_ = (_tables(each["predicate"]["identity"]) for each in (statement, now))
    return next(iter(sorted(was - is_)), "") if is_ else ""


def _tables(names: Iterable[str]) -> set[str]:
    under = (name.partition("@")[2] for name in names)
    return {each.removeprefix(UNICODE) for each in under if each.startswith(UNICODE)}


def differences(
    statement: Mapping[str, Any], now: Mapping[str, Any], *, exact: bool = False
) -> list[Drift]:
    """Return every difference between a manifest and a fresh one, gated ones first.

    With `exact` a file that changed, was added or is gone counts whatever it holds.
    """
    was, is_ = statement["predicate"], now["predicate"]
    weights, headers = weight_digests(statement), header_digests(statement)
    changes: dict[str, list[str]] = {}
    for stage, change in step_changes(statement, now):
        changes.setdefault(f"{stage}-v1", []).append(change)
    shown = first_text(statement, now)
    drifts = [
        *(
            _of_batch(drift, statement, now)
            if drift.name.startswith(_BATCH)
            else replace(
                drift,
                changes=tuple(changes.get(drift.name, ())),
                evidence=shown if drift.name == "behaviour-v1" else None,
            )
            for drift in drifts_of_identity(was["identity"], is_["identity"])
        ),
        *_facts(was["facts"], is_["facts"]),
        *_changed("weights", weights, weight_digests(now) if weights else {}),
        *_changed("files", file_digests(statement), file_digests(now)),
        *_changed("headers", headers, header_digests(now) if headers else {}),
        *(Drift("changed", name, None, None) for name in changed_files(now)),
    ]
    if exact:
        drifts = [_counted(drift) for drift in drifts if drift.kind != "weights"]
        drifts += _changed(FILE, _unread(statement), _unread(now))
    return sorted(drifts, key=lambda drift: not drift.gated)


def _of_batch(drift: Drift, was: Mapping[str, Any], now: Mapping[str, Any]) -> Drift:
    """Add the changes, and a text that shows them, to a drift of truncation and padding."""
    changes = tuple(batch_changes(was, now))
    return replace(drift, changes=changes, evidence=first_text_of_batch(was, now))


def _counted(drift: Drift) -> Drift:
    """Make a change of a file's bytes count."""
    return replace(drift, kind=FILE) if drift.kind in OF_BYTES else drift


def _unread(statement: Mapping[str, Any]) -> dict[str, Any]:
    """Return the weights, and files that the tokenizer is not read from."""
    return {**weight_digests(statement), **other_files(statement)}


def drifts_of_identity(was: Mapping[str, Any], now: Mapping[str, Any]) -> list[Drift]:
    """Return the changed identities, and the short id if nothing else explains its change."""
    stated = [*_of_components(was, now)]
    told = {each.name for each in stated if each.gated}
    found = [*stated, *_parts_of_the_id(was, now, told)]
    if any(each.gated for each in found):
        return found
    moved = (each for each in _changed("identity", was, now) if each.name.startswith(f"{_ID}@"))
    return [*found, *(each for each in moved if None not in (each.was, each.now))]


def _parts_of_the_id(
    was: Mapping[str, Any], now: Mapping[str, Any], told: set[str]
) -> Iterator[Drift]:
    """Yield the changed parts of the short id, unless a component explains them."""
    for drift in _changed("identity", was, now):
        part, _, _ = drift.name.removeprefix(OF_PARTS).partition("-v1@")
        known = drift.name.startswith(OF_PARTS) and None not in (drift.was, drift.now)
        if known and told.isdisjoint(_STATED_BY.get(part, ())):
            yield drift


def _of_components(was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[Drift]:
    """Yield the changed components; an equal canonical form means only rewritten."""
    same = {name.partition("@")[0] for name in was if name in now and was[name] == now[name]}
    for drift in _changed("identity", was, now):
        name, _, under = drift.name.partition("@")
        if name.startswith(OF_PARTS):
            continue  # a manifest of an earlier version has none
        proved = _PROVED_BY.get(name) in same or (_ID in same and name in _IN_THE_ID)
        other_tables = under.startswith(UNICODE) and None in (drift.was, drift.now)
        summary = name == _ID  # of components that are compared by themselves
        if proved or ((summary or other_tables) and drift.kind == "identity"):
            kind = "written" if proved else "library"
            if summary and not other_tables:
                continue
            yield replace(drift, kind=kind)
        else:
            yield drift


def _facts(was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[Drift]:
    """Yield the changed facts; a user's fact counts if it is given again."""
    for drift in _changed("facts", was, now):
        given = drift.name.startswith("given#") and None in (drift.was, drift.now)
        yield replace(drift, kind="not given") if given else drift


def _changed(kind: str, was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[Drift]:
    for name in sorted(set(was) | set(now)):
        if name not in was or name not in now or not _same(was[name], now[name]):
            library = kind == "identity" and _LIBRARY.fullmatch(name)
            yield Drift("library" if library else kind, name, was.get(name), now.get(name))


def _same(was: Any, now: Any) -> bool:
    """Return whether two values are equal JSON: `1`, `1.0` and `true` differ."""
    return json.dumps(was, sort_keys=True) == json.dumps(now, sort_keys=True)


def _short(value: Any, nothing: str) -> str:
    text = nothing if value is None else json.dumps(value)
    return text if len(text) <= 90 else text[:87] + "..."
