"""Findings of a gate on drifts from a manifest, with digests as evidence.

A component whose digest changed is one cause.  What follows from any change, such as the ids of the
probes, is a finding of its own that the cause explains (`tokaudit.report.causes`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from tokaudit.products.identity.drift import Drift, differences
from tokaudit.products.identity.explaining import probe_change
from tokaudit.report.model import Evidence, Finding, Place, Severity
from tokaudit.subject.safe_json import pointer

MANIFEST = "gate/manifest"
# The component that an identity is of, by the start of its name; else that start itself.
COMPONENT_OF = {"product_ranks": "merges", "model_settings": "model"}
STEM = re.compile(r"[a-z_]+")
ORDER = ("vocab", "merges", "model", "added_tokens")  # then the others, and what the ids show
OF_VOCABULARY = "tokaudit#vocabulary/"  # facts that the vocabulary comes to
LAST = ("behaviour", "id")


def drift_findings(
    path: str, manifest: str, was: Mapping[str, Any], now: Mapping[str, Any]
) -> Iterator[Finding]:
    """Yield a finding for each difference, in order of repair; the first has the evidence."""
    drifts = sorted(differences(was, now), key=lambda drift: (not drift.gated, _rank(drift)))
    shown = next((drift.evidence for drift in drifts if drift.evidence), None)
    figures = _figures(was, now)
    for at, drift in enumerate(drifts):
        first = at == 0 and drift.kind == "identity"
        evidence = shown if first else drift.evidence
        found = _finding(path, manifest, replace(drift, evidence=evidence))
        yield replace(found, message=f"{found.message}{figures}") if first else found


def _rank(drift: Drift) -> tuple[int, int]:
    component = _component(drift)
    kind = 0 if drift.kind == "identity" else 1
    if component in LAST:
        return kind, len(ORDER) + 1
    return kind, ORDER.index(component) if component in ORDER else len(ORDER)


def _component(drift: Drift) -> str:
    found = STEM.match(drift.name)
    stem = found[0] if found else drift.name
    return COMPONENT_OF.get(stem, stem)


def _finding(path: str, manifest: str, drift: Drift) -> Finding:
    return Finding(
        _severity(drift),
        "; ".join((_message(manifest, drift), *drift.changes)),
        (_place(manifest, drift),),
        tuple(_evidence(drift)),
        f"Restore what {manifest} was made from; where the change is meant, accept all that "
        f'changed at once: tokaudit gate --accept "why it changed"'
        if drift.gated
        else "",
        cause=f"{drift.kind} {drift.name}",
        check=MANIFEST,
    )


def _severity(drift: Drift) -> Severity:
    if drift.gated:
        return Severity.ERROR
    return Severity.WARNING if drift.kind == "library" else Severity.INFO


def _message(manifest: str, drift: Drift) -> str:
    """Describe a difference, without digests, which mean nothing to people."""
    if not _has_digests(drift):
        return str(drift).removeprefix("drift: ")
    if drift.kind == "written":
        return f"{drift.name}: written differently from {manifest}, proved the same"
    if drift.kind in ("identity", "library"):
        about = _component(drift).replace("_", " ")
        return f"{about} changed: {drift.name} is not as {manifest} states"
    return f"{drift.name}: other bytes than {manifest} states"


def _place(manifest: str, drift: Drift) -> Place:
    """Return the component with its place in the manifest; for a file drift, the file."""
    if drift.kind in ("identity", "library", "written"):
        stated = f"/predicate/identity/{drift.name}" if drift.was is not None else ""
        return Place(_component(drift), manifest, stated, outside=True)
    if drift.kind == "facts" and drift.name.startswith(OF_VOCABULARY):
        stated = pointer("predicate", "facts", drift.name)
        return Place("vocab", manifest, stated, outside=True)
    return Place(drift.name, drift.name.partition("#")[0])


def _has_digests(drift: Drift) -> bool:
    return any(_is_digest(value) for value in (drift.was, drift.now))


def _is_digest(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(r"(sha256:)?[0-9a-f]{64}", value) is not None


def _evidence(drift: Drift) -> Iterator[Evidence]:
    if drift.evidence is not None:
        yield drift.evidence
    if _has_digests(drift):
        facts = {f"{drift.name}, was": drift.was, f"{drift.name}, is": drift.now}
        yield Evidence("facts", facts=facts)


def _figures(was: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """Count the probes with other ids, and their cost; empty if there are none."""
    found = probe_change(was, now)
    if found is None or not found.changed:
        return ""
    said = f"; {found.changed:,} of {found.texts:,} probe texts get different ids"
    if found.bytes_per_token is None:
        return said
    before, after = (f"{each:.3f}" for each in found.bytes_per_token)
    figure = f"stay {after}" if before == after else f"go from {before} to {after}"
    return f"{said}, bytes per token {figure}"
