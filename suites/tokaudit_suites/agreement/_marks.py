"""Special tokens of one representation, as far as its format can state them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from tokaudit.plugin import Format, all_formats
from tokaudit.subject.formats.common.trained_roles import DEFAULTS
from tokaudit.subject.upstream.published.spellings import is_reserved
from tokaudit_reference.spec import TokenizerSpec, TokenType
from tokaudit_suites.shared.copies import Pair, spelled_ids
from tokaudit_suites.shared.vocab_entries import IdsByText, looks_like_marker, name_of, text_of

SPECIAL = (TokenType.CONTROL, TokenType.UNKNOWN)
WHOLE = (*SPECIAL, TokenType.USER_DEFINED)  # taken from text whole, where it is taken at all
TRAINED = {text for _, text in DEFAULTS.values()}  # special_tokens/piece-types looks at these


@dataclass(frozen=True, slots=True)
class Mark:
    """A token that is not a word: its text, its id, and whether decoding may skip it."""

    text: str
    id: int
    special: bool

    @property
    def free(self) -> bool:
        """Return whether the token is a reserved placeholder."""
        return is_reserved(self.text)


@dataclass(frozen=True)
class MarkedCopy:
    """A representation with the tokens that it declares as other than words."""

    pair: Pair

    @property
    def spec(self) -> TokenizerSpec:
        """The spec that the file is parsed into."""
        return self.pair[1]

    @property
    def file(self) -> str:
        """Return the file name for findings."""
        return self.pair[0].files[0]

    @cached_property
    def format(self) -> Format:
        """Return the file's format, which decides what the file can state."""
        return next(each for each in all_formats() if each.name == self.pair[0].format)

    @cached_property
    def marks(self) -> Mapping[str, Mark]:
        """Return the added tokens, and the entries typed as other than words."""
        if not self.format.types_tokens:
            return {}
        found = {}
        for id, piece in self.spec.each_entry():
            if piece.token_type in WHOLE and (text := text_of(piece)):
                found[text] = Mark(text, id, piece.token_type in SPECIAL)
        if self.format.lists_every_token:  # else they are what settings add, and not the file's
            found |= {t.content: Mark(t.content, t.id, t.special) for t in self.spec.added_tokens}
        return found

    def id_of(self, text: str) -> int | None:
        """Return the id of a token's text, whatever its type here."""
        return self._ids.of(text)

    def name_of(self, id: int) -> str | None:
        """Return the text of the token with this id."""
        found = name_of(self.spec, id)
        return found.decode("utf-8", "replace") if isinstance(found, bytes) else found

    def words_of(self, other: MarkedCopy) -> list[Mark]:
        """Return the special tokens of this file that the other file types as words."""
        return [
            mark
            for mark in self.marks.values()
            if mark.special
            and not mark.free
            and looks_like_marker(mark.text)  # words are run by agreement/behaviour
            and mark.text not in other.marks
            and not (mark.text in TRAINED and not other.format.lists_every_token)
            and other.id_of(mark.text) not in (None, other.spec.unk_id)
        ]

    @cached_property
    def entries(self) -> Mapping[str, int]:
        """Return the model's own entries, which `agreement/vocab` compares."""
        return spelled_ids(self.spec)

    @cached_property
    def _ids(self) -> IdsByText:
        return IdsByText(self.spec)
