"""The top of a page: the one command to run next, and three facts that a decision rests on."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import PurePosixPath

from tokaudit.plugin import Comparison, Outcome, Relation, Report, Severity, Status, visible
from tokaudit.report.comparison import DIFFERENT
from tokaudit.report.sentences.of_comparison import labels, listed
from tokaudit.report.sentences.of_report import unexamined
from tokaudit_reports.arranged.loaders import loaders_sentence

BASE, DATA = "--base", "data/"
OPTIONAL = {
    "no --base": "changes from a base",
    "no --against": "ids of another encoder",
    "no --conversations": "your own conversations",
}
TOKENIZER_ALONE = "tokenizer only"  # how the scope begins where no weights were read


def next_command(report: Report) -> tuple[str, str]:
    """Return the purpose of the next command, and the command; both empty where there is none."""
    name = shlex.quote(visible(report.subject.name))
    if report.comparison is not None and report.comparison.relation is Relation.REMAPPED:
        sides = " ".join(shlex.quote(visible(each)) for each in report.compared[:2])
        return "Write the map of ids", f"tokaudit compare {sides} --write-map map.json"
    if report.comparison is not None and _for_no_use(report.comparison):
        sides = " ".join(shlex.quote(visible(each)) for each in report.compared)
        return "See which uses it breaks", f"tokaudit compare {sides} --for serving"
    if report.parts:
        return _of_several(report)
    if report.compared:
        return "", ""
    errors = [each.finding for each in report.causes if each.severity is Severity.ERROR]
    if any(each.repair is not None and each.repair.executable for each in errors):
        return "Print the repair as a patch", f"tokaudit fix {name}{base_option(report)}"
    if errors and errors[0].check.startswith(DATA):
        return "Check the ids again when they are rewritten", _again(report)
    if errors:
        return (
            "Check it again when it is changed",
            f"tokaudit audit {name}{base_option(report)} --select {errors[0].check}",
        )
    if report.ok:
        return "Record what passed", f"tokaudit manifest {name} --out manifest.json"
    again = _again(report)
    return ("Add what is missing, then run", again) if again else ("", "")


def _for_no_use(comparison: Comparison) -> bool:
    """Return whether tokenizers differ, and nobody asked for a use or an engine."""
    asked = comparison.suitability is not None or comparison.runtime is not None
    return comparison.relation in DIFFERENT and not asked


def _again(report: Report) -> str:
    """The command that made the report; empty where a program called a function instead."""
    if not report.command or not report.command[0].endswith("tokaudit"):
        return ""
    return shlex.join(map(visible, ("tokaudit", *report.command[1:])))


def _of_several(report: Report) -> tuple[str, str]:
    """The repair of the first of several tokenizers that a program can repair without a base."""
    for each in report.causes:
        of_base = each.finding.check.startswith("baseline/")
        repair = None if of_base or each.severity is not Severity.ERROR else each.finding.repair
        if repair is not None and repair.executable:
            folder = PurePosixPath(report.subject.name, each.part)
            return "Print the first repair", f"tokaudit fix {shlex.quote(visible(str(folder)))}"
    return "", ""


def base_option(report: Report) -> str:
    """The option that names the base again, where there was one."""
    words = (part for word in report.command for part in word.split("=", 1))
    stated = next((after for word, after in pairwise(words) if word == BASE), "")
    if not stated and any(each.check.startswith("baseline/") for each in report.errors):
        stated = report.others[0].name if report.others else ""
    return f" {BASE} {shlex.quote(visible(stated))}" if stated else ""


def facts(report: Report) -> Iterator[tuple[str, str]]:
    """The subject, the loaders that agree, and the most important thing not examined."""
    if report.comparison is not None and report.compared and not report.results:
        yield from _of_comparison(report, report.comparison)
        return
    formats = ", ".join(report.subject.formats)
    commit = f", commit {report.subject.commit}" if report.subject.commit else ""
    yield "Subject", report.title + (f" ({formats}{commit})" if formats or commit else "")
    if said := "" if report.parts else loaders_sentence(report):
        yield "Loaders", said
    elif report.results:
        judged = Counter(each.status for each in report.results if not each.only_measured)
        yield "Checks", f"{judged[Status.PASSED]:,} passed, {judged[Status.FAILED]:,} failed"
    left = sorted(
        unexamined(report), key=lambda each: (not each.crashed, each.not_given, -len(each.checks))
    )
    if left and not left[0].not_given:
        yield "Not examined", left[0].reason
    elif report.scope.startswith(TOKENIZER_ALONE):
        yield "Not examined", f"the weights{report.scope.removeprefix(TOKENIZER_ALONE)}"
    else:
        yield "Not examined", _without_option(left[0].reason) if left else "nothing was left out"


def _without_option(reason: str) -> str:
    """Name what an option would have examined.

    >>> _without_option("no --base [a, b]"), _without_option("no --from-now-on")
    ('changes from a base (no --base) [a, b]', 'no --from-now-on')
    """
    option, space, tokenizers = reason.partition(" [")
    examined = OPTIONAL.get(option)
    return f"{examined} ({option}){space}{tokenizers}" if examined else reason


def _of_comparison(report: Report, comparison: Comparison) -> Iterator[tuple[str, str]]:
    """Both sides, who ran them, and the facets that nobody knows."""
    yield "Compared", listed(labels(report.compared))
    if comparison.run_by:
        yield "Loaders", f"run by {listed(comparison.run_by)} on {comparison.texts:,} texts"
    left: dict[str, None] = {}
    for each in report.comparisons:
        left |= {facet.name: None for facet in each.facets if facet.outcome is Outcome.UNKNOWN}
        left |= dict.fromkeys(each.uncompared)
    yield "Not examined", ", ".join(left) or "nothing was left out"
