"""A pipeline implied by a file's name alone, because no file names a class."""

from __future__ import annotations

from dataclasses import replace

from tokaudit.plugin import Finding, Severity, Subject
from tokaudit.subject.upstream.loading_class import class_of
from tokaudit_reference.spec import Standing, TokenizerSpec

BARE = ("vocab.txt", "vocab.json+merges.txt")


def as_guessed(found: Finding, subject: Subject, spec: TokenizerSpec, stage: str) -> Finding:
    """Lower a finding to a warning if no file states the stage or names a class."""
    implied = getattr(spec, stage).standing is Standing.IMPLIED
    named = class_of(subject) is not None
    if found.severity is not Severity.ERROR or named or not implied or spec.format not in BARE:
        return found
    guess = f"No file names a class, so tokaudit guessed the {stage} from the name {spec.files[0]}."
    return replace(found, severity=Severity.WARNING, message=f"{found.message} {guess}")
