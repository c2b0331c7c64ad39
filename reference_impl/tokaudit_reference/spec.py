"""The one representation that every tokenizer file is parsed into.

A vocabulary maps strings to ids, and several strings may have one id: `each_entry` has them all.
The way back is a view: `pieces` has one entry for each id, `pieces_at` all of an id.  What an id
decodes to need not be injective either (``<0x41>`` and ``A`` may be two ids).  Components
(normalizer, pre-tokenizer, post-processor, decoder) hold their typed steps, and next to them the
options as `tokenizer.json` writes them, whatever file they came from.  This module holds data only;
it encodes nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from itertools import chain
from types import MappingProxyType

from tokaudit_reference.errors import SpecError, Unsupported
from tokaudit_reference.steps.component import STAGES, UNSTATED, Component, Standing

__all__ = [
    "UNSTATED",
    "AddedToken",
    "Component",
    "Dialect",
    "ModelType",
    "Origin",
    "Piece",
    "Priority",
    "SpecError",
    "Standing",
    "TokenType",
    "TokenizerSpec",
    "Unsupported",
]


class TokenType(StrEnum):
    """The purpose of a vocabulary entry."""

    ORDINARY = "ordinary"
    BYTE = "byte"  # stands for one byte, taken when no ordinary piece fits (byte fallback)
    CONTINUATION = "continuation"  # WordPiece's `##ing`; value without the prefix
    WORD_END = "word_end"  # `ing</w>`; value without the suffix
    CONTROL = "control"  # never taken from text
    UNKNOWN = "unknown"
    UNUSED = "unused"
    USER_DEFINED = "user_defined"  # always taken from text whole
    LOOKED_UP = "looked_up"  # unknown to the model; a run of unknown characters may spell it


ORDINARY, CONTINUATION = TokenType.ORDINARY, TokenType.CONTINUATION
"""Looked up once: Python 3.11 takes longer to find a member of an enum than to compare it."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One vocabulary entry: bytes in a byte-level model, text in the others."""

    token_type: TokenType
    value: bytes | str


class ModelType(StrEnum):
    """The algorithm that turns a pre-token into pieces."""

    BPE = "bpe"
    WORDPIECE = "wordpiece"
    UNIGRAM = "unigram"
    WORDLEVEL = "wordlevel"
    CHARACTER = "character"
    TRIE = "trie"  # greedy longest match over bytes, as RWKV does


class Priority(StrEnum):
    """The owner of a merge's rank: the pair of parts, or the token that they make."""

    PAIR = "pair"
    PRODUCT = "product"


class Dialect(StrEnum):
    """The engine whose own rules find added tokens and run the model."""

    PUBLISHED = "published"  # those of the library that the file is made for
    LLAMA_CPP = "llama.cpp"


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
class Origin:
    """The file and pointer that state a part; one that no file states is `implied_by` something."""

    file: str = ""
    pointer: str = ""
    implied_by: str = ""


@dataclass(frozen=True, repr=False)
class TokenizerSpec:
    """A tokenizer as its files state it, ready to be compared, hashed or run.

    `pieces` holds the model's own entries by id; `added_tokens` those on top of it (an id may be in
    both).  Of entries that share an id, `pieces` has the last of the file and `sharing` the others:
    texts become all of them.  As which one the id is read back is not stated by the file: Hugging
    Face's tokenizers 0.23.3 draws one whenever it loads the file, and the slow classes of
    transformers 4 take the last.  `merges` are pairs of piece values in rank order, in the type of
    `Piece.value`
    (a part's `##` or `</w>` mark is kept as text in character models, as bytes in byte-level
    ones); None means that the format lists none and ranks the product instead
    (`product_ranks`: id -> rank, lower first; SentencePiece's scores, negated, fit there).
    `unlisted` are pieces of a model, with their scores, that the vocabulary of a class has no id
    for: they cut a text as the others do, and each becomes the unknown token.
    `origins` are those of parts that the format does not place, and `added_origins` say for each
    added token what states it; two specs are equal whatever files they came from.
    """

    model_type: ModelType
    pieces: Mapping[int, Piece]
    byte_level: bool = False
    merges: tuple[tuple[bytes | str, bytes | str], ...] | None = None
    priority: Priority = Priority.PAIR
    product_ranks: Mapping[int, float] = field(default_factory=lambda: MappingProxyType({}))
    scores: Mapping[int, float] = field(default_factory=lambda: MappingProxyType({}))
    unlisted: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    ignore_merges: bool = False
    unk_id: int | None = None
    fuse_unk: bool = False
    byte_fallback: bool = False
    continuing_subword_prefix: str = ""
    end_of_word_suffix: str = ""
    max_input_chars_per_word: int = 100
    dropout: float | None = None
    added_tokens: tuple[AddedToken, ...] = ()
    normalizer: Component = UNSTATED
    pre_tokenizer: Component = UNSTATED
    post_processor: Component = UNSTATED
    decoder: Component = UNSTATED
    dialect: Dialect = Dialect.PUBLISHED
    control_from_text: bool = True  # False: special tokens are never taken from text
    begin_id: int | None = None  # added on request where no post-processor is stated
    truncation: Component = UNSTATED
    padding: Component = UNSTATED
    format: str = ""
    files: tuple[str, ...] = ()
    duplicate_keys: tuple[str, ...] = ()  # entries that the file gives twice; the last one counts
    flags_twice: tuple[str, ...] = ()  # added tokens that the file lists with flags that differ
    unused: int = 0  # entries at the end that a count of the file leaves out
    sharing: tuple[tuple[int, Piece], ...] = ()  # entries whose id a later one of the file has
    piece_ids: tuple[int, ...] = ()  # where a class moves them: the id of each entry of the file
    ids_rule: str = ""  # and who says that the class does
    unk_lacks_entry: bool = False  # merges refuse what is unknown: its token is no entry
    library: str = ""  # the version of tokenizers to run it as, where that is an older one
    origins: Mapping[str, Origin] = field(default_factory=dict, compare=False, repr=False)
    added_origins: Mapping[str, Origin] = field(default_factory=dict, compare=False, repr=False)
    merge_lines: Sequence[int] = field(default=(), compare=False, repr=False)  # of a text file

    def __repr__(self) -> str:
        """Return the model and its counts; a whole vocabulary is megabytes."""
        sizes = f"{len(self.pieces):,} pieces, {len(self.merges or ()):,} merges"
        return f"<TokenizerSpec {self.model_type}: {sizes}, {len(self.added_tokens):,} added>"

    def __post_init__(self) -> None:
        """Set the stage and library of each component, so that it can read its steps."""
        for stage in STAGES:
            object.__setattr__(self, stage, getattr(self, stage).at(stage, self.library))

    def surface(self, piece: Piece) -> bytes | str:
        """A piece as files and merges write it: with its `##` or `</w>` mark, if it has one.

        >>> clip = TokenizerSpec(ModelType.BPE, {}, end_of_word_suffix="</w>")
        >>> clip.surface(Piece(TokenType.WORD_END, b"ing"))
        b'ing</w>'
        >>> bert = TokenizerSpec(ModelType.WORDPIECE, {}, continuing_subword_prefix="##")
        >>> bert.surface(Piece(TokenType.CONTINUATION, "ing"))
        '##ing'
        """
        if piece.token_type is ORDINARY:  # nearly every piece, and this is asked of all
            return piece.value
        before = self.continuing_subword_prefix if piece.token_type is CONTINUATION else ""
        after = self.end_of_word_suffix if piece.token_type is TokenType.WORD_END else ""
        if isinstance(piece.value, bytes):
            return before.encode() + piece.value + after.encode()
        return before + piece.value + after

    def each_entry(self) -> Iterable[tuple[int, Piece]]:
        """Return every entry with its id; entries that share one are in the order of the file.

        >>> a, b = (Piece(TokenType.ORDINARY, letter) for letter in "ab")
        >>> spec = TokenizerSpec(ModelType.WORDLEVEL, {5: b}, sharing=((5, a),))
        >>> [(id, piece.value) for id, piece in spec.each_entry()], spec.ids_by_surface
        ([(5, 'a'), (5, 'b')], {'a': 5, 'b': 5})
        """
        return chain(self.sharing, self.pieces.items()) if self.sharing else self.pieces.items()

    def every_piece(self) -> Collection[Piece]:
        """Return every entry, including those that share an id."""
        of_ids = self.pieces.values()
        return (*(piece for _, piece in self.sharing), *of_ids) if self.sharing else of_ids

    def pieces_at(self, id: int) -> tuple[Piece, ...]:
        """Return the entries of an id: none, one, or all that share it."""
        last = self.pieces.get(id)
        return (*self._sharing_by_id.get(id, ()), *(() if last is None else (last,)))

    def added_at(self, id: int) -> tuple[AddedToken, ...]:
        """The added tokens of an id, in the order of the file: none, one, or all that share it."""
        return self._added_by_id.get(id, ())

    @cached_property
    def _added_by_id(self) -> Mapping[int, tuple[AddedToken, ...]]:
        found: dict[int, tuple[AddedToken, ...]] = {}
        for token in self.added_tokens:
            found[token.id] = (*found.get(token.id, ()), token)
        return found

    @cached_property
    def _sharing_by_id(self) -> Mapping[int, list[Piece]]:
        found: dict[int, list[Piece]] = {}
        for id, piece in self.sharing:
            found.setdefault(id, []).append(piece)
        return found

    @cached_property
    def ids_by_surface(self) -> Mapping[bytes | str, int]:
        """Surface -> id; where two ids share one, the later counts, as in the libraries' maps."""
        return {self.surface(piece): id for id, piece in self.each_entry()}

    def size(self) -> int:
        """One past the highest id, so the number of embedding rows the tokenizer needs."""
        top = max(self.pieces, default=-1)
        return max(top, max((token.id for token in self.added_tokens), default=-1)) + 1
