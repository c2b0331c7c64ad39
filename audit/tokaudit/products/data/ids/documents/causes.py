"""Find the cause if ids differ from the tokenizer's encoding of their text."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from tokaudit.products.data.ids.counts.tally import Sign
from tokaudit.products.data.ids.documents.differing import Difference, difference, differences
from tokaudit.products.data.ids.documents.joints import most_joints
from tokaudit.runtimes.protocol import DecodeOptions, Tokenizer

REPLACEMENT = "\ufffd"  # what decoders write for bytes that are not UTF-8
AT_EDGE = 8  # ids next to a cut that may be others
COMPARED = 400  # ids of a text whose differences are looked at one by one


@dataclass(frozen=True, slots=True)
class Segment:
    """Ids of one text, and whether either end may be in mid-text.

    One that is the `first` of its document may begin with a part of a character, as where long
    texts are cut into rows.  Where texts may be `joined`, nothing says where one ends.
    """

    place: int  # in its document
    ids: tuple[int, ...]
    open_start: bool = False
    open_end: bool = False
    sampled: bool = False
    first: bool = False
    joined: bool = False


def explained(
    segment: Segment,
    text: str,
    own: tuple[int, ...],
    plain: tuple[int, ...],
    written: bytes,
    *,
    came_back: bool,
) -> Difference:
    """Return the cause for one segment; `written` are ids of other texts by the same writer."""
    first = difference(segment.ids, own)
    if REPLACEMENT in text:
        # Allow parts of characters at open ends alone; inside they are no UTF-8.
        left = REPLACEMENT * (segment.open_start or segment.first)
        right = REPLACEMENT * segment.open_end
        if REPLACEMENT in text.lstrip(left or "\0").rstrip(right or "\0"):
            return replace(first, sign=Sign.SAMPLED if segment.sampled else Sign.NOT_UTF8)
        if inner_differences(replace(segment, open_start=bool(left)), own) == []:
            return replace(first, sign=Sign.CUT)
    # Ask this before anything vaguer: it explains every id at once.
    if plain == segment.ids:
        return replace(first, sign=Sign.SPECIAL_AS_TEXT)
    # Expect other cuts of what a model wrote, which need not be the encoder's.
    if segment.sampled:
        return replace(first, sign=Sign.SAMPLED)
    # Forgive ids next to a cut: they were made with the text beyond it.
    at_end = segment.open_end and first.offset >= len(segment.ids) - AT_EDGE
    if at_end or inner_differences(segment, own) == []:
        return replace(first, sign=Sign.CUT)
    if not came_back:
        return replace(first, sign=Sign.NORMALIZED)
    # Tell dropout from another tokenizer: it cuts finer, and elsewhere as the own.
    both = _only_finer(segment.ids, own) and _holds(written, packed(first.own))
    return replace(first, sign=Sign.TWO_WAYS if both else Sign.OTHER)


def inner_differences(segment: Segment, own: Sequence[int]) -> list[Difference] | None:
    """Return differences away from ends in mid-text; None if there are too many."""
    length = len(segment.ids)
    found = differences(segment.ids, own, most_joints(length) + 2)
    if found is None:
        return None
    return [
        each
        for each in found
        if not (segment.open_start and each.stop <= AT_EDGE)
        and not (segment.open_end and each.offset >= length - AT_EDGE)
    ]


def packed(ids: Iterable[int]) -> bytes:
    """Pack ids in eight bytes each, to search for some among many."""
    return array("q", ids).tobytes()


def _only_finer(ids: Sequence[int], own: Sequence[int]) -> bool:
    """Return whether all differences are finer splits of tokens, as with dropout."""
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
    """Add the text of its ids to a difference."""
    if not found.ids:
        return found
    (output,) = tokenizer.decode([found.ids], DecodeOptions())
    text = output if isinstance(output, str) else output.decode("utf-8", "backslashreplace")
    return replace(found, text=text)
