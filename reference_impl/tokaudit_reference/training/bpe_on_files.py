"""Trains byte-level BPE on a file: split by a pattern, count, merge the most frequent pair.

It writes no files; `BPETokenizer` encodes with what it returns.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from tokaudit_reference.spec import SpecError
from tokaudit_reference.text.bytes_alphabet import BYTE_OF
from tokaudit_reference.text.published_patterns import GPT2
from tokaudit_reference.training.bpe_trainer import train
from tokaudit_reference.training.tie_breaks import RULES
from tokaudit_reference.training.words import count_words

Merge = tuple[bytes, bytes]
ByteOrder = Literal["raw", "alphabet"]
BYTES = 256


def train_bpe(
    input_path: str | os.PathLike[str],
    vocab_size: int,
    special_tokens: Sequence[str] = (),
    *,
    tie_break: str = "lexicographic_max",
    byte_order: ByteOrder = "raw",
    pattern: str = GPT2,
    min_frequency: int = 1,
    processes: int | None = None,
    on_merge: Callable[[int, int], None] | None = None,
) -> tuple[dict[int, bytes], list[Merge]]:
    """The vocabulary (id -> bytes) and the merges in the order learned.

    Ids are the 256 bytes, then the products of the merges, then the special tokens.  `vocab_size`
    counts all of them; training ends early when no pair occurs `min_frequency` times.  `byte_order`
    numbers the bytes for `tie_break="lowest_id"`: by value, or by GPT-2's alphabet of bytes as
    Hugging Face's trainer does.  Raises `SpecError` for sizes, rules and special tokens that cannot
    be, and for a corpus that is not UTF-8.
    """
    special = list(dict.fromkeys(special_tokens))
    refuse_unwritable(special)
    merges = vocab_size - BYTES - len(special)
    if merges < 0:
        raise SpecError(
            f"the vocabulary size {vocab_size} is less than the {BYTES} bytes and"
            f" {len(special)} special tokens",
            remedy=f"ask for {BYTES + len(special)} or more",
        )
    if tie_break not in RULES:
        raise SpecError(
            f"the tie break {tie_break!r} is unknown", remedy=f"use one of {', '.join(RULES)}"
        )
    learned = merges_of(
        count_words(Path(input_path), special, [pattern], processes=processes),
        merges,
        tie_break,
        byte_order,
        min_frequency=min_frequency,
        on_merge=on_merge,
    )
    values = [*map(single, range(BYTES)), *(left + right for left, right in learned)]
    return dict(enumerate([*values, *(token.encode() for token in special)])), learned


def refuse_unwritable(special_tokens: Iterable[str]) -> None:
    """Raise `SpecError` for a special token that no text can hold."""
    for token in special_tokens:
        if token.encode(errors="ignore").decode() != token or not token:
            raise SpecError(
                f"the special token {token!r} is empty or has no UTF-8",
                remedy="leave it out, or write it in Unicode characters",
            )


def merges_of(
    words: Mapping[str, int] | Iterable[tuple[str, int]],
    merges: int,
    tie_break: str = "lexicographic_max",
    byte_order: ByteOrder = "raw",
    *,
    min_frequency: int = 1,
    on_merge: Callable[[int, int], None] | None = None,
) -> list[Merge]:
    """Learn merges from counted pre-tokens, which may come one by one, each once.

    >>> merges_of({"low": 5, "lower": 2, "newest": 6, "widest": 3}, 3)
    [(b's', b't'), (b'e', b'st'), (b'o', b'w')]
    """
    order = [BYTE_OF[character] for character in sorted(BYTE_OF)]
    if byte_order == "raw":
        order = list(range(BYTES))
    spelt = spelled(words.items() if isinstance(words, Mapping) else words, order)
    del words  # so that 100 MB of a large corpus are gone before the pairs are counted
    values = list(map(single, order))
    pairs = train(spelt, values, merges, tie_break, min_frequency=min_frequency, on_merge=on_merge)
    for left, right in pairs:
        values.append(values[left] + values[right])
    return [(values[left], values[right]) for left, right in pairs]


def spelled(words: Iterable[tuple[str, int]], order: Iterable[int]) -> Iterator[tuple[str, int]]:
    """Yield the words with one character for each byte: its place in the order.

    >>> list(spelled([("ba", 3)], [97, 98, *range(97), *range(99, 256)]))
    [('\\x01\\x00', 3)]
    """
    places = {byte: chr(place) for place, byte in enumerate(order)}
    for word, count in words:
        yield word.encode("utf-8").decode("latin-1").translate(places), count


def single(byte: int) -> bytes:
    """Return the bytes that hold one byte."""
    return bytes([byte])
