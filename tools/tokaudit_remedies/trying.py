"""Carries out the repair of each finding of a case by itself, and looks at what is said then."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

import tokaudit
from tokaudit.engine.check import all_checks
from tokaudit.engine.options import Options
from tokaudit.engine.providers import audit_needs
from tokaudit.engine.runner import choose, from_workers
from tokaudit.engine.workers import Workers
from tokaudit.foundation.errors import TokauditError
from tokaudit.products.fix.stage import Stage, all_files, in_order
from tokaudit.report.model import Finding, Severity
from tokaudit.report.repair import Change, ChangeKind, Decider, Repair
from tokaudit.report.wording import located
from tokaudit.subject.material import SourceFile, Subject
from tokaudit_remedies.case import AuditInput, Case
from tokaudit_remedies.judging import Judge, judged

LONGEST = 120  # seconds of a command


class Outcome(StrEnum):
    """What became of the repair of one finding."""

    REPAIRED = "repaired"
    STAYS = "still reported"
    NEW_ERROR = "makes a new error"
    WARNED = "repaired, and says which error is to come"
    REFUSED = "could not be carried out"
    UNLOADED = "is refused by a loader then"
    UNREAD = "is not what a loader reads then"
    NONE = "no executable repair"
    BASE = "a base decides"
    PERSON = "a person decides"
    CHOICE = "a choice, each alternative works"
    BAD_CHOICE = "a choice with an alternative that does not work"


WORKED = (Outcome.REPAIRED, Outcome.WARNED)
FAILED = {Judge.REFUSED: Outcome.UNLOADED, Judge.UNWANTED: Outcome.UNREAD}
"""What a repair comes to that passes our checks alone."""


@dataclass(frozen=True)
class TriedRepair:
    """One finding of a case by its identity, and what became of its repair."""

    source: str
    case: str
    finding: str
    outcome: Outcome
    said: str = ""
    judge: str = ""


def tried(case: Case) -> Iterator[TriedRepair]:
    """The outcome for each finding of the checks that report the case."""
    with tempfile.TemporaryDirectory(prefix="tokaudit-remedies-") as scratch:
        root = Path(scratch)
        named = _made(case, root / "broken")
        sound = _sound(case, root / "healthy")
        known = Counter(f.identity for f in found(sound, case.checks)) if sound else Counter()
        before = found(named, case.checks)
        for number, finding in enumerate(_own(case, before, known)):
            place = root / f"repaired-{number}"
            outcome, said = _tried(finding, named, place)
            judge = ""
            if outcome in WORKED:
                healthy = None if sound is None else sound.subject
                changes = finding.repair.changes if finding.repair else ()
                judge, why = judged(named.subject, place, healthy, changes)
                if judge in FAILED:
                    outcome, said = FAILED[judge], why
            yield TriedRepair(case.source, case.name, finding.identity, outcome, said, judge)


def _made(case: Case, folder: Path) -> AuditInput:
    folder.mkdir()
    return case.write(folder)


def _sound(case: Case, folder: Path) -> AuditInput | None:
    """The folder that the broken one was made of."""
    if case.healthy is None:
        return None
    folder.mkdir()
    return case.healthy(folder)


def _own(case: Case, before: Iterable[Finding], known: Counter[str]) -> list[Finding]:
    left = Counter(known)
    own = []
    for finding in before:
        left[finding.identity] -= 1
        if left[finding.identity] < 0 and finding.severity is not Severity.INFO:
            own.append(finding)
    return own


def _tried(finding: Finding, named: AuditInput, folder: Path) -> tuple[Outcome, str]:
    repair = finding.repair
    if repair is None:
        return Outcome.NONE, finding.message
    if repair.decided_by is not None:
        by_base = repair.decided_by is Decider.BASE
        return Outcome.BASE if by_base else Outcome.PERSON, repair.reason
    if repair.choice:
        return _alternatives(finding, repair, named, folder)
    return _carried_out(finding, repair, named, folder)


def _alternatives(
    finding: Finding, repair: Repair, named: AuditInput, folder: Path
) -> tuple[Outcome, str]:
    for number, each in enumerate(repair.choice):
        one = Repair(each.changes, warns_of=repair.warns_of)
        place = folder.with_name(f"{folder.name}.{number}")
        outcome, said = _carried_out(finding, one, named, place)
        if outcome in WORKED:
            judge, why = judged(named.subject, place, None, each.changes)
            outcome, said = FAILED.get(judge, outcome), said or why
        if outcome not in WORKED:
            return Outcome.BAD_CHOICE, f"{each.wanted_by}: {outcome} {said}"
    return Outcome.CHOICE, ""


def _carried_out(
    finding: Finding, repair: Repair, named: AuditInput, folder: Path
) -> tuple[Outcome, str]:
    """Repair a copy, and compare what the checks of the suite say of both."""
    copy = replace(named, subject=folder)
    shutil.copytree(named.subject, folder)
    try:
        _change(repair.changes, named, copy)
    except (TokauditError, OSError, subprocess.SubprocessError) as error:
        return Outcome.REFUSED, str(error)
    asked = _concerned(finding)
    before = _before(named, asked)
    repaired = found(copy, asked)
    if Counter(f.identity for f in repaired)[finding.identity] >= before[finding.identity]:
        return Outcome.STAYS, finding.message
    errors = Counter(f.identity for f in repaired if f.severity is Severity.ERROR)
    if new := sorted((errors - before).elements()):
        return Outcome.WARNED if repair.warns_of else Outcome.NEW_ERROR, ", ".join(new)
    return Outcome.REPAIRED, ""


@lru_cache(maxsize=8)
def _before(named: AuditInput, asked: tuple[str, ...]) -> Counter[str]:
    """What is said of the broken folder, which several findings of a case are compared with."""
    return Counter(f.identity for f in found(named, asked))


def _change(changes: Sequence[Change], named: AuditInput, copy: AuditInput) -> None:
    with tokaudit.open(copy.subject) as opened:
        files = {file.name: file for file in all_files(opened.repository.subjects)}
        with_base = _base_files(named) if any(each.from_base for each in changes) else {}
        stage = Stage(copy.subject, files, with_base)
        for change in in_order(changes):
            if change.kind is ChangeKind.RUN:
                _typed(change.command, copy.subject)
            else:
                stage.carry_out(change)


def _base_files(named: AuditInput) -> dict[str, SourceFile]:
    if named.base is None:
        return {}
    with tokaudit.open(named.base) as opened:
        return {located(opened.subject.name, file.name): file for file in opened.files}


def _typed(command: str, folder: Path) -> None:
    tools = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": tools},
        check=True,
        capture_output=True,
        timeout=LONGEST,
    )


def _concerned(finding: Finding) -> tuple[str, ...]:
    """The check that reported, and every one that starts no process, as those take no time."""
    return tuple(dict.fromkeys((finding.check, *checks_of_files())))


@lru_cache(maxsize=1)
def checks_of_files() -> tuple[str, ...]:
    """The ids of the quick checks that start no process."""
    workers = Workers(Options().limits())
    try:
        needs = audit_needs(Subject("", Path(), ()), Options(), workers)
        quick = choose(all_checks(), (), (), "quick")
        return tuple(c.id for c in quick if not c.alone and not from_workers(c, needs))
    finally:
        workers.close()


def found(named: AuditInput, asked: Sequence[str]) -> list[Finding]:
    """What the checks say; where no tokenizer parses, what each says that needs none."""
    given = {"base": named.base, "against": named.against, "read_embeddings": True}
    try:
        report = tokaudit.audit(named.subject, select=asked, tier="quick", **given)
        return list(report.findings)
    except tokaudit.UnreadableError:
        chosen = [c for c in all_checks() if c.id in asked]
        results = [tokaudit.run_check(check, named.subject, **given) for check in chosen]
        return [finding for result in results for finding in result.findings]
