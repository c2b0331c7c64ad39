"""Chooses the one command to run next, at the top of a page."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from itertools import pairwise
from pathlib import PurePosixPath

from tokaudit.plugin import (
    Cause,
    ChangeKind,
    Comparison,
    Decider,
    Finding,
    Relation,
    Report,
    Severity,
    Verdict,
    visible,
)
from tokaudit.report.comparison import DIFFERENT
from tokaudit.report.sentences.not_examined import NO_BASE, about_data
from tokaudit.report.wording import counted

BASE = "--base"
OF_BASE = "baseline/"
MISSING = {
    "no weight files": "Add the weight files, such as model.safetensors, then run",
    "git-lfs pointers": "Run git lfs pull, then run",
    "is not installed": "Install it, then run",
    NO_BASE: "Name the base by --base FOLDER, then run",
}
ADD = "Add what is missing, then run"


def next_command(report: Report) -> tuple[str, str]:
    """Return the purpose of the next command, and the command; both empty where there is none."""
    if report.comparison is not None and report.comparison.relation is Relation.REMAPPED:
        sides = " ".join(map(_shown, report.compared[:2]))
        return "Write the map of ids", f"tokaudit compare {sides} --write-map map.json"
    if report.comparison is not None and _for_no_use(report.comparison):
        sides = " ".join(map(_shown, report.compared))
        return (
            "Check whether one use, such as serving, is still safe",
            f"tokaudit compare {sides} --for serving",
        )
    if report.compared:
        return "", ""
    if report.verdict is Verdict.UNVERIFIABLE:
        again = _again(report)
        return (_missing(report), again) if again else ("", "")
    if report.parts:
        return _of_several(report)
    if about_data(report):
        return _of_data(report)
    return _of_errors(report) if not report.ok else _of_pass(report)


def _of_errors(report: Report) -> tuple[str, str]:
    """Return the repair that a program can make; else the audit to run after the change."""
    name, base = _shown(report.subject.name), base_option(report)
    errors = [each.finding for each in report.causes if each.severity is Severity.ERROR]
    if n := _patched(errors):
        return (
            f"Show the patch for {_of_all(n, len(errors))}; nothing is written yet",
            f"tokaudit fix {name}{base}",
        )
    return "Audit again after the change", f"tokaudit audit {name}{base}"


def _of_pass(report: Report) -> tuple[str, str]:
    """Return the audit or patch that warnings ask for; else the manifest."""
    name, base = _shown(report.subject.name), base_option(report)
    warnings = [each.finding for each in report.causes if each.severity is Severity.WARNING]
    if not base and any(_decided_by_base(each) for each in warnings):
        return (
            "Compare with the base model: write its folder in place of FOLDER",
            f"tokaudit audit {name} --base FOLDER",
        )
    if n := _patched(warnings):
        said = _of_all(n, len(warnings), "warning")
        return f"Show the patch for {said}; nothing is written yet", f"tokaudit fix {name}{base}"
    return "Record what passed", f"tokaudit manifest {name} --out manifest.json"


def _of_data(report: Report) -> tuple[str, str]:
    """Return the audit of the tokenizer if its ids are right; else the same check again."""
    if report.ok:
        return "Audit the tokenizer too", f"tokaudit audit {_shown(report.subject.name)}"
    again = _again(report)
    return ("Check the ids again when they are rewritten", again) if again else ("", "")


def _of_several(report: Report) -> tuple[str, str]:
    """Return the repair of the first repairable subject, or that one's audit."""
    worst = [each for each in report.causes if each.severity is not Severity.INFO]
    without_base = [each for each in worst if not each.finding.check.startswith(OF_BASE)]
    errors = [each for each in without_base if each.severity is Severity.ERROR]
    for each in errors:
        if _patched([each.finding]):
            return (
                f"Show the patch for the folder '{each.part}'; nothing is written yet",
                f"tokaudit fix {_folder(report, each)}",
            )
    for each in errors or without_base:
        return f"Look at the folder '{each.part}' alone", f"tokaudit audit {_folder(report, each)}"
    again = _again(report)
    return ("Run it again after the repair", again) if worst and again else ("", "")


def _folder(report: Report, cause: Cause) -> str:
    return _shown(str(PurePosixPath(report.subject.name, cause.part)))


def _patched(findings: Sequence[Finding]) -> int:
    """Return how many findings `tokaudit fix` repairs by itself."""
    return sum(
        each.repair is not None
        and each.repair.executable
        and all(change.kind is not ChangeKind.RUN for change in each.repair.changes)
        for each in findings
    )


def _of_all(n: int, of: int, what: str = "error") -> str:
    """Format a count of a total.

    >>> _of_all(1, 1), _of_all(3, 3), _of_all(2, 3)
    ('the error', 'all 3 errors', '2 of 3 errors')
    """
    if n == of:
        return f"the {what}" if n == 1 else f"all {counted(n, what)}"
    return f"{n:,} of {counted(of, what)}"


def _decided_by_base(finding: Finding) -> bool:
    return finding.repair is not None and finding.repair.decided_by is Decider.BASE


def _missing(report: Report) -> str:
    """Return the missing input that the same command needs to decide."""
    why = report.verdict_reason
    return next((said for what, said in MISSING.items() if what in why), ADD)


def _shown(name: str) -> str:
    return shlex.quote(visible(name))


def _for_no_use(comparison: Comparison) -> bool:
    """Return whether tokenizers differ, without a stated use or engine."""
    asked = comparison.suitability is not None or comparison.runtime is not None
    return comparison.relation in DIFFERENT and not asked


def _again(report: Report) -> str:
    """Return the command that made the report; empty if a program called a function instead."""
    if not report.command or not report.command[0].endswith("tokaudit"):
        return ""
    return shlex.join(map(visible, ("tokaudit", *report.command[1:])))


def base_option(report: Report) -> str:
    """Return the option that names the base again, if there was one."""
    words = (part for word in report.command for part in word.split("=", 1))
    stated = next((after for word, after in pairwise(words) if word == BASE), "")
    if not stated and any(each.check.startswith(OF_BASE) for each in report.errors):
        stated = report.others[0].name if report.others else ""
    return f" {BASE} {_shown(stated)}" if stated else ""
