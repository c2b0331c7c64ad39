"""The id of rendered chats, by which caches of rendered data are distinguished."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from tokaudit.products.compare.canonical_rows import canonical
from tokaudit.products.identity.hashes import special_roles
from tokaudit.products.identity.short_id import LENGTH, OF_TOKENIZER, ShortId
from tokaudit.subject.material import Subject

OF_RENDERING = "rendering1"
READ = (
    *("add_bos_token", "add_eos_token", "add_prefix_space", "split_special_tokens"),
    *("model_max_length", "padding_side", "truncation_side"),
)
"""Settings that decide the ids of a rendered row, next to its roles."""


def rendering_id(found: ShortId, subject: Subject, spans: str | None) -> ShortId:
    """The id of a tokenizer, with its templates, the settings of rows, and what has labels.

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
