"""A folder's merges in the order learned, for replay over words.

A byte-level BPE lists pairs of bytes, and a rank file what each makes.  One over characters lists
pairs of them; the model file of SentencePiece keeps only what each merge makes, in the order of the
scores.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tokaudit.foundation.errors import UnreadableError
from tokaudit_reference.spec import ModelType, TokenizerSpec, TokenType
from tokaudit_reference.steps.pre_tokenizers.unicode_scripts import script
from tokaudit_reference.text.bytes_or_text import bytes_of
from tokaudit_reference.training.replay import Given, Replay, byte_orders, replay, replay_characters
from tokaudit_reference.training.tie_breaks import Value

SPACE = "\u2581"
PIECE_LENGTH = 16  # characters, which SentencePiece's trainer allows where nothing is asked
WORDS = re.compile(f"{SPACE}[^{SPACE}]*|[^{SPACE}]+")


@dataclass(frozen=True, slots=True)
class Followed:
    """Merges of a folder, and the characters that its trainer knew (none for bytes)."""

    merges: Sequence[Given]
    alphabet: Sequence[str] = ()
    pieces: bool = False  # only what the merges make is known, as of SentencePiece
    known: frozenset[str] = field(default=frozenset())
    falls_to_bytes: bool = False  # so that nothing is merged over an unknown character

    @property
    def longest(self) -> int:
        """Return the length of the longest merged token."""
        return max(sum(map(len, given)) for given in self.merges)

    def words(self, texts: Iterable[str]) -> Iterable[str]:
        """Return the pre-tokens to merge; SentencePiece splits at spaces and unknown text."""
        if not self.alphabet:
            return texts
        if not self.pieces and not self.falls_to_bytes:
            return ("".join(filter(self.known.__contains__, text)) for text in texts)
        cut = (word for text in texts for word in WORDS.findall(text)) if self.pieces else texts
        return (part for word in cut for part in self._known_parts(word))

    def _known_parts(self, word: str) -> Iterable[str]:
        marked = "".join(each if each in self.known else "\0" for each in word)
        return filter(None, marked.split("\0"))

    def replay(
        self,
        parts: Sequence[Counter[str]],
        rule: str,
        order: str,
        longest: int | None,
        digits: str,
        special: Sequence[str],
    ) -> Replay:
        """Follow the merges over pre-tokens; `special` are tokens that were plain text."""
        words = (each for part in parts for each in part.items())
        sizes = [len(part) for part in parts]
        if self.alphabet:
            allowed = _Allowed(longest, digits, self.pieces)
            older: dict[Value, int] = {token: at for at, token in enumerate(special)}
            return replay_characters(words, self.merges, rule, self.alphabet, allowed, older, sizes)
        in_bytes: dict[Value, int] = {token.encode(): at for at, token in enumerate(special)}
        numbers = byte_orders()[order]
        return replay(
            words, self.merges, rule, numbers, longest=longest, older=in_bytes, parts=sizes
        )


def followed(name: str, spec: TokenizerSpec) -> Followed:
    """Return the merges of a BPE; raise `UnreadableError` without an order of merges."""
    if spec.model_type is not ModelType.BPE or not (spec.merges or spec.product_ranks):
        raise UnreadableError(
            f"{name}: is not a BPE tokenizer with ordered merges; --reproduce supports no other "
            "kind"
        )
    if spec.continuing_subword_prefix or spec.end_of_word_suffix:
        raise UnreadableError(
            f"{name}: marks parts of words with text such as ## or </w>, which --reproduce does "
            "not support"
        )
    if spec.byte_level:
        return Followed(_byte_merges(spec))
    texts = [str(piece.value) for piece in spec.every_piece() if _is_learned(piece.token_type)]
    known = frozenset(text for text in texts if len(text) == 1)
    merges = [(str(left), str(right)) for left, right in spec.merges or ()]
    made: Sequence[Given] = merges or _products(spec)
    if not made:
        raise UnreadableError(f"{name}: has no merges")
    falls = any(piece.token_type is TokenType.BYTE for piece in spec.every_piece())
    return Followed(made, sorted(known), not merges, known, falls)


def _is_learned(kind: TokenType) -> bool:
    return kind is TokenType.ORDINARY


def _byte_merges(spec: TokenizerSpec) -> Sequence[Given]:
    """Return pairs of bytes, or the product of each merge if only ranks are known."""
    if not spec.merges:
        return _products(spec)
    return [(bytes_of(left), bytes_of(right)) for left, right in spec.merges]


def _products(spec: TokenizerSpec) -> list[Given]:
    ordered = sorted(spec.product_ranks, key=lambda id: (spec.product_ranks[id], id))
    pieces = [spec.pieces[id] for id in ordered]
    learned = (piece for piece in pieces if _is_learned(piece.token_type))
    return [(piece.value,) for piece in learned if len(piece.value) > 1]


class _Allowed:
    """Decides if a trainer may build a token; SentencePiece keeps words and scripts apart."""

    def __init__(self, longest: int | None, digits: str, pieces: bool) -> None:
        self.longest = longest or (PIECE_LENGTH if pieces else None)
        self.digits, self.pieces = digits, pieces

    def __call__(self, token: Value) -> bool:
        if self.longest is not None and len(token) > self.longest:
            return False
        return not self.pieces or _is_piece(str(token), self.digits)


ONE_SCRIPT, DIGITS_APART, ANY_SCRIPT = "", "each digit alone", "scripts together"


def _is_piece(text: str, digits: str) -> bool:
    """Apply SentencePiece's rule for pieces: a space only first, one script, digit rules.

    >>> _is_piece("\u2581the", ""), _is_piece("a1", ""), _is_piece("10", "each digit alone")
    (True, False, False)
    """
    if SPACE in text[1:] or "\t" in text:
        return False
    if digits == DIGITS_APART and len(text) > 1 and any(map(str.isdecimal, text)):
        return False
    return digits == ANY_SCRIPT or len({*_scripts(text)} - {""}) < 2


def _scripts(text: str) -> Iterable[str]:
    before = ""
    for character in text:
        found = "" if character == SPACE else script(character)
        before = before if found == "Inherited" else found
        yield before
