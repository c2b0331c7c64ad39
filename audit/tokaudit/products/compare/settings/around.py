"""Tokens that loaders of a tokenizer.json add around texts because of settings.

Version 4 of some classes writes BOS and EOS by their switches over what the file states; version 5
of classes that put tokens around every text writes those again, by the roles that settings name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tokaudit.engine.facet_names import TOKENS_AROUND
from tokaudit.engine.sides.side import Side
from tokaudit.products.compare.settings.setting import Setting
from tokaudit.report.model import Place
from tokaudit.report.recorded import LoaderValue, SaidBy
from tokaudit.subject.effective.class_choice import FAST, class_choice
from tokaudit.subject.effective.text_ends import text_ends
from tokaudit.subject.material import Subject
from tokaudit.subject.upstream.ends import TextLayout
from tokaudit.subject.upstream.versions import FIVE, FOUR


@dataclass(frozen=True)
class TokensAround:
    """A loader's layout of tokens by role, and the tokens with their sources."""

    layout: TextLayout
    tokens: Mapping[str, Setting]

    def row(self, side: Side, ids: list[int]) -> list[int] | None:
        """Return the ids of a text with the added tokens; None if one has no id."""
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
    """Return the tokens that a side's loader adds around texts; None if the file decides."""
    if side.subject is None:
        return None
    written = (ends for ends in text_ends(side.subject, side.spec) if ends.layout is not None)
    ends = next(written, None)
    if ends is None or ends.layout is None:
        return None
    name = ends.name.removesuffix(FAST)
    tokens = {role: _setting(side.subject, name, cell) for role, cell in ends.tokens.items()}
    return TokensAround(ends.layout, tokens)


def _setting(subject: Subject, name: str, cell: LoaderValue) -> Setting:
    """Return a token with the file that names it, or the class."""
    if cell.said_by is SaidBy.FILE:
        place = Place(TOKENS_AROUND, cell.file, cell.pointer, cell.value)
        return Setting(cell.value, cell.file, place)
    choice = class_choice(subject, FOUR) or class_choice(subject, FIVE)
    file, at = (choice.file, choice.pointer) if choice is not None else ("", "")
    place = Place(TOKENS_AROUND, file, at, None, implied_by=f"{file} names {name}")
    return Setting(cell.value, f"{name}, where no file names one", place)
