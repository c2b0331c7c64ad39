"""`tokaudit.identify`: the short id of a tokenizer, or of its rendered chats."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from tokaudit.engine.opening import SubjectName, subject_of
from tokaudit.engine.settings.keywords import keywords
from tokaudit.engine.settings.settings import Identified
from tokaudit.foundation.errors import UsageError
from tokaudit.products.compare.canonical_rows import canonical
from tokaudit.products.identity.hashes import special_roles
from tokaudit.products.identity.short_id import LENGTH, OF_TOKENIZER, ShortId, id_of
from tokaudit.subject.material import Subject
from tokaudit.subject.representations import readable

OF_RENDERING = "rendering1"
READ = (
    *("add_bos_token", "add_eos_token", "add_prefix_space", "split_special_tokens"),
    *("model_max_length", "padding_side", "truncation_side"),
)
"""Settings that decide the ids of a rendered row, next to its roles."""


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
        raise UsageError("spans: works only together with rendering; set rendering too")
    opened = subject_of(subject, how)
    found = id_of(readable(opened).parsed[0][1])
    return _rendering_id(found, opened, how.spans) if how.rendering else found


def _rendering_id(found: ShortId, subject: Subject, spans: str | None) -> ShortId:
    """Return the id of a tokenizer with its templates, row settings, and labelled spans.

    Templates enter by name and text; a key that is null is as one that is absent.
    """
    templates = subject.facts_named("chat_template", "chat_template_name")
    settings = {
        f.name: f.value for f in reversed(subject.facts_named(*READ)) if f.value is not None
    }
    parts = {
        "tokenizer": found.id,
        "templates": sorted({(fact.name, str(fact.value)) for fact in templates}),
        "roles": special_roles(subject),
        "settings": sorted(settings.items()),
        "spans": spans or "",
    }
    rows = {name: canonical([name, value]) + b"\n" for name, value in parts.items()}
    digest = hashlib.sha256(b"".join(rows.values())).hexdigest()[:LENGTH]
    tables = found.id.removeprefix(OF_TOKENIZER).rpartition("-")[0]
    digests = {name: hashlib.sha256(row).hexdigest() for name, row in rows.items()}
    return replace(found, id=f"{OF_RENDERING}{tables}-{digest}", parts=digests)
