"""`tokaudit.identify`: the short id of a tokenizer."""

from __future__ import annotations

from tokaudit.api.asked.keywords import keywords
from tokaudit.api.asked.settings import Opening
from tokaudit.api.opening import SubjectName, subject_of
from tokaudit.comparison.proofs.merges.model import merge_model
from tokaudit.foundation.errors import UnreadableError
from tokaudit.identity.short_id import ShortId, short_id
from tokaudit.subject.representations import parse_all
from tokaudit_reference.spec import ModelType


@keywords(Opening)
def identify(subject: SubjectName, how: Opening) -> ShortId:
    """The short id of a subject, whatever format it is in; of several files the preferred one's.

    Equal ids prove equal behaviour; different ids prove nothing.

    >>> import tokaudit
    >>> found = tokaudit.identify("models/checkpoint")
    >>> found.id.startswith("id1-u"), dict(found.as_listed)
    (True, {})
    """
    opened = subject_of(subject, how)
    found = parse_all(opened)
    if not found.parsed:
        why = "; ".join(each.error for each in found.all) or "no tokenizer file found"
        raise UnreadableError(f"{opened.name}: {why}")
    spec = found.parsed[0][1]
    return short_id(spec, merge_model(spec) if spec.model_type is ModelType.BPE else None)
