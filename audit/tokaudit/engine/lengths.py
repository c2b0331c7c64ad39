"""Limits on the size of findings, whatever a check reports.

A report is kept, sent and shown: that a fault is there a million times is said by its number, and
by the first of its places.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from tokaudit.report.model import Evidence, Finding, Measurement, Place, Severity
from tokaudit.report.repair import Alternative, Change, Decider, Repair, decision

MOST_FINDINGS = 1_000  # of one check; beyond, only those that are worse than all before
MOST_MEASUREMENTS = 10_000  # of one check
MOST_PLACES = 100  # of one finding
MOST_CHANGES = 10_000  # of one repair
MOST_EVIDENCE = 100  # of one finding
MOST_TOKENS = 10_000  # ids, or views of tokens, of one piece of evidence
LONGEST_MESSAGE = 20_000  # characters of a sentence
LONGEST_TEXT = 100_000  # characters of a text that shows a finding, and of a value in all
CUT = " ..."


def bounded(said: Iterable[Finding | Measurement]) -> Iterator[Finding | Measurement]:
    """Limit the number and size of one check's findings and measurements."""
    findings, measurements, worst = 0, 0, len(Severity)
    for one in said:
        if isinstance(one, Measurement):
            measurements += 1
            if measurements <= MOST_MEASUREMENTS:
                yield one
            continue
        findings += 1
        if findings <= MOST_FINDINGS or one.severity.rank < worst:
            worst = min(worst, one.severity.rank)
            yield _bounded(one)


def too_many(changes: Iterable[Change]) -> bool:
    """Return whether a repair has more changes than allowed."""
    return next(islice(changes, MOST_CHANGES, None), None) is not None


NOT_LISTED = f"it takes more than {MOST_CHANGES:,} changes, so rewrite the part"


def _bounded(finding: Finding) -> Finding:
    return replace(
        finding,
        message=_text(finding.message, LONGEST_MESSAGE),
        remedy=_text(finding.remedy, LONGEST_MESSAGE),
        places=tuple(map(_place, finding.places[:MOST_PLACES])),
        evidence=tuple(map(_evidence, finding.evidence[:MOST_EVIDENCE])),
        repair=_repair(finding.repair),
    )


def _place(place: Place) -> Place:
    return place if _fits(place.value) else replace(place, value=None)


def _evidence(evidence: Evidence) -> Evidence:
    """Return the evidence, without the parts that are too long."""
    long = evidence.text is not None and len(evidence.text) > LONGEST_TEXT
    packed = evidence.text_base64 is not None and len(evidence.text_base64) > LONGEST_TEXT
    tokens = max(map(len, (evidence.ids, evidence.expected, evidence.actual))) > MOST_TOKENS
    if not (long or packed or tokens or len(evidence.note) > LONGEST_MESSAGE) and _fits(
        dict(evidence.facts)
    ):
        return evidence
    return replace(
        evidence,
        text=None if evidence.text is None else _text(evidence.text, LONGEST_TEXT),
        text_base64=None if packed else evidence.text_base64,
        expected=evidence.expected[:MOST_TOKENS],
        actual=evidence.actual[:MOST_TOKENS],
        ids=evidence.ids[:MOST_TOKENS],
        facts={name: value for name, value in evidence.facts.items() if _fits(value)},
        note=_text(evidence.note, LONGEST_MESSAGE),
    )


def _repair(repair: Repair | None) -> Repair | None:
    """Return the repair, or a note that a person has to make one that is too long."""
    if repair is None:
        return None
    alternatives: tuple[Alternative, ...] = repair.choice
    lists = (repair.changes, *(each.changes for each in alternatives))
    return decision(Decider.PERSON, NOT_LISTED) if any(map(too_many, lists)) else repair


def _text(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most] + CUT


def _fits(value: Any) -> bool:
    """Return whether a JSON value is short enough to be shown."""
    left, waiting = LONGEST_TEXT, [value]
    while waiting and left > 0:
        one = waiting.pop()
        if isinstance(one, str | bytes):
            left -= len(one)
        elif isinstance(one, dict):
            left -= len(one)
            waiting += [*one.keys(), *one.values()] if left > 0 else []
        elif isinstance(one, list | tuple):
            left -= len(one)
            waiting += one if left > 0 else ()
    return left > 0
