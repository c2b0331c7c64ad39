"""Drift: every difference between a manifest and what is there now, and what each one means."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tokaudit.identity.statement import file_digests, weight_digests
from tokaudit.report.visible import visible

# An upstream library's digest changes with the library; only an identity can have such a name.
_LIBRARY = re.compile(r"behaviour-v[0-9]+@[^@]*-[^@]*")
_LABELS = {"library": "warning", "files": "note"}
_LONGEST_LINE = 4000  # characters; a path may have 4,096, so that one such is cut


@dataclass(frozen=True, slots=True)
class Drift:
    """One difference between a manifest and what is there now."""

    kind: str  # "identity", "facts", "weights", "library" or "files"
    name: str
    was: Any
    now: Any

    @property
    def gated(self) -> bool:
        """Whether this difference counts: an upstream library's digest and bytes alone do not."""
        return self.kind not in _LABELS

    def __str__(self) -> str:
        """The difference in one line that is safe to print."""
        label = _LABELS.get(self.kind, "drift")
        nothing = "null or absent" if self.kind == "facts" else "absent"
        was, now = (_short(each, nothing) for each in (self.was, self.now))
        line = f"{label}: {self.kind} {self.name}: was {was}, is {now}"
        return visible(line, limit=_LONGEST_LINE)


def differences(statement: Mapping[str, Any], now: Mapping[str, Any]) -> list[Drift]:
    """Every difference between a manifest and one derived anew, gated ones first."""
    was, is_ = statement["predicate"], now["predicate"]
    weights = weight_digests(statement)
    drifts = [
        *_changed("identity", was["identity"], is_["identity"]),
        *_changed("facts", was["facts"], is_["facts"]),
        *_changed("weights", weights, weight_digests(now) if weights else {}),
        *_changed("files", file_digests(statement), file_digests(now)),
    ]
    return sorted(drifts, key=lambda drift: not drift.gated)


def _changed(kind: str, was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[Drift]:
    for name in sorted(set(was) | set(now)):
        if name not in was or name not in now or not _same(was[name], now[name]):
            library = kind == "identity" and _LIBRARY.fullmatch(name)
            yield Drift("library" if library else kind, name, was.get(name), now.get(name))


def _same(was: Any, now: Any) -> bool:
    """Whether two values are the same JSON: `1`, `1.0` and `true` are three values."""
    return json.dumps(was, sort_keys=True) == json.dumps(now, sort_keys=True)


def _short(value: Any, nothing: str) -> str:
    text = nothing if value is None else json.dumps(value)
    return text if len(text) <= 90 else text[:87] + "..."
