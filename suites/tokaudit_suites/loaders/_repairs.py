"""The repair of a value that a loader refuses, in a form that every version takes."""

from __future__ import annotations

from tokaudit.plugin import (
    Decider,
    Place,
    Repair,
    Subject,
    decision,
)
from tokaudit.subject.effective.refused import CLASS, Refusal
from tokaudit.subject.effective.settings_object import settings_object
from tokaudit.subject.upstream.tokenizer_class import AS_STATED
from tokaudit_suites.shared.repairs import removed, repaired, set_to, setting

EXTRA, ADDITIONAL = "extra_special_tokens", "additional_special_tokens"
WHOLE = "tokenizer.json"


def repair_of(subject: Subject, refusal: Refusal) -> Repair | None:
    """A null is left out; a list of tokens gets the name that both versions know; a class too."""
    place = Place("config", refusal.file, refusal.pointer, refusal.value)
    value = refusal.value
    if refusal.key == CLASS and any(file.base == WHOLE for file in subject.files):
        return repaired(set_to(place, AS_STATED))
    if value is None and refusal.key:
        return repaired(removed(place))
    if refusal.key == EXTRA and isinstance(value, list):
        listed = settings_object(subject, refusal.file.rpartition("/")[2]).get(ADDITIONAL)
        both = [*listed, *value] if isinstance(listed, list) else value
        kept = [each for at, each in enumerate(both) if each not in both[:at]]
        if not kept:
            return repaired(removed(place))
        return repaired(removed(place), setting(refusal.file, ADDITIONAL, kept))
    return decision(Decider.PERSON, "what the value was meant to say is in no file")
