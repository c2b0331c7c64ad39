"""The manifest: a tokenizer's identity as an in-toto Statement, to verify against later.

`identity` and `facts` are gated, and so are weights that were hashed: when one of them differs,
that is drift.  `environment` says with which versions the manifest was made and never counts.
The digests of the other files say which of them changed, whether or not that changes the tokenizer;
`headers` has those of what was read of files that are not read whole: weights and models.
`others` has every file of the folder that is not among these, for who verifies exactly.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tokaudit.foundation.errors import UsageError
from tokaudit.products.identity.envelope import Opened, opened
from tokaudit.products.identity.manifest_schema import refuse_invalid
from tokaudit.products.identity.signing_keys import PublicKey, public_key
from tokaudit.products.identity.strict_json import parsed
from tokaudit.products.identity.whole import Whole
from tokaudit.report.recorded import FileRecord
from tokaudit.report.report import Report
from tokaudit.report.visible import escaped_json
from tokaudit.subject.formats import all_formats
from tokaudit.subject.material import LARGEST_READ, SourceFile, Subject, read_bytes
from tokaudit.subject.sniff import INDEX_OF_WEIGHTS, is_weights

STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "https://tokaudit.dev/manifest/v1"
GIVEN = "given#"  # how the keys of facts begin that the user gave
WEIGHTS = {"role": "weights"}
STATED = ("config", "template", "weights", INDEX_OF_WEIGHTS)  # in addition to the files of formats
CHANGED = "changed while this was made"  # in the environment
LARGEST = 16 * 1024 * 1024  # bytes of a manifest; those of published tokenizers have at most 2 MB


def statement_of(
    whole: Whole,
    subject: Subject,
    *,
    hash_weights: bool = False,
    given: Mapping[str, Any] | None = None,
    more_files: Sequence[SourceFile] = (),
) -> dict[str, Any]:
    """Build the in-toto Statement of an audited subject; equal subjects give equal bytes.

    Weights are known by their headers; `hash_weights` reads them whole to name their digests too.
    `given` are facts of the user about what no file states; `more_files` is what else is there.
    """
    report = whole.report
    stated = _stated_files(report, subject, hash_weights)
    named = {file.name for file in stated}
    others = [file for file in more_files if file.name not in named]
    return {
        "_type": STATEMENT,
        "subject": [_digest(file) for file in stated],
        "predicateType": PREDICATE,
        "predicate": {
            "identity": {found.name: found.digest for found in report.identity if found.digest},
            "facts": _facts(report) | _plain(whole.facts) | _given(given or {}),
            "kept": _plain(whole.kept.to_json()),
            "headers": {file.name: _header(file) for file in report.subject.files if _part(file)},
            "others": {file.name: _other(file, hash_weights) for file in others},
            "environment": dict(report.environment) | _changed(report) | _from_a_server(report),
        },
    }


def write(statement: Mapping[str, Any]) -> str:
    """Format the manifest as indented JSON with sorted keys and no active characters."""
    return escaped_json(json.dumps(statement, ensure_ascii=False, indent=2, sort_keys=True)) + "\n"


def read(path: Path, key: PublicKey | None = None) -> dict[str, Any]:
    """Read a manifest; raise `UnreadableError`, or `UsageError` for another schema."""
    found: dict[str, Any] = read_signed(path, key).value
    return found


def read_signed(path: Path, key: PublicKey | None = None) -> Opened:
    """Read a manifest with the keys of unchecked signatures; `key` must match one if given."""
    data = read_bytes(SourceFile(path.name, path, 0, "manifest"), LARGEST)
    return checked_signed(parsed(data, str(path)), str(path), key)


def read_for_gate(path: Path, key: Path | None) -> dict[str, Any]:
    """Read a gate's manifest, and its public key's file if it is signed.

    A signed one without its key is refused: a gate that skips a signature only looks safe.
    """
    found = read_signed(path, None if key is None else public_key(key))
    if found.unchecked:
        raise UsageError(
            f"{path}: is signed; write the key 'key' too, with the file of the public key"
        )
    valid: dict[str, Any] = found.value
    return valid


def checked_signed(value: Any, name: str, key: PublicKey | None = None) -> Opened:
    """Return the content of a manifest or its envelope; `name` is its name in errors."""
    found = opened(value, name, key)
    return Opened(checked(found.value, name), found.unchecked)


def checked(statement: Any, name: str) -> dict[str, Any]:
    """Return a valid manifest; `name` is its name in the `UsageError`."""
    refuse_invalid(statement, name)
    valid: dict[str, Any] = statement
    return valid


def weight_digests(statement: Mapping[str, Any]) -> dict[str, str]:
    """Map file names to digests of weights, if the manifest has them."""
    return {name: digest for name, role, digest in _entries(statement) if role == "weights"}


def file_digests(statement: Mapping[str, Any]) -> dict[str, str]:
    """Map file names to digests of all other files."""
    return {name: digest for name, role, digest in _entries(statement) if role != "weights"}


def header_digests(statement: Mapping[str, Any]) -> dict[str, str]:
    """Map file names to digests of the part that was read of them."""
    headers = statement["predicate"].get("headers", {})
    return {name: header["sha256"] for name, header in headers.items()}


def other_files(statement: Mapping[str, Any]) -> dict[str, Any]:
    """Map file names to records of files that the tokenizer is not read from."""
    found: dict[str, Any] = statement["predicate"].get("others", {})
    return found


def without_digest(statement: Mapping[str, Any]) -> list[str]:
    """Return the files whose bytes may change unnoticed."""
    others = other_files(statement).items()
    return [name for name, known in others if not {"sha256", "is"} & known.keys()]


def changed_files(statement: Mapping[str, Any]) -> list[str]:
    """Return the files that changed while a manifest was made."""
    named = statement["predicate"].get("environment", {}).get(CHANGED, "[]")
    found: list[str] = json.loads(named)
    return found


def _changed(report: Report) -> dict[str, str]:
    names = [file.name for file in report.subject.files if file.changed]
    return {CHANGED: json.dumps(names)} if names else {}


def _from_a_server(report: Report) -> dict[str, str]:
    """Return the server's commit of a subject, and marks of the files read."""
    marks = {file.name: file.mark for file in report.subject.files if file.mark}
    commit = {"commit": report.subject.commit} if report.subject.commit else {}
    return commit | ({"marks": json.dumps(marks, sort_keys=True)} if marks else {})


def _other(file: SourceFile, hash_weights: bool) -> dict[str, Any]:
    """Record a file's size, and its digest unless it is large; or its kind."""
    if not file.regular:
        return {"is": file.role}
    if not hash_weights and (file.size > LARGEST_READ or is_weights(file.role)):
        return {"bytes": file.size}
    return {"bytes": file.size, "sha256": file.content.digest_of_all()}


def _part(file: FileRecord) -> bool:
    return 0 < file.read < file.size


def _header(file: FileRecord) -> dict[str, Any]:
    return {"bytes": file.read, "sha256": file.sha256}


def _entries(statement: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    for entry in statement["subject"]:
        role = entry.get("annotations", {}).get("role", "")
        yield entry["name"], role, entry["digest"]["sha256"]


def _stated_files(report: Report, subject: Subject, hash_weights: bool) -> list[SourceFile]:
    roles = {*STATED, *(format.name for format in all_formats())}
    read = {file.name for file in report.subject.files if file.role in roles}
    return [f for f in subject.files if f.name in read and (hash_weights or f.role != "weights")]


def _digest(file: SourceFile) -> dict[str, Any]:
    described = {"name": file.name, "digest": {"sha256": file.content.digest_of_all()}}
    return described | ({"annotations": WEIGHTS} if file.role == "weights" else {})


def _facts(report: Report) -> dict[str, Any]:
    """Map `file#pointer` to values, so that a fact in two files has two entries."""
    return {f"{fact.file}#{fact.pointer}": _plain(fact.value) for fact in report.subject.facts}


def _given(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {f"{GIVEN}{name}": _plain(value) for name, value in facts.items()}


def _plain(value: Any) -> Any:
    """Return the value with numbers that JSON lacks as text."""
    match value:
        case float() if not math.isfinite(value):
            return str(value)
        case Mapping():
            return {key: _plain(each) for key, each in value.items()}
        case list() | tuple():
            return [_plain(each) for each in value]
    return value
