"""From ids to token strings, as the library's own vocabulary holds them.

The string of a byte-level piece is written in GPT-2's alphabet, of a continuation with its `##`,
of a word's end with its `</w>`; of an added token it is the content, normalized where the token is
looked for in normalized text.  Where the format joins bytes and knows no alphabet, the string is
the token's own text, with lone surrogates for bytes that are not UTF-8.
"""

from __future__ import annotations

from collections.abc import Iterable

from tokaudit_reference.library_versions import decodes_contents
from tokaudit_reference.spec import Piece, TokenizerSpec, TokenType
from tokaudit_reference.steps.normalizers import normalizer
from tokaudit_reference.text.bytes_alphabet import to_characters


class UnknownId(LookupError):
    """Raised for an id that has no token, where the library refuses it too."""


class Tokens:
    """The token strings of a spec."""

    def __init__(
        self, spec: TokenizerSpec, *, alphabet: bool, refuses: bool, counts_skipped: bool = False
    ) -> None:
        """`refuses`: an id without a token is an error; `counts_skipped`: a skipped one is ""."""
        self._spec, self._alphabet, self._refuses = spec, alphabet, refuses
        self._instead = [""] if counts_skipped else []
        self._known = _added_strings(spec)
        self._special = {well_formed(t.content) for t in spec.added_tokens if t.special}

    def of(self, ids: Iterable[int], skip_special_tokens: bool) -> list[str]:
        """Return the strings of the ids that have one; special tokens are known by their string.

        So a special token whose string is normalized to another is not skipped, as in the library.
        """
        found = [token for id in ids if (token := self._token(id)) is not None]
        if not skip_special_tokens:
            return found
        return [kept for t in found for kept in (self._instead if t in self._special else [t])]

    def _token(self, id: int) -> str | None:
        known = self._known.get(id)
        if known is not None:
            return known
        piece = self._spec.pieces.get(id)
        if piece is not None:
            return self._known.setdefault(id, self._written(piece))
        if self._refuses:
            raise UnknownId(f"the id {id} has no token; ids go to {self._spec.size() - 1}")
        return None

    def _written(self, piece: Piece) -> str:
        if isinstance(piece.value, str):
            text = well_formed(piece.value)
        elif self._alphabet:
            text = to_characters(piece.value)
        else:
            text = piece.value.decode("utf-8", "surrogateescape")
        if piece.token_type is TokenType.CONTINUATION:
            return well_formed(self._spec.continuing_subword_prefix) + text
        if piece.token_type is TokenType.WORD_END:
            return text + well_formed(self._spec.end_of_word_suffix)
        return text


def strings_of_added(spec: TokenizerSpec) -> dict[str, str]:
    """Map an added token's content to its stored string; of several that share one, any."""
    tokens = [token for token in spec.added_tokens if token.content]
    found = {token.content: token.content for token in tokens}
    if any(token.normalized for token in tokens) and not decodes_contents(spec):
        normalize = normalizer(spec.normalizer)
        found |= {token.content: normalize(token.content) for token in tokens if token.normalized}
    return {content: well_formed(text) for content, text in found.items()}


def _added_strings(spec: TokenizerSpec) -> dict[int, str]:
    strings = strings_of_added(spec)
    return {token.id: strings[token.content] for token in spec.added_tokens if token.content}


def well_formed(text: str) -> str:
    """Return a text that UTF-8 can write, with U+FFFD for a lone surrogate, as in libraries.

    >>> well_formed("a\\ud800")
    'a�'
    """
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
