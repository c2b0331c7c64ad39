"""Check texts of documents: decode the ids, encode the text, and compare."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tokaudit.foundation.errors import UpstreamTrouble
from tokaudit.products.data.files.batch import numpy
from tokaudit.products.data.ids.counts.ranks import count_own
from tokaudit.products.data.ids.counts.tally import MOST_TOKENS, Sign, Tally
from tokaudit.products.data.ids.documents.causes import (
    Segment,
    explained,
    inner_differences,
    packed,
    trimmed,
)
from tokaudit.products.data.ids.documents.differing import Difference
from tokaudit.products.data.ids.documents.joints import are_joints, most_joints
from tokaudit.products.data.ids.documents.letters import Letters
from tokaudit.products.data.ids.documents.reading import Reading, readings
from tokaudit.runtimes.protocol import DecodeOptions, EncodeOptions, Encoding, Tokenizer
from tokaudit_reference.text.bytes_or_text import text_of

OWN = Difference(Sign.OWN)


@dataclass(frozen=True, slots=True)
class OtherEncoding:
    """A segment that differs from its own encoding: its index, and its decoded form."""

    place: int
    segment: Segment
    read: Reading


def judge(segments: Sequence[Segment], tokenizer: Tokenizer, tally: Tally) -> list[Difference]:
    """Compare each segment with the encoding of its text."""
    found = [Difference(Sign.UNDECIDED)] * len(segments)
    left = _not_own(segments, tokenizer, tally, found)
    unlike = list(_unlike(left, segments, tokenizer, tally, found))
    if not unlike:
        return found
    read = [each.read for each in unlike]
    count_own([numpy().array(one.own.ids, "i8") for one in read], tally)
    plain = _encoded(tokenizer, [one.text for one in read], special=False)
    came_back = [one.form(back) for one, back in zip(read, _again(tokenizer, read), strict=True)]
    stable = _stable(tokenizer, read, came_back)
    letters = Letters(tokenizer)
    written = packed(id for segment in segments for id in (*segment.ids, -1))
    for each, bare, back, settled in zip(unlike, plain, came_back, stable, strict=True):
        if not settled:  # decoding adds or loses text each time, so nothing follows
            continue
        segment, own = each.segment, each.read.own.ids
        same = back == each.read.text
        one = explained(segment, each.read.decoded, own, bare.ids, written, came_back=same)
        other = one.sign in (Sign.OTHER, Sign.TWO_WAYS)
        if other and segment.joined and (sign := _joined(tokenizer, segment, own, tally)):
            found[each.place] = replace(one, sign=sign)
            continue
        if other and not letters.same(segment.ids, own):
            continue  # decoding gives one text for several, so the ids may be those of another
        found[each.place] = trimmed(one, tokenizer)
        if other and len(tally.tokens) < MOST_TOKENS:
            token = one.own[0] if one.own else -1
            tally.tokens[token] = tally.tokens.get(token, 0) + 1
    return found


def _not_own(
    segments: Sequence[Segment], tokenizer: Tokenizer, tally: Tally, found: list[Difference]
) -> list[int]:
    """Return the indices of segments that may differ, and count the others.

    A worker decodes and encodes at once, so that neither texts nor ids travel for the many that
    come back.
    """
    asked = list(range(len(segments)))
    at_once = getattr(tokenizer, "round_trips", None)
    if at_once is None or not asked:
        return asked
    left = []
    for place, one in zip(asked, at_once([segments[at].ids for at in asked]), strict=True):
        if one is None or not one[0]:
            left.append(place)
        else:
            found[place] = OWN
            _count(tally, segments[place], one[1], one[2])
    return left


def _joined(
    tokenizer: Tokenizer, segment: Segment, own: tuple[int, ...], tally: Tally
) -> Sign | None:
    """Return whether texts meet at each of few differences, and count their tokens."""
    inner = inner_differences(segment, own)
    if not inner or len(inner) > most_joints(len(segment.ids)):
        return None
    if not are_joints(tokenizer, segment.ids, inner):
        return Sign.MAYBE_JOINED
    for each in inner:
        token = each.own[0] if each.own else -1
        if token in tally.joints or len(tally.joints) < MOST_TOKENS:
            tally.joints[token] = tally.joints.get(token, 0) + 1
    return Sign.JOINED


def _count(tally: Tally, segment: Segment, size: int, own: int) -> None:
    tally.drawn_ids += len(segment.ids)
    tally.drawn_bytes += size
    tally.own_ids += own


def _unlike(
    places: Sequence[int],
    segments: Sequence[Segment],
    tokenizer: Tokenizer,
    tally: Tally,
    found: list[Difference],
) -> Iterator[OtherEncoding]:
    """Yield segments with a text that encodes to other ids."""
    texts = list(_texts(tokenizer, [segments[place] for place in places]))
    known = [(place, text) for place, text in zip(places, texts, strict=True) if text is not None]
    rows = [segments[place].ids for place, _ in known]
    read = readings(tokenizer, rows, [text for _, text in known])
    for (place, text), one in zip(known, read, strict=True):
        if one.own.error is not None:
            continue
        segment = segments[place]
        _count(tally, segment, len(text.encode("utf-8", "surrogatepass")), len(one.own.ids))
        if one.own.ids == segment.ids:
            found[place] = OWN
        else:
            yield OtherEncoding(place, segment, one)


def _texts(tokenizer: Tokenizer, segments: Sequence[Segment]) -> Iterator[str | None]:
    """Yield the text of each segment; None if it is not UTF-8 or undecodable."""
    try:
        outputs = tokenizer.decode([each.ids for each in segments], DecodeOptions())
    except UpstreamTrouble:
        outputs = []
        for each in segments:
            try:
                outputs += tokenizer.decode([each.ids], DecodeOptions())
            except UpstreamTrouble:
                outputs.append(b"\xff")
    for output in outputs:
        try:
            yield output if isinstance(output, str) else output.decode()
        except UnicodeDecodeError:
            yield output.decode("utf-8", "replace") if isinstance(output, bytes) else None


def _stable(tokenizer: Tokenizer, read: Sequence[Reading], came_back: Sequence[str]) -> list[bool]:
    """Return whether a text that changes in a round trip is stable in the second."""
    other = [
        (one.form, back) for one, back in zip(read, came_back, strict=True) if back != one.text
    ]
    encoded = _encoded(tokenizer, [back for _, back in other])
    again = [Reading(back, form, own) for (form, back), own in zip(other, encoded, strict=True)]
    second = iter(_again(tokenizer, again))
    return [
        back == one.text or one.form(next(second)) == back
        for one, back in zip(read, came_back, strict=True)
    ]


def _again(tokenizer: Tokenizer, read: Sequence[Reading]) -> list[str]:
    """Decode the own encodings; empty if the result is not text."""
    outputs = tokenizer.decode([each.own.ids for each in read], DecodeOptions())
    return [text_of(each) or "" for each in outputs]


def _encoded(tokenizer: Tokenizer, texts: Sequence[str], *, special: bool = True) -> list[Encoding]:
    return tokenizer.encode(texts, EncodeOptions(parse_special=special))
