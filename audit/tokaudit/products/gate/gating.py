"""`tokaudit.gate`: check everything that a configuration requires of its subjects."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokaudit.engine.outcome.verdict import exit_code
from tokaudit.engine.output_places import refuse_inputs
from tokaudit.engine.settings.keywords import keywords
from tokaudit.engine.shared import Shared
from tokaudit.foundation.errors import UnreadableError, UsageError
from tokaudit.foundation.settings.places import path_of
from tokaudit.products.audit.one_audit import OnResult, Request
from tokaudit.products.audit.unread import unread_report
from tokaudit.products.gate.accepting import accepted, refuse_unacceptable
from tokaudit.products.gate.baseline import Baseline, read_baseline, write_baseline
from tokaudit.products.gate.configuration import Configuration
from tokaudit.products.gate.judging import (
    Judged,
    Tally,
    about_suppressions,
    judged,
    reported,
    snapshot_of,
)
from tokaudit.products.gate.one_report import one_report
from tokaudit.products.gate.one_subject import SUBJECT, Examined, examined, request_for
from tokaudit.products.gate.settings import GateCall
from tokaudit.products.gate.sources import configuration
from tokaudit.products.gate.subjects import AskedSubject
from tokaudit.products.identity import statement
from tokaudit.report.model import CheckResult, Status
from tokaudit.report.report import Report
from tokaudit.report.saving import refuse_unwritable


@dataclass(frozen=True, repr=False)
class GatedSubject:
    """One subject of a gate: its name in the configuration and its report."""

    name: str
    report: Report
    unreadable: bool = False

    def __repr__(self) -> str:
        """Return the name and the verdict."""
        return f"<GatedSubject {self.name!r}: {self.report.verdict}>"


@dataclass(frozen=True, repr=False)
class Gate:
    """Result of a gate; `report` covers all its subjects together."""

    file: str
    subjects: tuple[GatedSubject, ...]
    report: Report
    fail_on: str
    recorded: bool = False  # whether a baseline was

    def __repr__(self) -> str:
        """Return the configuration, and the result."""
        return f"<Gate {self.file!r}: exit code {self.exit_code}, {len(self.subjects)} subjects>"

    @property
    def ok(self) -> bool:
        """Return whether the command's exit code would be 0."""
        return self.exit_code == 0

    @property
    def exit_code(self) -> int:
        """Return 3 for an unread subject, 4 for a crash, 1 for findings, 3 if unverifiable, 0."""
        if any(each.unreadable for each in self.subjects):
            return UnreadableError.exit_code
        codes = {exit_code(each.report, self.fail_on) for each in self.subjects}
        return next((code for code in (4, 1, 3) if code in codes), 0)


@keywords(GateCall)
def gate(asked: GateCall) -> Gate:
    """Audit, verify and compare every subject of a configuration, and judge them together.

    `config` names the file; without one it is `tokaudit.toml` of the `folder`, or `[tool.tokaudit]`
    of its `pyproject.toml`.  `update_baseline` records today's findings and figures, which then do
    not count.  `accept` is the reason of a meant change: every manifest that does not hold, or is
    not there yet, is written anew with it, and so is the baseline.  Suppressions end by `today`, in
    universal time.  `on_read` is called with what was read before anything is audited; what it
    raises ends the gate, as where an output would replace an input.  Raises `UsageError` for a
    wrong configuration before any work, and `UnreadableError` for a manifest or baseline that
    cannot be read; a subject that cannot be read is part of the result.
    """
    configured = configuration(asked.config, path_of("folder", asked.folder))
    if asked.on_read is not None:
        asked.on_read(configured)
    return _carried_out(configured, asked)


def _carried_out(configured: Configuration, asked: GateCall) -> Gate:
    """Run the gate of a configuration."""
    accept, day = asked.accept, asked.day
    accepting = accept is not None
    if accept is not None:
        refuse_unacceptable(configured, accept)
    update = asked.update_baseline or (accepting and configured.baseline is not None)
    baseline = _baseline(configured, update)
    prepared = [
        (each, request_for(each, configured), _manifest(each, accepting))
        for each in configured.subjects
    ]
    shared = Shared() if len(prepared) > 1 else None
    found = [_examined(*each, asked.on_result, accepting, shared) for each in prepared]
    decided = _all_decided(found)
    if accept is not None and decided:
        found = accepted(found, accept, day)
    record = update and decided
    if record:
        baseline = _recorded(configured, [each for each, _ in found])
    tally = Tally()
    all_judged = [judged(each, configured, baseline, tally, day) for each, _ in found]
    more = about_suppressions(configured, all_judged, tally)
    subjects = tuple(
        GatedSubject(one.examined.asked.name, _report(one, configured, more), failed)
        for one, (_, failed) in zip(all_judged, found, strict=True)
    )
    whole = one_report([each.report for each in subjects])
    return Gate(configured.file, subjects, whole, configured.fail_on, record)


def _report(one: Judged, configured: Configuration, more: dict[str, CheckResult]) -> Report:
    mine = more.get(one.examined.asked.name)
    return reported(one, configured, () if mine is None else (mine,))


def _baseline(configured: Configuration, update: bool) -> Baseline | None:
    """Read the baseline to compare findings with; None while it is being recorded."""
    if configured.baseline is None:
        if update:
            wanted = 'write baseline = "tokaudit-baseline.json"'
            raise UsageError(f"{configured.file}: baseline: is missing; {wanted}")
        return None
    if update:
        refuse_unwritable(Path(configured.baseline))
        refuse_inputs([Path(configured.baseline)], [configured.file, *configured.compared()])
        return None
    return read_baseline(Path(configured.baseline))


def _manifest(asked: AskedSubject, accepting: bool) -> dict[str, Any] | None:
    """Read the manifest of a subject; when accepting, it may be missing."""
    if asked.manifest is None:
        return None
    if not os.path.lexists(asked.manifest):
        if accepting:
            return None
        raise UnreadableError(
            f"{asked.manifest}: this manifest does not exist; to write it, run: "
            'tokaudit gate --accept "first record"'
        )
    key = None if asked.key is None else Path(asked.key)
    return statement.read_for_gate(Path(asked.manifest), key)


def _examined(
    asked: AskedSubject,
    request: Request,
    was: dict[str, Any] | None,
    on_result: OnResult | None,
    accepting: bool,
    shared: Shared | None,
) -> tuple[Examined, bool]:
    """Examine a subject, and return whether it could not be read."""
    try:
        return examined(asked, request, was, on_result, accepting, shared), False
    except UnreadableError as error:
        return Examined(asked, unread_report(asked.path, str(error), SUBJECT)), True


def _all_decided(found: Sequence[tuple[Examined, bool]]) -> bool:
    """Return whether a baseline can be recorded: undecided must not look like no finding."""
    return not any(
        failed or any(each.status is Status.CRASHED for each in one.report.results)
        for one, failed in found
    )


def _recorded(configured: Configuration, found: Sequence[Examined]) -> Baseline:
    snapshots = {each.asked.name: snapshot_of(each, configured) for each in found}
    return write_baseline(Path(str(configured.baseline)), snapshots)
