"""`tokaudit.identify`: the short id of a tokenizer."""

from __future__ import annotations

from tokaudit.engine.opening import SubjectName, subject_of
from tokaudit.engine.settings.keywords import keywords
from tokaudit.engine.settings.settings import Identified
from tokaudit.foundation.errors import UsageError
from tokaudit.products.identity.rendering_id import rendering_id
from tokaudit.products.identity.short_id import ShortId, id_of
from tokaudit.subject.representations import readable


@keywords(Identified)
def identify(subject: SubjectName, how: Identified) -> ShortId:
    """Return the short id of a subject in any format; of several files, the preferred one's.

    Equal ids prove equal behaviour; different ids prove nothing.  With `rendering` it is the id of
    what chats become: that of the tokenizer with its templates and the settings of rows.

    >>> import tokaudit
    >>> found = tokaudit.identify("models/checkpoint")
    >>> found.id.startswith("id1-u"), dict(found.as_listed)
    (True, {})
    """
    if how.spans is not None and not how.rendering:
        raise UsageError("spans: names what of rendered rows has labels; ask with rendering")
    opened = subject_of(subject, how)
    found = id_of(readable(opened).parsed[0][1])
    return rendering_id(found, opened, how.spans) if how.rendering else found
