"""A canonical form of values and tables as bytes, so that equal ones have equal digests."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from itertools import islice
from json.encoder import encode_basestring as quoted
from operator import itemgetter
from typing import Any

from tokaudit_reference.spec import TokenizerSpec

LINES_AT_ONCE = 4096


class Written(dict[bytes | str, str]):
    """Values of pieces as canonical JSON, each formatted once for all identities.

    >>> Written()[b"a"], Written()['"']
    ('{"bytes":"61"}', '{"text":"\\\\""}')
    """

    def __missing__(self, value: bytes | str) -> str:
        """Format a new value."""
        if isinstance(value, bytes):
            self[value] = f'{{"bytes":"{value.hex()}"}}'
        else:
            self[value] = f'{{"text":{quoted(value)}}}'
        return self[value]


def canonical(value: Any) -> bytes:
    """Encode as JSON with sorted keys, no spaces and no escapes, in UTF-8."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


def table_digest(lines: Iterable[str]) -> tuple[str, int]:
    """Return the digest and the number of rows of a table, given as lines."""
    digest, n, lines = hashlib.sha256(), 0, iter(lines)
    while chunk := list(islice(lines, LINES_AT_ONCE)):
        digest.update("".join(chunk).encode("utf-8", "surrogatepass"))
        n += len(chunk)
    return "sha256:" + digest.hexdigest(), n


def vocab_rows(spec: TokenizerSpec, written: Written) -> Iterator[str]:
    """Yield the entries that are not added tokens, by id and then by file order."""
    added = {token.id for token in spec.added_tokens}
    return (
        f'[{id},"{p.token_type}",{written[p.value]}]\n'
        for id, p in sorted(spec.each_entry(), key=itemgetter(0))
        if id not in added
    )


def merges_rows(spec: TokenizerSpec, written: Written) -> Iterator[str]:
    """Yield the pairs as the file lists them."""
    return (f"[{written[left]},{written[right]}]\n" for left, right in spec.merges or ())
