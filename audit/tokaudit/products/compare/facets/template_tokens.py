"""The special tokens that a side's chat template reads, and where they are stated."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from tokaudit.engine.facet_names import CHAT_TEMPLATE
from tokaudit.engine.sides.side import Side
from tokaudit.products.chat.rendering.templates import special_tokens
from tokaudit.report.model import Place


def tokens_read(side: Side) -> dict[str, str]:
    """Name -> token, for each special token whose name is in the text of the template."""
    if side.subject is None:
        return {}
    templates = [fact.value for fact in side.subject.facts_named("chat_template") if fact.value]
    given = special_tokens(side.subject, side.spec) if templates else {}
    return {name: token for name, token in given.items() if name in str(templates[0])}


def token_places(side: Side, names: Collection[str]) -> Iterator[Place]:
    """Find where a side states special tokens, or in a GGUF file their ids."""
    facts = side.subject.facts if side.subject is not None else ()
    for name in names:
        stated = [fact for fact in facts if fact.name == name and isinstance(fact.value, str)]
        by_id = [fact for fact in facts if fact.name == f"{name}_id" and fact.file.endswith("gguf")]
        for fact in (stated or by_id)[:1]:
            yield side.stated(CHAT_TEMPLATE, fact.file, fact.pointer, fact.value)
