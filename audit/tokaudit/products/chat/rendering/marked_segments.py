"""Segments of a conversation whose turns are rewritten when later ones follow.

What a message said is found by saying something else.  A turn begins with the header that messages
of its role have elsewhere, and ends where the next one begins; what is left is the template's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from tokaudit.products.chat.rendering.marking import Extent
from tokaudit.products.chat.rendering.own_words import Headers
from tokaudit.products.chat.rendering.segments import Segment


def marked_segments(
    text: str, extents: Sequence[Extent | None], roles: Sequence[str], headers: Headers
) -> tuple[Segment, ...]:
    """Return a segment for each message in the text; None if words are missing or overlap."""
    said = sorted((span, index) for index, span in enumerate(extents) if span is not None)
    spans = [span for span, _ in said]
    if not spans or any(one[1] > other[0] for one, other in pairwise(spans)):
        return ()
    begins = list(_beginnings(text, said, roles, headers))
    ends = [*(start for start, _ in begins[1:]), len(text)]
    return tuple(
        Segment(start, end, roles[index], index, opening if roles[index] == "assistant" else end)
        for (start, opening), end, (_, index) in zip(begins, ends, said, strict=True)
    )


def _beginnings(
    text: str,
    said: Sequence[tuple[Extent, int]],
    roles: Sequence[str],
    headers: Headers,
) -> Iterator[tuple[int, int]]:
    """Yield the start of each turn, and of the words after its header."""
    before = 0
    for (start, end), index in said:
        between = text[before:start]
        places = [
            (at, len(header))
            for header in headers.get(roles[index], ())
            if header.strip() and (at := between.rfind(header)) >= 0
        ]
        unopened = 0 if roles[index] == "system" and not before else len(between)
        at, length = max(places, default=(unopened, 0))
        yield before + at, before + at + length
        before = end
