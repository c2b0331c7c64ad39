"""Each way to break a checkpoint is reported by the check that names its cause, with evidence."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from types import ModuleType

import pytest
from audits_in_a_row import audit_in_a_row
from shown import shows

from tokaudit.foundation.errors import NotApplicable, Skip
from tokaudit.report.model import Finding, Severity
from tokaudit_faults.folders.checkpoint import AGAINST_BASE, ALONE
from tokaudit_folders.sick import healthy, only_tokenizer_json

pytestmark = pytest.mark.usefixtures("processes")

CAUSE = re.compile(r"[a-zA-Z_' :,-]{0,80}")  # words of the check: no figure, no file and no token
Ask = Callable[..., list[object]]
Command = Callable[..., "CompletedProcess[str]"]


def findings(ask: Ask, id: str, folder: Path, base: Path | None = None) -> list[Finding]:
    try:
        output = ask(id, folder, base)
    except (NotApplicable, Skip):
        return []
    found = [item for item in output if isinstance(item, Finding)]
    return [finding for finding in found if finding.severity is not Severity.INFO]


def test_none_of_these_checks_reports_anything_of_the_healthy_folder(
    folder: Path, ask: Ask
) -> None:
    checks = {check for fault in ALONE.values() for check in fault.checks}
    assert {id: found for id in sorted(checks) if (found := findings(ask, id, folder))} == {}


def test_none_of_these_checks_reports_a_change_where_there_is_none(
    folder: Path, sick: ModuleType, ask: Ask, tmp_path: Path
) -> None:
    base = sick.healthy(tmp_path / "base")
    sick.only_tokenizer_json(base)
    checks = {check for fault in AGAINST_BASE.values() for check in fault.checks}
    assert {id: found for id in sorted(checks) if (found := findings(ask, id, folder, base))} == {}


def test_the_check_that_names_the_cause_reports_it(operator: str, folder: Path, ask: Ask) -> None:
    fault = ALONE[operator]
    fault.change(folder)
    found = findings(ask, fault.checks[0], folder)
    shown = {f.message: f.severity for f in found}
    assert [s for message, s in shown.items() if fault.shows in message] == [fault.severity]
    assert all(CAUSE.fullmatch(f.cause) for f in found)
    assert all(map(shows, found))


def test_a_change_since_the_base_is_an_error_that_names_it(
    drift: str, folder: Path, sick: ModuleType, ask: Ask, tmp_path: Path
) -> None:
    fault, base = AGAINST_BASE[drift], sick.healthy(tmp_path / "base")
    sick.only_tokenizer_json(base)
    fault.change(folder)
    shown = {f.message: f.severity for f in findings(ask, fault.checks[0], folder, base)}
    assert [s for message, s in shown.items() if fault.shows in message] == [Severity.ERROR]


WITHOUT_IT = {
    "swap_ids": ["vocab/id-order"],
    "delete_a_merge": ["merges/missing"],
    "reorder_a_merge": ["merges/order"],
}
"""What the order of one file shows without a base too, as a warning: only a base decides."""


def test_a_change_since_the_base_is_a_warning_at_most_without_it(drift: str, folder: Path) -> None:
    AGAINST_BASE[drift].change(folder)
    report = audit_in_a_row(folder, ignore=("fertility", "throughput"))
    found = {severity: [] for severity in Severity}
    for finding in (finding for result in report.results for finding in result.findings):
        found[finding.severity].append(finding.check)
    assert found[Severity.ERROR] == []
    assert set(WITHOUT_IT.get(drift, [])) <= set(found[Severity.WARNING])


DRIFT = {
    "swap_ids": "vocab-v1",
    "delete_a_merge": "merges-listed-v1",
    "reorder_a_merge": "merges-listed-v1",
    "strip_before_a_marker": "added_tokens-v1",
    "strip_after_a_marker": "added_tokens-v1",
    "lower_the_case": "normalizer-v1",
    "remove_an_added_token": "added_tokens-v1",
}


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory, tokaudit_in_fork: Command) -> Path:
    """The manifest of the healthy folder, in which verify finds no drift."""
    place = tmp_path_factory.mktemp("recorded")
    folder, manifest = healthy(place / "model"), place / "manifest.json"
    only_tokenizer_json(folder)
    assert tokaudit_in_fork("manifest", folder, "--out", manifest).returncode == 0
    assert tokaudit_in_fork("verify", folder, manifest).returncode == 0
    return manifest


def test_a_manifest_shows_which_component_changed(
    drift: str, folder: Path, sick: ModuleType, tokaudit_in_fork: Command, recorded: Path
) -> None:
    sick.only_tokenizer_json(folder)
    AGAINST_BASE[drift].change(folder)
    verified = tokaudit_in_fork("verify", folder, recorded)
    assert (verified.returncode, DRIFT[drift] in verified.stdout) == (1, True)


def test_weights_that_were_hashed_are_held_to_their_digest(
    folder: Path, sick: ModuleType, tokaudit_in_fork: Command, tmp_path: Path
) -> None:
    manifest, weights = tmp_path / "manifest.json", folder / "model.safetensors"
    tokaudit_in_fork("manifest", folder, "--hash-weights", "--out", manifest)
    assert tokaudit_in_fork("verify", folder, manifest).returncode == 0
    weights.write_bytes(weights.read_bytes()[:-1] + b"\x01")
    verified = tokaudit_in_fork("verify", folder, manifest)
    assert verified.returncode == 1 and "weights model.safetensors" in verified.stdout


def test_weights_that_were_not_hashed_are_known_by_their_header_alone(
    folder: Path, tokaudit_in_fork: Command, tmp_path: Path
) -> None:
    manifest, weights = tmp_path / "manifest.json", folder / "model.safetensors"
    tokaudit_in_fork("manifest", folder, "--out", manifest)
    weights.write_bytes(weights.read_bytes()[:-1] + b"\x01")
    assert tokaudit_in_fork("verify", folder, manifest).returncode == 0
