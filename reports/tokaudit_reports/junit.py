"""Writes a report as JUnit XML, which build services show as test results.

A check is a test case; one with findings is a case for each of them, by its check and cause, so
that every finding is counted once: errors fail, the others pass with their words as output, and
suppressed ones are skipped with the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from xml.etree import ElementTree

from tokaudit.plugin import CheckResult, Finding, Report, ReportWriter, Severity, Status, visible
from tokaudit.report.model import identity_of
from tokaudit.report.sentences.in_words import verdict_line
from tokaudit.report.wording import of_part
from tokaudit_reports.arranged.facet_results import with_facets
from tokaudit_reports.arranged.order import cause_of_each
from tokaudit_reports.arranged.wording import accepting, line, line_of_suppressed

Element = ElementTree.Element


def write(report: Report) -> str:
    """Write the report as an XML document."""
    causes = iter(cause_of_each(report))
    accept = not report.compared
    cases = [
        case for result in with_facets(report).results for case in _cases(result, causes, accept)
    ]
    suite = Element("testsuite", _counts(cases), name=visible(report.title))
    suite.set("time", f"{report.seconds:.3f}")
    properties = ElementTree.SubElement(suite, "properties")
    for name, value in (("verdict", str(report.verdict)), ("scope", report.scope)):
        ElementTree.SubElement(properties, "property", name=name, value=visible(value))
    suite.extend(cases)
    ElementTree.SubElement(suite, "system-out").text = visible(verdict_line(report))
    whole = Element("testsuites", _counts(cases), name="tokaudit")
    whole.append(suite)
    ElementTree.indent(whole)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(whole, "unicode") + "\n"
    )


def _counts(cases: list[Element]) -> dict[str, str]:
    count = {kind: sum(case.find(kind) is not None for case in cases) for kind in KINDS}
    return {
        "tests": str(len(cases)),
        "failures": str(count["failure"]),
        "errors": str(count["error"]),
        "skipped": str(count["skipped"]),
    }


KINDS = ("failure", "error", "skipped")


def _cases(result: CheckResult, causes: Iterator[str], accept: bool) -> Iterator[Element]:
    named = of_part(result.check, result.part)
    seen = Counter[str]()
    for found in result.findings:
        finding = replace(found, check=result.check)
        seen[finding.identity] += 1
        again = f" ({n})" if (n := seen[finding.identity]) > 1 else ""
        name = f"{of_part(finding.identity, result.part)}{again}"
        yield _finding(_case(name, result), finding, next(causes, ""), accept)
    for each in result.suppressed:
        case = _case(of_part(identity_of(result.check, each.finding.cause), result.part), result)
        message = line_of_suppressed(each)
        ElementTree.SubElement(case, "skipped", message=message, type="suppressed")
        yield case
    case = _case(named, result)
    if result.status in (Status.SKIPPED, Status.NOT_APPLICABLE):
        ElementTree.SubElement(case, "skipped", message=visible(result.reason))
        yield case
    elif result.status is Status.CRASHED:
        ElementTree.SubElement(case, "error", message=visible(result.reason), type="crashed")
        yield case
    elif not result.findings and not result.suppressed:
        yield case


def _case(name: str, result: CheckResult) -> Element:
    suite = result.check.partition("/")[0]
    case = Element("testcase", classname=f"tokaudit.{visible(suite)}", name=visible(name))
    case.set("time", f"{result.seconds:.3f}")
    return case


def _finding(case: Element, finding: Finding, cause: str, accept: bool) -> Element:
    """Add a case of a finding; it names its cause if it has one, else the entry that accepts it."""
    said = line(finding)
    if cause:
        said += f" Explained by {visible(cause)}."
    elif accept and finding.severity is not Severity.INFO:
        said += f" To accept this {finding.severity}: {accepting(finding)}"
    if finding.severity is Severity.ERROR:
        failure = ElementTree.SubElement(case, "failure", message=visible(finding.message))
        failure.set("type", visible(finding.identity))
        failure.text = said
    else:
        ElementTree.SubElement(case, "system-out").text = f"{finding.severity}: {said}"
    return case


WRITER = ReportWriter("junit", (".junit.xml", ".xml"), write)
