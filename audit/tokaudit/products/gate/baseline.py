"""The baseline: findings and figures of each subject on the day of recording."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from tokaudit.foundation.errors import UnreadableError, UsageError
from tokaudit.foundation.installed_version import own_version
from tokaudit.foundation.json_bytes import json_bytes
from tokaudit.foundation.paths import is_there
from tokaudit.foundation.typed_values import read_json
from tokaudit.products.gate.differences.snapshot import Snapshot, of_finding, worse
from tokaudit.products.gate.suppressions import with_suppressed
from tokaudit.report.model import CheckResult, Suppressed, SuppressedBy
from tokaudit.report.saving import save
from tokaudit.report.visible import escaped_json
from tokaudit.subject.material import SourceFile, read_bytes

SCHEMA = "tokaudit.baseline/1"
LARGEST = 64 * 1024 * 1024  # bytes of a baseline


@dataclass(frozen=True)
class Baseline:
    """A snapshot for each subject, by its name in the configuration."""

    subjects: Mapping[str, Snapshot] = field(default_factory=dict)
    tokaudit: str = ""
    schema: str = SCHEMA


def read_baseline(path: Path) -> Baseline:
    """Read the baseline in a file; raise `UnreadableError` if it is not one."""
    if not is_there(path):
        raise UnreadableError(
            f"{path}: this baseline does not exist; to record one, run: tokaudit gate "
            "--update-baseline"
        )
    data = read_bytes(SourceFile(path.name, path, 0, "baseline"), LARGEST)
    try:
        found = read_json(data, Baseline)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise UnreadableError(f"{path}: is not a baseline of tokaudit gate: {error}") from error
    if found.schema != SCHEMA:
        raise UsageError(
            f"{path}: states the schema {found.schema!r}, but this version of tokaudit reads "
            f"{SCHEMA!r}"
        )
    return found


def write_baseline(path: Path, subjects: Mapping[str, Snapshot]) -> Baseline:
    """Record snapshots, whole or not at all; equal ones give equal bytes."""
    made = Baseline(dict(subjects), own_version())
    plain = msgspec.to_builtins(made, str_keys=True, order="deterministic")
    encoded = json_bytes(plain, order="deterministic")
    save(path, escaped_json(msgspec.json.format(encoded, indent=1).decode()) + "\n")
    return made


def without_known(
    results: Iterable[CheckResult], now: Snapshot, was: Snapshot, named: str
) -> tuple[CheckResult, ...]:
    """Suppress findings that the baseline has, unless they are worse now."""
    before = {each.key: each for each in was.findings}
    still = {
        each.key
        for each in now.findings
        if each.key in before and not worse(before[each.key], each)
    }
    return tuple(_without(result, still, named) for result in results)


def _without(result: CheckResult, known: set[tuple[str, str]], named: str) -> CheckResult:
    held = [f for f in result.findings if of_finding(f, result.part).key in known]
    if not held:
        return result
    kept = [f for f in result.findings if of_finding(f, result.part).key not in known]
    reason = f"recorded in {named}"
    return with_suppressed(
        result, kept, [Suppressed(each, reason, SuppressedBy.BASELINE) for each in held]
    )
