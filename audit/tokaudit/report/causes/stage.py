"""Stages of building a tokenizer from its files, and the stage of a finding."""

from __future__ import annotations

from enum import IntEnum
from itertools import pairwise

from tokaudit.report.model import Evidence, Finding


class Stage(IntEnum):
    """The stage of a finding; an earlier one can cause a later one, never the reverse."""

    FILES = 0
    VOCABULARY = 1
    MERGES = 2
    ADDED_TOKENS = 3
    PIPELINE = 4
    SETTINGS = 5  # roles, configs, the chat template; also the components of third parties
    ROWS = 6
    BEHAVIOUR = 7  # what was seen when the tokenizer ran


OF_COMPONENT = {
    "file": Stage.FILES,
    "files": Stage.FILES,
    "vocab": Stage.VOCABULARY,
    "vocabulary": Stage.VOCABULARY,
    "scores": Stage.VOCABULARY,
    "model": Stage.MERGES,
    "merges": Stage.MERGES,
    "added_tokens": Stage.ADDED_TOKENS,
    "normalizer": Stage.PIPELINE,
    "pre_tokenizer": Stage.PIPELINE,
    "post_processor": Stage.PIPELINE,
    "decoder": Stage.PIPELINE,
    "embeddings": Stage.ROWS,
    "weights": Stage.ROWS,
    "tokenizer": Stage.BEHAVIOUR,
    "subject": Stage.BEHAVIOUR,
    "behaviour": Stage.BEHAVIOUR,
}
OBSERVED = ("text", "bytes")  # evidence that only running the tokenizer gives
LONGEST_ROW = 12  # tokens of a text that are all about the finding


def stage_of(finding: Finding) -> Stage:
    """Return the stage seen in a run, or else that of the last component named.

    What two components contradict each other in can be wrong only once both are there.

    >>> from tokaudit.report.model import Place, Severity
    >>> place = Place("decoder", "tokenizer.json", "/decoder")
    >>> stage_of(Finding(Severity.ERROR, "no decoder", (place,), cause="none"))
    <Stage.PIPELINE: 4>
    >>> seen = (Evidence("text", text="a"),)
    >>> stage_of(Finding(Severity.ERROR, "'a' is lost", (place,), seen, cause="lost"))
    <Stage.BEHAVIOUR: 7>
    """
    against = any(each.outside for each in finding.places)  # its texts show what a base has
    observed = not (against or is_rendered(finding)) and any(map(_is_observed, finding.evidence))
    if observed or not finding.places:
        return Stage.BEHAVIOUR
    return max(OF_COMPONENT.get(each.component, Stage.SETTINGS) for each in finding.places)


def is_rendered(finding: Finding) -> bool:
    """Return whether it is about a template, so that its texts are the template's output."""
    return bool(finding.places) and finding.places[0].component == "chat_template"


def _is_observed(evidence: Evidence) -> bool:
    return evidence.kind in OBSERVED or is_row(evidence)


def is_row(evidence: Evidence) -> bool:
    """Return whether ids are those of a long text or chat in order, not accused ids.

    >>> is_row(Evidence("ids", ids=(5, 3) * 9)), is_row(Evidence("ids", ids=tuple(range(99))))
    (True, False)
    """
    if evidence.kind != "ids" or len(evidence.ids) <= LONGEST_ROW:
        return False
    return any(one >= other for one, other in pairwise(evidence.ids))
