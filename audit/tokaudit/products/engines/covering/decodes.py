"""Ids that no text encodes to: partial characters, invalid bytes, marks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tokaudit.engine.evidence import token_values
from tokaudit.products.engines.covering.vectors import MOST_DECODES
from tokaudit.products.engines.covering.vectors_file import Decode
from tokaudit.runtimes.protocol import Tokenizer
from tokaudit_reference.spec import TokenizerSpec

IN_PARTS = ("é", "中", "\u3000", "😀", "𠀀𠀁", "\ufeff", "\u0915\u093f", "a\u0301b", "\u00adx")
"""Characters that mostly take several tokens."""
NO_TEXT = (b"\x80", b"\xff", b"\xe4\xb8", b"\xe4a", b"\xf0\x9f\x98", b"\xed\xa0\x80", b"\xc0\xaf")
BOM = b"\xef\xbb\xbf"
MOST_ADDED = 3


def decodes_of(spec: TokenizerSpec, reference: Tokenizer) -> list[Decode]:
    """Return ids that hardly any text encodes to, with the reference's decoded text."""
    if "decode" not in reference.capabilities:
        return []
    asked = _ids_to_decode(spec, reference, MOST_DECODES)
    texts = reference.decode([ids for _, ids in asked])
    both = zip(asked, texts, strict=True)
    return [Decode(about, list(ids), text) for (about, ids), text in both if isinstance(text, str)]


def _ids_to_decode(
    spec: TokenizerSpec, reference: Tokenizer, most: int
) -> list[tuple[str, tuple[int, ...]]]:
    """Return at most `most` distinct rows of ids, with their subjects."""
    found: dict[tuple[int, ...], str] = {}
    for about, ids in (*_parts(reference), *_bytes(spec), *_marks(spec, reference)):
        if ids:
            found.setdefault(ids, about)
    return [(about, ids) for ids, about in found.items()][:most]


def _parts(reference: Tokenizer) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield each character's tokens without the last, and without the first."""
    for one in reference.encode(IN_PARTS):
        if len(one.ids) > 1:
            yield "the beginning of a character", one.ids[:-1]
            yield "the end of a character", one.ids[1:]


def _bytes(spec: TokenizerSpec) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield invalid bytes, if each byte is a token; and a byte order mark."""
    by_value = {value: id for id, value in token_values(spec).items()}
    one_byte = {value[0]: id for value, id in by_value.items() if len(value) == 1}
    for value in (*NO_TEXT, BOM, BOM + b"a", b"a" + BOM):
        if all(byte in one_byte for byte in value):
            yield "bytes that are no text", tuple(one_byte[byte] for byte in value)
    if BOM in by_value and ord("a") in one_byte:
        yield "a mark of byte order", (by_value[BOM], one_byte[ord("a")])


def _marks(spec: TokenizerSpec, reference: Tokenizer) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield added tokens at either end, doubled, and inside a text."""
    [before, after] = (one.ids for one in reference.encode(("a", " b.")))
    for id in _some(sorted(token.id for token in spec.added_tokens)):
        for ids in ((id,), (id, id), (id, *before), (*before, id), (*before, id, *after)):
            yield "added tokens", ids


def _some(ids: Sequence[int]) -> Sequence[int]:
    return ids if len(ids) <= MOST_ADDED else (ids[0], ids[len(ids) // 2], ids[-1])
