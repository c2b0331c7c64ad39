"""A byte-level BPE as its files spell it: bytes in the byte alphabet, ids in the order learned.

The 256 bytes come first, in the order of the alphabet's characters, then what each merge makes,
once.  GPT-2 numbers its vocabulary so; tiktoken takes these ids for ranks, and its loader for
GPT-2's pair of files reads `vocab.json` and `merges.txt` as they are.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from tokaudit_reference.text.bytes_alphabet import BYTE_OF, to_characters

VERSION = "#version: 0.2"  # loaders skip the first line, whatever it says

Merge = tuple[bytes, bytes]


def spelled(merges: Iterable[Merge]) -> list[tuple[str, str]]:
    """Merges in the byte alphabet.

    >>> spelled([(b" ", b"t")])
    [('Ġ', 't')]
    """
    return [(to_characters(left), to_characters(right)) for left, right in merges]


def vocab_of(merges: Iterable[tuple[str, str]]) -> dict[str, int]:
    """Token -> id: the bytes, then each new product of the merges.

    >>> vocab = vocab_of([("t", "h"), ("th", "e")])
    >>> vocab["!"], vocab["Ń"], vocab["th"], vocab["the"]
    (0, 255, 256, 257)
    """
    tokens = dict.fromkeys([*sorted(BYTE_OF), *(left + right for left, right in merges)])
    return {token: id for id, token in enumerate(tokens)}


def pair_of_files(vocab: Mapping[str, int], merges: Sequence[tuple[str, str]]) -> dict[str, str]:
    """`vocab.json` and `merges.txt`."""
    lines = [VERSION, *(f"{left} {right}" for left, right in merges)]
    return {
        "vocab.json": json.dumps(vocab, ensure_ascii=False) + "\n",
        "merges.txt": "".join(f"{line}\n" for line in lines),
    }
