"""Byte-level BPE with the usual interface: a vocabulary, merges and special tokens.

The text is cut at the special tokens, the rest is split by a pattern, and the bytes of each piece
are merged in the order of the merges.  There are no normalizers, no offsets and no whole-piece
lookup; `ReferenceTokenizer` runs those.  It reads and writes no files.

Source: the GPT-2 release, `encoder.py`; the split pattern is the one published there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from tokaudit_reference.models.bpe.byte_encoder import ByteEncoder, by_pairs, bytes_of
from tokaudit_reference.models.bpe.merge import Pair, Ranked
from tokaudit_reference.models.piece_cache import PieceCache
from tokaudit_reference.spec import SpecError
from tokaudit_reference.text.patterns import compiled
from tokaudit_reference.text.published_patterns import GPT2

Merge = tuple[bytes, bytes]
FRUGAL = 1000  # pieces remembered while a stream is encoded
KEPT = 4  # pieces at the end of what has arrived, which may still change


class BPETokenizer:
    """Encodes text to ids and decodes ids to text.

    A special token that the vocabulary lacks gets the next free id.

    >>> vocab = {byte: bytes([byte]) for byte in range(256)} | {256: b"th", 257: b"the"}
    >>> tokenizer = BPETokenizer(vocab, [(b"t", b"h"), (b"th", b"e")], ["<|end|>"])
    >>> tokenizer.encode("the th<|end|>")
    [257, 32, 256, 258]
    >>> tokenizer.decode([257, 255, 258])
    'the\ufffd<|end|>'
    """

    def __init__(
        self,
        vocab: Mapping[int, bytes],
        merges: Sequence[Merge],
        special_tokens: Sequence[str] | None = None,
        *,
        pattern: str = GPT2,
    ) -> None:
        self._specials = list(dict.fromkeys(special_tokens or ()))
        self.vocab = _with_specials(vocab, self._specials)
        ids = {token: id for id, token in self.vocab.items()}
        self._special_ids = {token: ids[token.encode()] for token in self._specials}
        self._special_pattern = _alternation(self._specials)
        self._pattern = compiled(pattern)
        self._merge = _merging(merges, ids)
        products = [left + right for left, right in merges]
        self._encoder = ByteEncoder(self._merge, products, whole={})
        self._cache = PieceCache(lambda piece: self._encode_piece(piece, self._encoder.encode))

    def encode(self, text: str) -> list[int]:
        """The ids of a text."""
        return list(chain.from_iterable(map(self._cache.__getitem__, self._pieces(text))))

    def encode_iterable(self, iterable: Iterable[str]) -> Iterator[int]:
        """The ids of all the chunks joined, one after another, in constant memory.

        Where the text was cut into chunks makes no difference: what the next one could still change
        is kept back (`settled_pieces` says how far that reaches).
        """
        cache = PieceCache(lambda piece: self._encode_piece(piece, self._merge_text), FRUGAL)
        for pieces in settled_pieces(iterable, self._pieces, self._specials):
            yield from chain.from_iterable(map(cache.__getitem__, pieces))

    def decode(self, ids: Iterable[int]) -> str:
        """The text of ids; bytes that are not UTF-8 become U+FFFD."""
        try:
            return b"".join([self.vocab[id] for id in ids]).decode("utf-8", errors="replace")
        except KeyError as error:
            raise SpecError(
                f"the id {error.args[0]} is not in the vocabulary of {len(self.vocab)} tokens",
                remedy="decode with the vocabulary that the ids were made with",
            ) from None

    def _pieces(self, text: str) -> list[str]:
        """Special tokens and the pieces between them, in order."""
        if self._special_pattern is None:
            return self._pattern.pieces(text)
        found: list[str] = []
        for index, part in enumerate(self._special_pattern.split(text)):
            found.extend((part,) if index % 2 else self._pattern.pieces(part))
        return found

    def _encode_piece(self, piece: str, ordinary: Callable[[str], list[int]]) -> Sequence[int]:
        """Encode a piece between special tokens, or give the id of a special token."""
        special = self._special_ids.get(piece)
        return ordinary(piece) if special is None else (special,)

    def _merge_text(self, piece: str) -> list[int]:
        return self._merge(bytes_of(piece))


def _with_specials(vocab: Mapping[int, bytes], specials: Iterable[str]) -> dict[int, bytes]:
    complete, known = dict(vocab), set(vocab.values())
    for token in specials:
        if not token:
            raise SpecError("a special token is empty", remedy="leave it out")
        if token.encode() not in known:
            complete[max(complete, default=-1) + 1] = token.encode()
            known.add(token.encode())
    return complete


def _alternation(specials: Iterable[str]) -> re.Pattern[str] | None:
    """A group that finds special tokens, the longest of those that begin at one place."""
    longest_first = sorted(specials, key=len, reverse=True)
    return re.compile(f"({'|'.join(map(re.escape, longest_first))})") if longest_first else None


def _merging(merges: Sequence[Merge], ids: Mapping[bytes, int]) -> Callable[[bytes], list[int]]:
    """Return a function from bytes to ids by the merges; a byte without an id is an error."""
    table: dict[Pair, Ranked] = {}
    for rank, (left, right) in enumerate(merges):
        try:
            table.setdefault((ids[left], ids[right]), (rank, ids[left + right]))
        except KeyError as error:
            what = f"the merge of {left!r} and {right!r} needs {error.args[0]!r}"
            place, remedy = f"merges[{rank}]", "add the token to the vocabulary or drop the merge"
            raise SpecError(f"{what}, which has no id", pointer=place, remedy=remedy) from None
    missing = frozenset(byte for byte in range(256) if bytes([byte]) not in ids)
    merge = by_pairs(table, [ids.get(bytes([byte]), -1) for byte in range(256)])
    if not missing:
        return merge

    def checked(data: bytes) -> list[int]:
        if lacking := missing.intersection(data):
            what = f"the byte 0x{min(lacking):02X} has no id"
            raise SpecError(what, remedy="give the vocabulary all 256 bytes")
        return merge(data)

    return checked


def settled_pieces(
    chunks: Iterable[str], pieces: Callable[[str], list[str]], specials: Sequence[str]
) -> Iterator[list[str]]:
    """Lists of pieces that together are those of the whole text, wherever the stream is cut.

    A piece at the end of what has arrived may still grow, a pattern may look past its match, and a
    special token may have arrived by half.  So the last pieces are kept back and split again with
    what comes next, and so is the beginning of a special token.

    That holds for every pattern that looks at most KEPT pieces past a match and never before it, as
    all the published ones do: they look over a run of white space and one character, or over an
    English contraction.

    >>> words = re.compile(r"<end>|[a-z]+|.").findall
    >>> list(settled_pieces(["to", "kens<e", "nd>"], words, ["<end>"]))
    [[], [], [], ['tokens', '<end>']]
    """
    prefixes = {token[:length] for token in specials for length in range(1, len(token))}
    whole = re.compile("|".join(map(re.escape, sorted(specials, key=len, reverse=True))) or "(?!)")
    longest = max(map(len, prefixes), default=0)
    held = ""
    for chunk in chunks:
        held += chunk
        ready = pieces(held[: _decided(held, prefixes, longest, whole)])[:-KEPT]
        held = held[sum(map(len, ready)) :]
        yield ready
    yield pieces(held)


def _decided(text: str, prefixes: set[str], longest: int, whole: re.Pattern[str]) -> int:
    """Return the end of the text, or the start of a special token that may be incomplete."""
    for start in range(max(0, len(text) - longest), len(text)):
        if text[start:] in prefixes and not _inside(start, text, whole):
            return start
    return len(text)


def _inside(place: int, text: str, whole: re.Pattern[str]) -> bool:
    return any(found.start() < place < found.end() for found in whole.finditer(text))
