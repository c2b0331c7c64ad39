"""The tokens that loaders of a tokenizer.json put around texts by settings next to it.

Version 4 of some classes writes BOS and EOS by their switches over what the file states; version 5
of classes that put tokens around every text writes those again, by the roles that settings name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tokaudit.engine.facet_names import TOKENS_AROUND
from tokaudit.engine.sides.side import Side
from tokaudit.products.compare.settings.defaults import loader_over_file
from tokaudit.products.compare.settings.setting import Setting
from tokaudit.report.model import Place
from tokaudit.subject.formats.common.implied import stated_in
from tokaudit.subject.formats.common.settings import setting
from tokaudit.subject.upstream.ends import TextLayout, text_layout


@dataclass(frozen=True)
class TokensAround:
    """Where a loader puts tokens, by role, and which those are by whom."""

    layout: TextLayout
    tokens: Mapping[str, Setting]

    def row(self, side: Side, ids: list[int]) -> list[int] | None:
        """The ids of a text with the tokens around it; None where one has no id."""
        known = {name: id for id, name in side.names.items()}
        row: list[int] = []
        for piece in self.layout.one:
            token = self.tokens.get(piece.name)
            own = ids if piece.is_text else [known.get(token.value)] if token else [None]
            row.extend(id for id in own if id is not None)
            if None in own:
                return None
        return row


def tokens_around(side: Side) -> TokensAround | None:
    """What a side's loader puts around texts; None where it leaves that to tokenizer.json."""
    loader = loader_over_file(side)
    known = None if loader is None else loader.known
    if loader is None or known is None or side.subject is None:
        return None
    if not (known.input.around or known.input.switches_over_file):
        return None
    layout = text_layout(known, stated_in(side.subject))
    if layout is None:
        return None
    tokens = {}
    for role in layout.roles:
        fact, own = setting(side.subject, f"{role}_token"), (known.tokens or {}).get(role)
        if fact is not None:
            place = Place(TOKENS_AROUND, fact.file, fact.pointer, fact.value)
            tokens[role] = Setting(fact.value, fact.file, place)
        elif own is not None:
            at = loader.fact
            place = Place(TOKENS_AROUND, at.file, at.pointer, None, implied_by=loader.rule)
            tokens[role] = Setting(own, f"{loader.name}, where no file names one", place)
    return TokensAround(layout, tokens)
