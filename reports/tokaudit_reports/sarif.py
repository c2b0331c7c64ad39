"""Writes a report as SARIF 2.1.0, which code hosts show next to the files of a repository.

A check is a rule and a finding is a result.  The fingerprint of a result is made of what failed,
how and where, without any figure, so that the same failure is known again in the next run.

Source: the OASIS standard "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from tokaudit.plugin import (
    CheckRecord,
    Finding,
    Place,
    Report,
    ReportWriter,
    Severity,
    Suppressed,
    SuppressedBy,
    escaped_json,
    first_text,
    implied,
    text_words,
    visible,
)
from tokaudit.report.sentences.in_words import verdict_line
from tokaudit_reports.arranged.facet_results import question, with_facets
from tokaudit_reports.arranged.order import explained
from tokaudit_reports.arranged.wording import line, path_of, root_of
from tokaudit_reports.markdown import prose

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
Json = dict[str, Any]


def write(report: Report) -> str:
    """Write the report as one SARIF log with one run."""
    every = with_facets(report).results
    checks = explained(report)
    ids = list(dict.fromkeys(result.check for result in every))
    results = [
        _result(report, ids.index(r.check), r.check, finding)
        for r in every
        for finding in r.findings
    ]
    _relate(report, results)
    results += [
        _suppressed(report, ids.index(r.check), r.check, each)
        for r in every
        for each in r.suppressed
    ]
    run = {
        "tool": {
            "driver": {
                "name": "tokaudit",
                "version": report.tool.get("version", ""),
                "rules": [_rule(id, checks.get(id)) for id in ids],
            }
        },
        "results": results,
        "invocations": [
            {"executionSuccessful": True, "exitCodeDescription": visible(verdict_line(report))}
        ],
        "columnKind": "unicodeCodePoints",
        "properties": {"verdict": str(report.verdict), "scope": visible(report.scope)},
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return escaped_json(json.dumps(log, ensure_ascii=False, indent=1)) + "\n"


def _relate(report: Report, results: Sequence[Json]) -> None:
    """Add to each cause the locations of its effects, and to these the cause's identity."""
    for cause in () if report.compared else report.causes:
        for number in cause.numbers:
            results[number].setdefault("properties", {})["explainedBy"] = visible(
                cause.finding.identity
            )
        if cause.numbers:
            related = [
                (results[number], results[number]["locations"][0]) for number in cause.numbers
            ]
            results[cause.number]["relatedLocations"] = [
                {**location, "id": id, "message": each["message"]}
                for id, (each, location) in enumerate(related, 1)
            ]


def _rule(id: str, check: CheckRecord | None) -> Json:
    rule: Json = {"id": visible(id)}
    if check is None:  # a facet, or a part of a gate
        asked = question(id)
        return {**rule, "shortDescription": {"text": visible(asked)}} if asked else rule
    return {
        **rule,
        "shortDescription": {"text": visible(check.title)},
        "fullDescription": {"text": visible(check.why)},
        "help": {"text": visible(check.remedy), "markdown": prose(check.remedy)},
        "defaultConfiguration": {"level": LEVELS[check.severity]},
    }


def _result(report: Report, rule: int, id: str, finding: Finding) -> Json:
    places = finding.places or (Place("subject"),)
    result: Json = {
        "ruleId": visible(id),
        "ruleIndex": rule,
        "level": LEVELS[finding.severity],
        "message": {"text": f"{line(finding)} ({visible(finding.identity)})"},
        "locations": [_location(root_of(report), place) for place in places],
        "partialFingerprints": {"tokauditFailure/v1": fingerprint(id, finding)},
    }
    result["properties"] = {"cause": visible(finding.identity)}
    if not report.compared:
        result["properties"]["suppression"] = visible(finding.suppression)
    text = first_text(finding)
    if text is not None:
        key = "minimalText" if text_words(finding) != "text" else "text"
        result["properties"][key] = visible(text, spaces=True)
    return result


def _suppressed(report: Report, rule: int, id: str, held: Suppressed) -> Json:
    """Write a result that viewers hide; a baseline one is also marked unchanged."""
    until = f" (until {held.until})" if held.until else ""
    result = _result(report, rule, id, held.finding)
    # Without a status it counts as accepted; editions of the schema differ in that key's name.
    result["suppressions"] = [
        {"kind": "external", "justification": visible(f"{held.reason}{until}")}
    ]
    if held.by is SuppressedBy.BASELINE:
        result["baselineState"] = "unchanged"
    return result


def fingerprint(id: str, finding: Finding) -> str:
    """Return a digest of the failure and its place, without the message and its figures."""
    where = [[place.component, place.file, place.pointer] for place in finding.places[:1]]
    parts = json.dumps([id, finding.cause, where], ensure_ascii=True)
    return hashlib.sha256(parts.encode()).hexdigest()[:32]


def _location(subject: str, place: Place) -> Json:
    path = path_of("." if place.outside else subject, place.file)
    address = quote(path.encode("utf-8", "surrogateescape"))
    location: Json = {
        "physicalLocation": {
            "artifactLocation": {"uri": f"file://{address}" if path[:1] == "/" else address},
            "region": {"startLine": place.line or 1},
        }
    }
    whole = " ".join(part for part in (place.component, place.pointer, implied(place)) if part)
    location["logicalLocations"] = [{"fullyQualifiedName": visible(whole)}]
    return location


WRITER = ReportWriter("sarif", (".sarif", ".sarif.json"), write)
