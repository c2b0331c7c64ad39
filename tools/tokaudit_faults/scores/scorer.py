"""Audits a folder with a fault next to a healthy one, and finds what is said of the fault alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import tokaudit
from tokaudit.report.model import Finding, Severity, Status
from tokaudit.report.report import Report
from tokaudit_faults.case import Case
from tokaudit_faults.fault import Healthy

COSTLY = ("fertility", "throughput")  # about text, not about faults
Key = tuple[str, str, str]


@dataclass(frozen=True)
class Score:
    """What the audit of one case showed; `check` names the worst of the findings that count.

    `elsewhere` names the checks that said something new without being the ones asked for.
    """

    case: Case
    caught: bool
    check: str = ""
    severity: str = ""
    said: str = ""
    verdict: str = ""
    elsewhere: tuple[str, ...] = ()
    trouble: str = ""


class Scorer:
    """Scores cases; a healthy folder that several share is audited once."""

    def __init__(self, *, whole: bool = False) -> None:
        """`whole` asks every check of broken folders, instead of those that faults name."""
        self._whole = whole
        self._known: dict[tuple[Healthy, bool, tuple[str, ...]], Counter[Key]] = {}

    def score(self, case: Case) -> Score:
        """Write, audit and judge a case."""
        fault = case.made_by
        asked = () if self._whole else fault.checks
        return score(case, asked, self._said_of_healthy(case, asked))

    def _said_of_healthy(self, case: Case, asked: tuple[str, ...]) -> Counter[Key]:
        fault, healthy = case.made_by, case.made_of
        if fault.breaks_nothing:
            return Counter()
        if len(fault.healthy) > 1:
            asked = ()  # of a family, which has hundreds of faults, once of all checks
        alone = (healthy, fault.base, asked)
        if alone not in self._known:
            with TemporaryDirectory(prefix="tokaudit-faults-") as scratch:
                folder = Path(scratch) / "healthy"
                healthy.write(folder)
                self._known[alone] = known(audited(folder, folder if fault.base else None, asked))
        return self._known[alone]


def score(case: Case, asked: tuple[str, ...], before: Counter[Key]) -> Score:
    """Write and audit a case, and judge it next to what is said of the healthy folder."""
    fault = case.made_by
    with TemporaryDirectory(prefix="tokaudit-faults-") as scratch:
        folder, base = Path(scratch) / "broken", Path(scratch) / "healthy"
        case.write(folder)
        if fault.base:
            case.made_of.write(base)
        try:
            named = base if fault.base else None
            report = audited(folder, named, asked, fault.against, fault.use)
        except tokaudit.UnreadableError as error:
            return Score(case, "files/parse" in fault.checks, "refused", "error", str(error))
    return _quiet(case, before, report) if fault.neutral else _judged(case, before, report)


def _judged(case: Case, before: Counter[Key], report: Report) -> Score:
    fault = case.made_by
    new = added(report.findings, before)
    mine = [each for each in new if each.check in fault.checks]
    right = [each for each in mine if not fault.blamed or _blamed(each) in fault.blamed]
    others = {f.check for f in new if f.check not in fault.checks and f.severity != Severity.INFO}
    found = Score(
        case,
        False,
        verdict=str(report.verdict),
        elsewhere=tuple(sorted(others)),
        trouble="; ".join(f"{check}: {reason}" for check, reason in crashed(report)),
    )
    shown = worst(right or mine)
    if shown is None:
        return found
    caught = bool(right) and is_loud(shown, fault.severity)
    said = f"blames {_blamed(shown)}: {shown.message}"
    return replace(found, caught=caught, check=shown.check, severity=str(shown.severity), said=said)


def _blamed(finding: Finding) -> str:
    """The component that a finding blames first."""
    return finding.places[0].component if finding.places else "nothing"


def _quiet(case: Case, before: Counter[Key], report: Report) -> Score:
    """A neutral change is all right where nothing worse than information is new."""
    for check, _ in crashed(report):
        return Score(case, False, check, "error", "crashed")
    # The message of the same finding may name another file.
    shown = worst(added(report.findings, before, words=2))
    if shown is None or shown.severity is Severity.INFO:
        return Score(case, True)
    return Score(case, False, shown.check, str(shown.severity), shown.message)


def audited(
    folder: Path,
    base: Path | None = None,
    asked: Sequence[str] = (),
    against: str = "",
    use: str = "",
) -> Report:
    """A quick audit by the checks that are asked, else by all that judge."""
    return tokaudit.audit(
        folder,
        tier="quick",
        base=base,
        against=against or None,
        use=use or None,
        select=tuple(asked),
        ignore=() if asked else COSTLY,
    )


def key(finding: Finding) -> Key:
    """What makes two findings of two folders the same."""
    return finding.check, finding.cause, finding.message


def known(report: Report) -> Counter[Key]:
    """How often each finding is in a report."""
    return Counter(map(key, report.findings))


def added(findings: Iterable[Finding], before: Counter[Key], words: int = 3) -> list[Finding]:
    """The findings of which there are more than before, by so many words of their keys."""
    left = Counter[tuple[str, ...]]()
    for each, n in before.items():
        left[each[:words]] += n
    new = []
    for finding in findings:
        left[key(finding)[:words]] -= 1
        if left[key(finding)[:words]] < 0:
            new.append(finding)
    return new


def worst(findings: Iterable[Finding]) -> Finding | None:
    """The most severe finding, the first of several."""
    return min(findings, key=lambda finding: finding.severity.rank, default=None)


def is_loud(finding: Finding, severity: str) -> bool:
    """Whether a finding is at least as severe as that."""
    return finding.severity.rank <= Severity(severity).rank


def crashed(report: Report) -> list[tuple[str, str]]:
    """The checks that crashed, each with the reason."""
    return [(r.check, r.reason) for r in report.results if r.status is Status.CRASHED]
