"""Tokens that two loaders of a tokenizer.json treat differently, as one group."""

from __future__ import annotations

from tokaudit.engine.facet_names import TOKEN_FLAGS
from tokaudit.engine.sides.side import Side
from tokaudit.products.compare.settings.groups import DifferingGroup
from tokaudit.products.compare.settings.loader_tokens import (
    LoaderTokens,
    differing_tokens,
    loader_tokens,
)
from tokaudit.products.compare.settings.setting import Setting
from tokaudit.report.model import Place
from tokaudit.subject.formats.common.settings import FLAGS
from tokaudit.subject.origins import origin_of_added

MOST_NAMED = 5  # tokens of a group


def token_group(left: Side, right: Side) -> DifferingGroup | None:
    """Return the loaders' treatment of the differing tokens; None if one is unknown."""
    differing = differing_tokens(left, right)
    ours, theirs = loader_tokens(left), loader_tokens(right)
    if differing is None or ours is None or theirs is None:
        return None
    named = differing[:MOST_NAMED]
    pairs = {
        f"the token {text!r}": (_taken(left, ours, text), _taken(right, theirs, text))
        for text in named
    }
    return DifferingGroup(TOKEN_FLAGS, pairs, len(differing) - len(named))


def _taken(side: Side, loaded: LoaderTokens, text: str) -> Setting:
    """Return a loader's treatment of a token, and the file and place that name it."""
    token, fact = loaded.tokens.get(text), loaded.facts.get(text)
    at = loaded.loader.fact
    if token is None:
        place = Place(TOKEN_FLAGS, at.file, at.pointer, None, implied_by=loaded.loader.rule)
        return Setting("not taken", f"{loaded.loader.name}, for which no file names it", place)
    flags = (flag for flag in (*FLAGS, "special") if getattr(token, flag))
    value = ", ".join((f"id {token.id}", *flags))
    if fact is not None:
        return Setting(value, fact.file, Place(TOKEN_FLAGS, fact.file, fact.pointer, None))
    origin = origin_of_added(side.spec, text)
    return Setting(value, origin.file, Place(TOKEN_FLAGS, origin.file, origin.pointer, None))
