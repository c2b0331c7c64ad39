"""Explain a drift: changed steps, and the first text whose ids changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tokaudit.engine.evidence import TokenRow, two_rows
from tokaudit.products.compare.stated_changes import differences
from tokaudit.products.identity.hashes import STAGES
from tokaudit.products.identity.kept import probe_texts
from tokaudit.report.model import Evidence
from tokaudit_reference.batching.padding import limited
from tokaudit_reference.errors import Unsupported

Manifest = Mapping[str, Any]
WAS, NOW = "manifest", "now"
BATCHES = ("truncation", "padding")


def first_text(was: Manifest, now: Manifest) -> Evidence | None:
    """Return the shortest probe whose ids changed, with both token rows, or None."""
    before, after = _kept(was), _kept(now)
    if not (isinstance(before.get("probes"), list) and isinstance(after.get("probes"), list)):
        return None
    rows = zip(probe_texts(), before["probes"], after["probes"], strict=False)
    changed = [row for row in rows if row[1] != row[2] and _ids(row[1:]) is not None]
    if not changed:
        return None
    text, one, other = min(changed, key=lambda row: (len(row[0]), row[0]))
    left, right = _ids((one, other)) or ((), ())
    return two_rows(
        text,
        TokenRow(WAS, left, _pieces(before)),
        TokenRow(NOW, right, _pieces(after)),
        "run by the reference",
    )


def first_text_of_batch(was: Manifest, now: Manifest) -> Evidence | None:
    """Return the shortest probe whose ids truncation or padding changes, or None.

    What the rest of the tokenizer changed is left out: both rows begin with the ids of now.
    """
    before, after = _kept(was), _kept(now)
    rows = after.get("probes")
    settings = [_settings(each) for each in (before, after)]
    for text, row in sorted(
        zip(probe_texts(), rows if isinstance(rows, list) else (), strict=False),
        key=lambda each: (not each[0], len(each[0]), each[0]),
    ):
        ids = _ids((row, row))
        if ids is None:
            continue
        try:
            left, right = (limited(ids[0], *each.values()) for each in settings)
        except Unsupported:
            continue
        if left != right:
            return two_rows(
                text,
                TokenRow(WAS, left, _pieces(after) | _pieces(before)),
                TokenRow(NOW, right, _pieces(after)),
                "run by the reference, truncated and padded as the files state",
            )
    return None


def _settings(kept: Mapping[str, Any]) -> dict[str, Mapping[str, Any] | None]:
    """Return truncation and padding in a manifest, which may be malformed."""
    batch = kept.get("batch")
    found = {name: batch.get(name) if isinstance(batch, Mapping) else None for name in BATCHES}
    return {name: each if isinstance(each, Mapping) else None for name, each in found.items()}


@dataclass(frozen=True, slots=True)
class ProbeChange:
    """Number of probes with other ids, and bytes per token before and after."""

    texts: int
    changed: int
    bytes_per_token: tuple[float, float] | None = None


def probe_change(was: Manifest, now: Manifest) -> ProbeChange | None:
    """Compare the probes with ids on both sides; None if there are none."""
    before, after = _kept(was).get("probes"), _kept(now).get("probes")
    if not (isinstance(before, list) and isinstance(after, list)):
        return None
    rows = zip(probe_texts(), before, after, strict=False)
    both = [(text, ids) for text, *row in rows if (ids := _ids((row[0], row[1]))) is not None]
    size = sum(len(text.encode("utf-8", "surrogatepass")) for text, _ in both)
    tokens = [sum(len(ids[side]) for _, ids in both) for side in (0, 1)]
    figures = (size / tokens[0], size / tokens[1]) if all(tokens) else None
    return ProbeChange(len(both), sum(ids[0] != ids[1] for _, ids in both), figures)


def step_changes(was: Manifest, now: Manifest) -> Iterator[tuple[str, str]]:
    """Yield the stages with changed options, each with one change."""
    before, after = _kept(was).get("steps"), _kept(now).get("steps")
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for stage in STAGES:
            for change in differences(before.get(stage), after.get(stage)):
                yield stage, change


def batch_changes(was: Manifest, now: Manifest) -> Iterator[str]:
    """Yield the changes of stored truncation and padding, place by place."""
    before, after = (_settings(_kept(each)) for each in (was, now))
    yield from differences(before, after)


def _kept(statement: Manifest) -> Mapping[str, Any]:
    found = statement["predicate"].get("kept")
    return found if isinstance(found, Mapping) else {}


def _pieces(kept: Mapping[str, Any]) -> dict[int, str]:
    """Return the named pieces of a manifest, which may be malformed."""
    found = kept.get("pieces")
    pairs = found.items() if isinstance(found, Mapping) else ()
    return {int(id): str(piece) for id, piece in pairs if id.isdecimal() and len(id) < 10}


def _ids(rows: tuple[Any, Any]) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Return the ids of both rows; None if one is missing or malformed."""
    found = []
    for row in rows:
        parts = row.split(" ") if isinstance(row, str) and row else []
        if row is None or not all(part.isdecimal() and len(part) < 10 for part in parts):
            return None
        found.append(tuple(map(int, parts)))
    return found[0], found[1]
