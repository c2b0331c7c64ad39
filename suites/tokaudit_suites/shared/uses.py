"""Adjust the severity of a finding to the user's stated use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tokaudit.engine.facet_names import BATCH, CHAT_TEMPLATE, MAX_LENGTH, PADDING
from tokaudit.plugin import Finding, Options, Severity, Subject
from tokaudit.subject.upstream.model_class import generates

NOT_ASKED: Mapping[str, frozenset[str]] = {
    "speculative": frozenset((CHAT_TEMPLATE, PADDING, BATCH, MAX_LENGTH)),
}
"""The facets that a use never asks of this side: a draft is given the ids of its target."""


def for_use(finding: Finding, options: Options, raised: Mapping[str, Severity]) -> Finding:
    """Set the severity that the finding has for the stated use, if any."""
    severity = raised.get(options.use or "")
    return finding if severity is None else replace(finding, severity=severity)


def unless_unasked(finding: Finding, options: Options, facet: str) -> Finding:
    """Turn a finding into a note if the stated use does not need the facet."""
    unasked = facet in NOT_ASKED.get(options.use or "", ())
    return replace(finding, severity=Severity.INFO) if unasked else finding


def if_it_generates(finding: Finding, subject: Subject) -> Finding:
    """Turn a finding about chats or stops into a note for a model of vectors or labels."""
    return replace(finding, severity=Severity.INFO) if generates(subject) is False else finding
