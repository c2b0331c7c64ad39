"""The manifest: what a tokenizer is, as an in-toto Statement to archive and to verify against.

`identity` and `facts` are gated, and so are weights that were hashed: when one of them differs,
that is drift.  `environment` says
with which versions the manifest was made and never counts.  A vendor's digest that moves while
`behaviour-v1` stays the same is a warning that names the version change.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokaudit.errors import UnreadableError, UsageError
from tokaudit.report.report import Report
from tokaudit.subject.material import SourceFile, Subject, read_bytes, sha256

STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "https://tokaudit.dev/manifest/v1"
WEIGHTS = {"role": "weights"}


@dataclass(frozen=True, slots=True)
class Drift:
    """One difference between a manifest and what is there now."""

    kind: str  # "identity", "facts", "weights" or "vendor"
    name: str
    was: Any
    now: Any

    @property
    def gated(self) -> bool:
        """Whether this difference counts as drift; a vendor's moved digest only warns."""
        return self.kind != "vendor"


def statement_of(report: Report, subject: Subject, *, hash_weights: bool = False) -> dict[str, Any]:
    """The in-toto Statement of an audited subject; sorted, so equal subjects give equal bytes.

    Weights are known by their headers; `hash_weights` reads them whole to name their digests too.
    """
    return {
        "_type": STATEMENT,
        "subject": [_digest(file) for file in _stated_files(report, subject, hash_weights)],
        "predicateType": PREDICATE,
        "predicate": {
            "identity": {found.name: found.digest for found in report.identity if found.digest},
            "facts": _facts(report),
            "environment": dict(report.environment),
        },
    }


def write(statement: Mapping[str, Any]) -> str:
    """The manifest as text: indented JSON with sorted keys."""
    return json.dumps(statement, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def read(path: Path) -> dict[str, Any]:
    """A manifest from a file; raises `UnreadableError`, or `UsageError` for another schema."""
    try:
        statement = json.loads(read_bytes(SourceFile(path.name, path, 0, "manifest")))
    except (ValueError, RecursionError) as error:
        raise UnreadableError(f"{path}: is not JSON: {error}") from error
    return checked(statement, str(path))


def checked(statement: Any, name: str) -> dict[str, Any]:
    """The statement, if it is a manifest of ours; `name` is what the `UsageError` calls it."""
    if not isinstance(statement, dict) or statement.get("predicateType") != PREDICATE:
        raise UsageError(f"{name}: is not a tokaudit manifest; expected predicateType {PREDICATE}")
    predicate = statement.get("predicate")
    if not isinstance(predicate, dict) or not isinstance(predicate.get("identity"), dict):
        raise UsageError(f"{name}: its predicate has no identity")
    return statement


def differences(statement: Mapping[str, Any], now: Mapping[str, Any]) -> list[Drift]:
    """Every difference between a manifest and one derived anew, gated ones first."""
    drifts: list[Drift] = []
    for kind in ("identity", "facts"):
        was, is_ = statement["predicate"].get(kind, {}), now["predicate"][kind]
        for name in sorted(set(was) | set(is_)):
            if was.get(name) != is_.get(name):
                vendor = "vendor" if "@" in name else kind
                drifts.append(Drift(vendor, name, was.get(name), is_.get(name)))
    weights, found = weight_digests(statement), weight_digests(now)
    drifts += [
        Drift("weights", name, digest, found.get(name))
        for name, digest in weights.items()
        if found.get(name) != digest
    ]
    return sorted(drifts, key=lambda drift: not drift.gated)


def weight_digests(statement: Mapping[str, Any]) -> dict[str, Any]:
    """File name -> digest of the weights that a manifest was asked to hash."""
    files = statement.get("subject")
    return {
        str(file.get("name")): file.get("digest")
        for file in (files if isinstance(files, list) else [])
        if isinstance(file, dict) and file.get("annotations") == WEIGHTS
    }


def _stated_files(report: Report, subject: Subject, hash_weights: bool) -> list[SourceFile]:
    read = {file.name for file in report.subject.files}
    return [f for f in subject.files if f.name in read and (hash_weights or f.role != "weights")]


def _digest(file: SourceFile) -> dict[str, Any]:
    described = {"name": file.name, "digest": {"sha256": sha256(file)}}
    return described | ({"annotations": WEIGHTS} if file.role == "weights" else {})


def _facts(report: Report) -> dict[str, Any]:
    """`file#pointer` -> value, so that one fact stated by two files is two entries."""
    return {f"{fact.file}#{fact.pointer}": fact.value for fact in report.subject.facts}
