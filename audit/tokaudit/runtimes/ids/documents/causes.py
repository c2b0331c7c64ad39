"""Why ids are not those that the tokenizer makes of their text: one cause for each text."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from tokaudit.runtimes.ids.counts.tally import Sign
from tokaudit.runtimes.protocol import DecodeOptions, Tokenizer

REPLACEMENT = "\ufffd"  # what decoders write for bytes that are not UTF-8
AT_EDGE = 8  # ids next to a cut that may be others
SHOWN = 24  # ids of a difference
COMPARED = 400  # ids of a text whose differences are looked at one by one


@dataclass(frozen=True, slots=True)
class Segment:
    """Ids between two that are around texts, and whether either end may be in mid-text.

    It is not `readable` where one of the ids has no text.  One that is the `first` of its document
    may begin with a part of a character, as where long texts are cut into rows.
    """

    place: int  # in its document
    ids: tuple[int, ...]
    readable: bool = True
    open_start: bool = False
    open_end: bool = False
    sampled: bool = False
    first: bool = False


@dataclass(frozen=True, slots=True)
class Difference:
    """What a text is, and the first place where its ids and the own ones are not the same."""

    sign: Sign
    offset: int = 0
    ids: tuple[int, ...] = ()
    own: tuple[int, ...] = ()
    text: str = ""


def explained(
    segment: Segment,
    text: str,
    own: tuple[int, ...],
    plain: tuple[int, ...],
    came_back: str | None,
    written: bytes,
) -> Difference:
    """The cause for one segment; `written` are the ids of others by the same writer, packed."""
    first = difference(segment.ids, own)
    if REPLACEMENT in text:
        left = REPLACEMENT * (segment.open_start or segment.first)
        right = REPLACEMENT * segment.open_end
        if REPLACEMENT not in text.lstrip(left or "\0").rstrip(right or "\0"):
            return replace(first, sign=Sign.CUT)
        return replace(first, sign=Sign.SAMPLED if segment.sampled else Sign.NOT_UTF8)
    if plain == segment.ids:
        return replace(first, sign=Sign.SPECIAL_AS_TEXT)
    if segment.sampled:
        return replace(first, sign=Sign.SAMPLED)
    if came_back != text:
        return replace(first, sign=Sign.NORMALIZED)
    if _at_cut(segment, own, first):
        return replace(first, sign=Sign.CUT)
    both = _only_finer(segment.ids, own) and _holds(written, packed(first.own))
    return replace(first, sign=Sign.TWO_WAYS if both else Sign.OTHER)


def difference(ids: Sequence[int], own: Sequence[int]) -> Difference:
    """The first ids that are not the same, up to where both go on alike.

    >>> found = difference([1, 5, 6, 2, 3], [1, 7, 2, 3])
    >>> found.offset, found.ids, found.own
    (1, (5, 6), (7,))
    """
    pairs = enumerate(zip(ids, own, strict=False))
    start = next((at for at, (a, b) in pairs if a != b), min(len(ids), len(own)))
    for length in range(1, SHOWN):
        for other in range(length + 1):
            for left, right in {(length, other), (other, length)}:
                after, following = ids[start + left :], own[start + right :]
                if tuple(after[:4]) == tuple(following[:4]) and (left or right):
                    mine = tuple(ids[start : start + left])
                    return Difference(Sign.OTHER, start, mine, tuple(own[start : start + right]))
    return Difference(
        Sign.OTHER, start, tuple(ids[start : start + SHOWN]), tuple(own[start : start + SHOWN])
    )


def _at_cut(segment: Segment, own: Sequence[int], first: Difference) -> bool:
    """Whether the only difference is next to an end that may be in mid-text."""
    if segment.open_end and first.offset >= len(segment.ids) - AT_EDGE:
        return True
    after = first.offset + len(first.ids)
    same = segment.ids[after:] == tuple(own[first.offset + len(first.own) :])
    return segment.open_start and after <= AT_EDGE and same


def packed(ids: Iterable[int]) -> bytes:
    """Ids in eight bytes each, so that some can be looked for among many."""
    return array("q", ids).tobytes()


def _only_finer(ids: Sequence[int], own: Sequence[int]) -> bool:
    """Whether every difference is that a token is in several parts, as with dropout."""
    same = SequenceMatcher(None, ids[:COMPARED], own[:COMPARED], autojunk=False)
    changes = [code for code in same.get_opcodes() if code[0] != "equal"]
    inner = changes[:-1] if len(ids) > COMPARED else changes
    return bool(inner) and all(j1 < j2 and i2 - i1 > j2 - j1 for _, i1, i2, j1, j2 in inner)


def _holds(row: bytes, wanted: bytes) -> bool:
    at = row.find(wanted)
    while at >= 0 and at % 8:
        at = row.find(wanted, at + 1)
    return bool(wanted) and at >= 0


def trimmed(found: Difference, tokenizer: Tokenizer) -> Difference:
    """The difference with the text of its ids."""
    if not found.ids:
        return found
    (output,) = tokenizer.decode([found.ids], DecodeOptions())
    text = output if isinstance(output, str) else output.decode("utf-8", "backslashreplace")
    return replace(found, text=text)
