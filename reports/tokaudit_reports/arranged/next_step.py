"""The top of a page: the one command to run next, and three facts that a decision rests on."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from itertools import pairwise

from tokaudit.plugin import Report, Severity, Status, visible
from tokaudit.report.sentences.of_report import unexamined

AGREEMENT = "agreement/texts_that_differ"
BASE = "--base"


def next_command(report: Report) -> tuple[str, str]:
    """What the next command is for, and the command; both empty where there is none."""
    name = shlex.quote(visible(report.subject.name))
    if report.compared:
        sides = " ".join(shlex.quote(visible(each)) for each in report.compared[:2])
        return "Run it in a terminal", f"tokaudit compare {sides}"
    if report.parts:
        return "", ""
    errors = [each.finding for each in report.causes if each.severity is Severity.ERROR]
    if any(each.repair is not None and each.repair.executable for each in errors):
        return "Print the repair as a patch", f"tokaudit fix {name}{base_option(report)}"
    if errors:
        return (
            "Check it again when it is changed",
            f"tokaudit audit {name}{base_option(report)} --select {errors[0].check}",
        )
    if report.ok:
        return "Record what passed", f"tokaudit manifest {name} --out manifest.json"
    return "", ""


def base_option(report: Report) -> str:
    """The option that names the base again, where there was one."""
    words = (part for word in report.command for part in word.split("=", 1))
    stated = next((after for word, after in pairwise(words) if word == BASE), "")
    if not stated and any(each.check.startswith("baseline/") for each in report.errors):
        stated = report.others[0].name if report.others else ""
    return f" {BASE} {shlex.quote(visible(stated))}" if stated else ""


def facts(report: Report) -> Iterator[tuple[str, str]]:
    """What was audited, which encoders agree, and the most important thing not examined."""
    formats = ", ".join(report.subject.formats)
    yield "Subject", report.title + (f" ({formats})" if formats else "")
    for each in report.measurements:
        if each.key == AGREEMENT:
            differ = f"{int(each.value):,} of {each.n:,} texts differ"
            yield "Independent encoder", f"{differ} from the upstream library"
            break
    else:
        ended = [each for each in report.results if each.status is Status.PASSED]
        if report.results:
            yield "Checks", f"{len(ended):,} of {len(report.results):,} passed"
    left = sorted(unexamined(report), key=lambda each: (not each.crashed, each.not_given))
    yield "Not examined", left[0].reason if left else "nothing was left out"
