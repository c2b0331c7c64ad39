"""A template that is being written, with the tokenizer of a folder: as if it lay there."""

from __future__ import annotations

from dataclasses import replace

from tokaudit.subject.facts import collect
from tokaudit.subject.formats.common.template_alone import ROLE
from tokaudit.subject.material import Subject

LOADED = "chat_template.jinja"
OF_TEMPLATES = ("chat_template", "chat_template_name")


def with_tokenizer(subject: Subject, tokenizer: Subject) -> Subject:
    """The files and facts of a tokenizer, with a template that is alone in place of its own."""
    (file,) = subject.files
    template = replace(file, read_as=LOADED)
    kept = [
        each for each in tokenizer.files if each.role != ROLE and LOADED != each.known != file.name
    ]
    facts = [fact for fact in tokenizer.facts if fact.name not in OF_TEMPLATES]
    return replace(
        tokenizer,
        name=subject.name,
        files=(*kept, template),
        facts=(*facts, *collect([template])),
    )
