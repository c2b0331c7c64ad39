"""The protocol by which checks use any tokenizer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from msgspec import Struct

Cut = Callable[[Sequence[str]], Sequence[Sequence[str] | None]]
"""Texts to the pre-tokens of each, or None where that is not known."""


class Encoding(Struct, frozen=True, gc=False):
    """The ids of one text, and whatever else was asked for and the tokenizer can tell.

    `offsets` are half-open intervals in Unicode code points of the text; `error` holds the
    upstream's own words when this text could not be encoded (`ids` is then empty).  An audit makes
    some 300,000, and a frozen dataclass takes fifteen times as long to make.
    """

    ids: tuple[int, ...] = ()
    offsets: tuple[tuple[int, int], ...] | None = None
    attention_mask: tuple[int, ...] | None = None
    type_ids: tuple[int, ...] | None = None
    error: str | None = None
    killed: bool = False  # the text took the whole process down, or ran out of its time
    given_up: bool = False  # the encoder had cost too much by then, and the text is not to blame


@dataclass(frozen=True, slots=True)
class EncodeOptions:
    """The options of encoding; the default adds no special tokens but takes those in the text.

    A `piece` of a byte-level model is its bytes read as UTF-8, what is not UTF-8 as lone surrogates
    (`surrogateescape`), so that every entry of a vocabulary can be asked about.
    """

    add_special_tokens: bool = False
    parse_special: bool = True  # special tokens in the text become their ids
    offsets: bool = False
    type_ids: bool = False  # which of two texts each token is of, as a post-processor says
    pad: bool = False  # pad the batch to its longest, as the tokenizer's own settings say
    piece: bool = False  # each text is one pre-token, given to the model alone (see below)
    limits: bool = False  # truncate and pad as the file's own settings say
    second: str | None = None  # the second text of a pair, of which each text is the first
    alone: bool = False  # by the library's call for one text, where it has another for a batch
    taken: tuple[str, ...] = ()  # fields of the spec taken over from the request's other subject
    threads: int = 1  # the texts are dealt out to so many, which begin at once
    reloaded: bool = False  # by what the library loads again from what it saves


class Continuation(Struct, frozen=True, gc=False):
    """A text, and parts whose ids, in sequence, it should begin with.

    A part is a text, ids, or so many characters of the text itself, from where the part before
    ended: then it travels once.  With `whole` the text should have no more ids than they.  Each
    conversation is asked about by several, and a struct is made sooner than a dataclass.

    >>> list(Continuation((2, "d", (7,)), "abcd").spelled())
    ['ab', 'd', (7,)]
    """

    parts: tuple[str | int | tuple[int, ...], ...]
    text: str
    whole: bool = False

    def __len__(self) -> int:
        """Return the characters and ids in the request."""
        return len(self.text) + sum(1 if isinstance(one, int) else len(one) for one in self.parts)

    def spelled(self) -> Iterator[str | tuple[int, ...]]:
        """Yield the parts as texts and ids."""
        at = 0
        for part in self.parts:
            if isinstance(part, int):
                yield self.text[at : at + part]
                at += part
            else:
                yield part


@dataclass(frozen=True, slots=True)
class DecodeOptions:
    """The options of decoding; the default drops nothing and cleans nothing."""

    skip_special_tokens: bool = False
    as_bytes: bool = False  # where the tokenizer can tell both text and bytes
    streamed: bool = False  # id by id, by the library's own decoder for streams


@dataclass(frozen=True, slots=True)
class TokenizerInfo:
    """The identity of a tokenizer: its adapter, package and version, and its Unicode tables."""

    adapter: str
    package: str
    version: str
    unicode_version: str = ""
    notes: tuple[str, ...] = field(default=())


class Tokenizer(Protocol):
    """Five members; new abilities are option fields and capabilities, not members."""

    @property
    def info(self) -> TokenizerInfo:
        """Return the identity of the tokenizer."""
        ...

    @property
    def capabilities(self) -> frozenset[str]:
        """Any of: encode, decode, decode_bytes, offsets, type_ids, special, pad, limits, pairs,
        piece, vocab, adds (special tokens around a text), parses (special tokens in a text,
        whatever is asked), batch (and each text alone), threads, reload, stream."""
        ...

    def vocab(self) -> dict[int, bytes | str]:
        """Map ids to tokens as the tokenizer names them."""
        ...

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        """Encode each text, in order."""
        ...

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        """Decode each list of ids, in order."""
        ...


def text_or_none(output: bytes | str) -> str | None:
    """Return decoded output as text; None for bytes that are not text.

    >>> text_or_none(b"a"), text_or_none(b"\\xff")
    ('a', None)
    """
    try:
        return output if isinstance(output, str) else output.decode()
    except UnicodeDecodeError:
        return None
