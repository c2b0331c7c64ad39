"""The engine: run each check, turn every outcome into a result, and stream the results."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed, wait
from contextlib import ExitStack, suppress
from dataclasses import replace
from typing import Any

from tokaudit.engine.check import Check, matches
from tokaudit.engine.lengths import bounded
from tokaudit.engine.needs import Others
from tokaudit.engine.options import TIERS
from tokaudit.engine.remedies import named
from tokaudit.engine.resolver import Needs
from tokaudit.foundation.errors import (
    NotApplicable,
    NotGiven,
    OutOfTime,
    Skip,
    UnreadableError,
    UpstreamTrouble,
)
from tokaudit.foundation.exhaustion import refused_by_system
from tokaudit.report.model import CheckResult, Finding, Measurement, Place, Severity, Status
from tokaudit.subject.material import Subject
from tokaudit.subject.upstream.own_code import own_class

OWN_CODE = "ids, rows and special tokens may come from code of the checkpoint:"


def choose(
    checks: Sequence[Check], select: tuple[str, ...], ignore: tuple[str, ...], tier: str
) -> list[Check]:
    """Return the checks of this tier or a quicker one that are selected and not ignored.

    What is selected, a check or a suite, is asked whatever the tier: it was named.
    """
    within = TIERS[: TIERS.index(tier) + 1]
    return [
        check
        for check in checks
        if (matches(check.id, select) if select else check.tier in within)
        and not matches(check.id, ignore)
    ]


def run(
    checks: Sequence[Check],
    needs: Needs,
    jobs: int = 1,
    also: Collection[type] = (),
    meanwhile: Callable[[], object] = tuple,
) -> Iterator[CheckResult]:
    """Yield the result of each check once ready; checks that measure time come last.

    What workers answer is asked for at once, and what they are asked is made before all else.  The
    checks that wait for one worker are asked when it has answered, whatever the others do; then
    those that wait for several; all while others compute, `jobs` at a time of each sort.  Then come
    the needs in `also`, where a check has asked for all that they need of workers.  `meanwhile` is
    called when nothing else is to compute; nobody sees what it raises.
    """
    together = [check for check in checks if not check.alone]
    asked_of_workers = {check.id: from_workers(check, needs) for check in together}
    ahead = set[type]().union(*asked_of_workers.values())
    of_alone = (kind for check in checks if check.alone for kind in from_workers(check, needs))
    first_of_all = {*ahead, *of_alone}
    after = [kind for kind in also if needs.built_by_workers(kind) <= {*ahead, kind}]
    with (
        ThreadPoolExecutor(len(first_of_all) + len(after) + 1) as starting,
        ThreadPoolExecutor(jobs) as computing,
        ExitStack() as lanes,
    ):
        started = {kind: starting.submit(_get, needs, kind) for kind in first_of_all}
        for kind in needs.before_workers(ahead):
            computing.submit(_get, needs, kind)
        asked = [
            computing.submit(ask, check, needs)
            for check in together
            if not asked_of_workers[check.id]
        ]
        computing.submit(meanwhile)
        waited: list[Future[Any]] = list(started.values())
        for loader, lane in _lanes(together, asked_of_workers, needs).items():
            waiting = lanes.enter_context(ThreadPoolExecutor(jobs))
            own = [future for kind, future in started.items() if _loaders(kind, needs) == {loader}]
            first = own if loader else list(waited)
            waited += [waiting.submit(_ask_after, first, check, needs) for check in lane]
        asked += waited[len(started) :]
        for kind in after:
            starting.submit(_get_after, waited, needs, kind)
        for future in as_completed(asked):
            yield future.result()
    yield from (ask(check, needs) for check in checks if check.alone)


def _lanes(
    checks: Sequence[Check], asked_of_workers: Mapping[str, set[type]], needs: Needs
) -> dict[type | None, list[Check]]:
    """Group checks by the loader of the one worker they wait for; the others under None."""
    lanes: dict[type | None, list[Check]] = {}
    several: list[Check] = []
    for check in checks:
        loaders = needs.loaders(asked_of_workers[check.id])
        if len(loaders) == 1:
            lanes.setdefault(loaders.pop(), []).append(check)
        elif loaders:
            several.append(check)
    return {**lanes, None: several}


def _loaders(kind: type, needs: Needs) -> set[type]:
    return needs.loaders(needs.built_by_workers(kind))


def _get(needs: Needs, kind: type) -> None:
    """Build a need; `needs` keeps its exception for later callers."""
    with suppress(Exception), needs.deadline.cuttable():
        needs.get(kind)


def _get_after(waited: Sequence[Future[Any]], needs: Needs, kind: type) -> None:
    wait(waited)
    _get(needs, kind)


def _ask_after(started: Sequence[Future[Any]], check: Check, needs: Needs) -> CheckResult:
    """Run a check once no other thread uses its workers.

    So each worker is asked the same questions in the same order in every run.  An encoder that
    dies of some texts is given up after a number of them, and the order decides after which.
    """
    wait(started)
    return ask(check, needs)


def from_workers(check: Check, needs: Needs) -> set[type]:
    """Return the check's worker needs; empty if one of them cannot exist."""
    try:
        return needs.from_workers(check.function)
    except Exception:
        return set()  # asking the check meets the same error, and makes it a result


def ask(check: Check, needs: Needs) -> CheckResult:
    """Run one check and return its result, whatever it raises.

    A check that the audit's deadline cuts off, wherever it is, is skipped.
    """
    started = time.perf_counter()
    try:
        with needs.deadline.cuttable():
            return _asked(check, needs, started)
    except OutOfTime as error:
        seconds = time.perf_counter() - started
        return CheckResult(check.id, Status.SKIPPED, str(error), (), (), seconds)


def _signed(finding: Finding, check: Check, needs: Needs) -> Finding:
    """Add the id and the remedy of its check to a finding."""
    to_repair = finding.severity is not Severity.INFO
    others = needs.known(Others)
    with_base = others is not None and others.base is not None
    remedy = named(check.form, finding, with_base=with_base) if to_repair else ""
    repair = finding.repair
    if to_repair and repair is None and check.repair is not None:
        repair = check.repair(finding)
    return replace(
        finding,
        check=check.id,
        remedy=finding.remedy or remedy,
        repair=repair if to_repair else None,
    )


def _asked(check: Check, needs: Needs, started: float) -> CheckResult:
    findings: list[Finding] = []
    measurements: list[Measurement] = []
    status, reason, not_given = Status.PASSED, "", False
    try:
        needs.deadline.refuse()
        arguments = needs.arguments(check.function)
        now = check.function(**arguments) if check.alone else needs.said(check.function, arguments)
        for said in bounded(now):
            if isinstance(said, Finding):
                findings.append(_signed(said, check, needs))
            else:
                measurements.append(said)
    except (Skip, UnreadableError) as error:
        status, reason = Status.SKIPPED, str(error)
        not_given = isinstance(error, NotGiven)
    except UpstreamTrouble as error:
        findings.append(_signed(_broke(error), check, needs))
    except NotApplicable as error:
        status, reason = Status.NOT_APPLICABLE, str(error)
    except Exception as error:
        refused = refused_by_system(error)
        status = Status.SKIPPED if refused else Status.CRASHED
        reason = refused or _where(error)
    if any(finding.severity is Severity.ERROR for finding in findings):
        status = Status.FAILED
        if check.left_to_code and (code := own_class(needs.get(Subject))):
            status, reason = Status.SKIPPED, f"{OWN_CODE} {code!r}, which is not run"
            findings.clear()
    seconds = time.perf_counter() - started
    return CheckResult(
        check.id,
        status,
        reason,
        tuple(findings),
        tuple(measurements),
        seconds,
        only_measured=check.only_measures and status is Status.PASSED,
        not_given=not_given,
    )


def _broke(error: UpstreamTrouble) -> Finding:
    place = Place("tokenizer")
    message = f"the upstream library failed: {error}"
    return Finding(Severity.ERROR, message, (place,), cause="library broke")


def _where(error: Exception) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{frame.filename.rsplit('/', 1)[-1]}:{frame.lineno}"
    return f"{type(error).__name__}: {error} ({place})"
