"""The one representation that every tokenizer file is parsed into.

A vocabulary maps id -> `Piece`; what an id decodes to is derived from the piece and need not be
injective (``<0x41>`` and ``A`` may be two ids).  Components (normalizer, pre-tokenizer,
post-processor, decoder) keep the field's own shape: a type and its options, as `tokenizer.json`
writes them, whatever file they came from.  This module holds data only; it encodes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any


class SpecError(ValueError):
    """Raised when a tokenizer's material is unusable; names the file, the place and what to do."""

    def __init__(self, what: str, *, file: str = "", pointer: str = "", remedy: str = "") -> None:
        self.what, self.file, self.pointer, self.remedy = what, file, pointer, remedy
        place = " at ".join(part for part in (file, pointer) if part)
        super().__init__(": ".join(part for part in (place, what) if part))


class Unsupported(SpecError):
    """Raised, when a tokenizer is built and never later, for what the reference does not cover."""


class PieceKind(StrEnum):
    """What a vocabulary entry is for."""

    ORDINARY = "ordinary"
    BYTE = "byte"  # stands for one byte, taken when no ordinary piece fits (byte fallback)
    CONTINUATION = "continuation"  # WordPiece's `##ing`; value without the prefix
    WORD_END = "word_end"  # `ing</w>`; value without the suffix
    CONTROL = "control"  # never taken from text
    UNKNOWN = "unknown"
    UNUSED = "unused"
    USER_DEFINED = "user_defined"  # always taken from text whole


@dataclass(frozen=True, slots=True)
class Piece:
    """One vocabulary entry: bytes in a byte-level model, text in the others."""

    kind: PieceKind
    value: bytes | str


class Family(StrEnum):
    """The algorithm that turns a pre-token into pieces."""

    BPE = "bpe"
    WORDPIECE = "wordpiece"
    UNIGRAM = "unigram"
    WORDLEVEL = "wordlevel"
    CHARACTER = "character"
    TRIE = "trie"  # greedy longest match over bytes, as RWKV does


class Priority(StrEnum):
    """What a merge's rank belongs to: the pair of parts, or the token they make."""

    PAIR = "pair"
    PRODUCT = "product"


class Standing(StrEnum):
    """How we know a component: the file says it, its format or name implies it, or nobody says."""

    STATED = "stated"
    IMPLIED = "implied"
    UNSTATED = "unstated"


@dataclass(frozen=True, slots=True)
class AddedToken:
    """A token that is looked for in text before the model runs."""

    id: int
    content: str
    special: bool = False
    lstrip: bool = False
    rstrip: bool = False
    single_word: bool = False
    normalized: bool = True


@dataclass(frozen=True, slots=True)
class Component:
    """One stage of the pipeline; `options` has the keys of `tokenizer.json`, nested as there.

    `options` is None for a stage stated to be absent (`"normalizer": null`) or not stated at all;
    `standing` tells the two apart.  `rule` says what implied an implied one.
    """

    options: Mapping[str, Any] | None = None
    standing: Standing = Standing.UNSTATED
    rule: str = ""


UNSTATED = Component()


@dataclass(frozen=True)
class TokenizerSpec:
    """A tokenizer as its files state it, ready to be compared, hashed or run.

    `pieces` holds the model's own entries; `added_tokens` those laid over it (an id may stand in
    both).  `merges` are pairs of piece values in rank order, in the same type as `Piece.value`
    (a part's `##` or `</w>` mark is kept as text in character models, as bytes in byte-level
    ones); None means that the format lists none and ranks the product instead
    (`product_ranks`: id -> rank, lower first; SentencePiece's scores, negated, fit there).
    """

    family: Family
    pieces: Mapping[int, Piece]
    byte_level: bool = False
    merges: tuple[tuple[bytes | str, bytes | str], ...] | None = None
    priority: Priority = Priority.PAIR
    product_ranks: Mapping[int, float] = field(default_factory=lambda: MappingProxyType({}))
    scores: Mapping[int, float] = field(default_factory=lambda: MappingProxyType({}))
    whole_piece_lookup: bool = False
    unknown_id: int | None = None
    fuse_unknown: bool = False
    byte_fallback: bool = False
    continuation_prefix: str = ""
    word_end_suffix: str = ""
    max_word_characters: int = 100
    dropout: float | None = None
    added_tokens: tuple[AddedToken, ...] = ()
    normalizer: Component = UNSTATED
    pre_tokenizer: Component = UNSTATED
    post_processor: Component = UNSTATED
    decoder: Component = UNSTATED
    control_from_text: bool = True  # False: special tokens are never taken from text
    begin_id: int | None = None  # added on request where no post-processor is stated
    truncation: Component = UNSTATED
    padding: Component = UNSTATED
    format: str = ""
    files: tuple[str, ...] = ()
    duplicate_keys: tuple[str, ...] = ()  # entries that the file gives twice; the last one stands
    shared_ids: tuple[tuple[int, str, str], ...] = ()  # (id, entry that lost it, entry that has it)

    def surface(self, piece: Piece) -> bytes | str:
        """A piece as files and merges write it: with its `##` or `</w>` mark, if it has one.

        >>> clip = TokenizerSpec(Family.BPE, {}, word_end_suffix="</w>")
        >>> clip.surface(Piece(PieceKind.WORD_END, b"ing"))
        b'ing</w>'
        >>> bert = TokenizerSpec(Family.WORDPIECE, {}, continuation_prefix="##")
        >>> bert.surface(Piece(PieceKind.CONTINUATION, "ing"))
        '##ing'
        """
        if piece.kind is PieceKind.ORDINARY:  # nearly every piece, and this is asked of all
            return piece.value
        before = self.continuation_prefix if piece.kind is PieceKind.CONTINUATION else ""
        after = self.word_end_suffix if piece.kind is PieceKind.WORD_END else ""
        if isinstance(piece.value, bytes):
            return before.encode() + piece.value + after.encode()
        return before + piece.value + after

    def size(self) -> int:
        """One past the highest id, so the number of embedding rows the tokenizer needs."""
        top = max(self.pieces, default=-1)
        return max(top, max((token.id for token in self.added_tokens), default=-1)) + 1


# Under which key a sequence of each stage lists its steps.
CHILDREN = {
    "normalizer": "normalizers",
    "pre_tokenizer": "pretokenizers",
    "post_processor": "processors",
    "decoder": "decoders",
}


def components_of(component: Component, children: str) -> list[Mapping[str, Any]]:
    """The steps of a stage in order, nested sequences flattened; `children` is their key.

    >>> chain = {"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "Lowercase"}]}
    >>> [step["type"] for step in components_of(Component(chain), "normalizers")]
    ['NFC', 'Lowercase']
    """
    steps: list[Mapping[str, Any]] = []
    waiting = [component.options] if component.options else []
    while waiting:
        step = waiting.pop()
        if step.get("type") == "Sequence":
            waiting.extend(reversed(step.get(children) or []))
        else:
            steps.append(step)
    return steps
