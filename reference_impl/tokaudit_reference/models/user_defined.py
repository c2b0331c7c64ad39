"""Finds the symbols of the user in a text: at each place the longest, and always whole."""

from __future__ import annotations

import re

from tokaudit_reference.spec import TokenizerSpec, TokenType


class UserDefined:
    """The user-defined pieces of a spec.

    Source: `PrefixMatcher` in sentencepiece.
    """

    def __init__(self, spec: TokenizerSpec) -> None:
        self.ids = {
            str(piece.value): id
            for id, piece in spec.each_entry()
            if piece.token_type is TokenType.USER_DEFINED and piece.value
        }
        longest_first = sorted(self.ids, key=len, reverse=True)
        self._any = re.compile("(" + "|".join(map(re.escape, longest_first)) + ")")

    def symbols(self, text: str) -> tuple[list[str], set[int]]:
        """The text in characters and symbols of the user, and the places of the latter.

        >>> from tokaudit_reference.spec import ModelType, Piece
        >>> spec = TokenizerSpec(ModelType.BPE, {0: Piece(TokenType.USER_DEFINED, "<b>")})
        >>> UserDefined(spec).symbols("a<b>c")
        (['a', '<b>', 'c'], {1})
        """
        if not self.ids:
            return list(text), set()
        found: list[str] = []
        whole: set[int] = set()
        for part in self._any.split(text):
            if part in self.ids:
                whole.add(len(found))
                found.append(part)
            else:
                found += part
        return found, whole
