"""Texts about merges: three parts in a row, where the middle one can join either side."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.text.bytes_or_text import bytes_of

MOST = 3_000  # merges that are looked at, evenly over the ranks
EACH = 2  # conflicts of one merge, of those that it wins and those that it loses
SPACE = "▁".encode()

Ranked = tuple[int, bytes]
"""The rank of a merge, and its right part."""


def merge_texts(spec: TokenizerSpec) -> Iterator[str]:
    """Yield competing merges that win on the left, on the right, and in runs of one part.

    >>> from tokaudit_reference.spec import ModelType
    >>> list(merge_texts(TokenizerSpec(ModelType.BPE, {}, merges=(("a", "b"), ("b", "c")))))
    ['abc']
    """
    merges = [(bytes_of(left), bytes_of(right)) for left, right in spec.merges or ()]
    after: Mapping[bytes, Sequence[Ranked]] = _by_left(merges)
    for rank in range(0, len(merges), max(1, len(merges) // MOST)):
        left, right = merges[rank]
        runs = (left + right + right, left * 3) if left == right else ()
        for joined in (*runs, *_conflicts(left, right, rank, after)):
            if text := _readable(joined):
                yield text


def _by_left(merges: Sequence[tuple[bytes, bytes]]) -> Mapping[bytes, Sequence[Ranked]]:
    found: dict[bytes, list[Ranked]] = defaultdict(list)
    for rank, (left, right) in enumerate(merges):
        if len(found[left]) < MOST:
            found[left].append((rank, right))
    return found


def _conflicts(
    left: bytes, right: bytes, rank: int, after: Mapping[bytes, Sequence[Ranked]]
) -> Iterator[bytes]:
    """Yield texts in which two merges compete for the right part."""
    following = after.get(right, ())
    earlier = [part for other, part in following if other < rank][:EACH]
    later = [part for other, part in following if other > rank][:EACH]
    for part in (*earlier, *later):
        yield left + right + part


def _readable(joined: bytes) -> str:
    """Decode the parts; "" if their bytes are not valid UTF-8."""
    try:
        return joined.replace(SPACE, b" ").decode()
    except UnicodeDecodeError:
        return ""
