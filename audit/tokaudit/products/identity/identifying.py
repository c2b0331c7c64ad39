"""`tokaudit.identify`: the short id of a tokenizer."""

from __future__ import annotations

from tokaudit.engine.opening import SubjectName, subject_of
from tokaudit.engine.settings.keywords import keywords
from tokaudit.engine.settings.settings import Opening
from tokaudit.products.identity.short_id import ShortId, id_of
from tokaudit.subject.representations import readable


@keywords(Opening)
def identify(subject: SubjectName, how: Opening) -> ShortId:
    """Return the short id of a subject in any format; of several files, the preferred one's.

    Equal ids prove equal behaviour; different ids prove nothing.

    >>> import tokaudit
    >>> found = tokaudit.identify("models/checkpoint")
    >>> found.id.startswith("id1-u"), dict(found.as_listed)
    (True, {})
    """
    return id_of(readable(subject_of(subject, how)).parsed[0][1])
