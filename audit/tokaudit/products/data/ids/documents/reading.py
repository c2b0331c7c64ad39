"""Texts that ids may encode: their decoded text, with what decoding changes undone.

A decoder takes a space off that encoding adds to some texts only, or leaves the marks of ends of
words for a library to take off.  Ids that any of these texts is encoded to are an own encoding.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from tokaudit.products.data.ids.documents.letters import AT_END
from tokaudit.runtimes.protocol import (
    DecodeOptions,
    EncodeOptions,
    Encoding,
    Tokenizer,
    text_or_none,
)

Form = Callable[[str], str]


def _as_decoded(text: str) -> str:
    return text


def _after_a_space(text: str) -> str:
    return f" {text}"


def _without_marks(text: str) -> str:
    return text.replace(AT_END, " ")


OTHER_FORMS: tuple[Form, ...] = (_after_a_space, _without_marks)


@dataclass(frozen=True, slots=True)
class Reading:
    """The output of a decoder, the text to encode for it, and its encoding."""

    decoded: str
    form: Form
    own: Encoding

    @property
    def text(self) -> str:
        """Return the text to encode."""
        return self.form(self.decoded)


def readings(
    tokenizer: Tokenizer, rows: Sequence[Sequence[int]], texts: Sequence[str]
) -> list[Reading]:
    """Return for each decoded text the form whose encoding matches the ids longest."""
    own = tokenizer.encode(texts, EncodeOptions())
    found = [Reading(text, _as_decoded, one) for text, one in zip(texts, own, strict=True)]
    for form in OTHER_FORMS:
        open_ = [
            at
            for at, one in enumerate(found)
            if one.own.ids != tuple(rows[at]) and form(one.decoded) != one.decoded
        ]
        encoded = tokenizer.encode([form(texts[at]) for at in open_], EncodeOptions())
        for at, one in zip(open_, encoded, strict=True):
            if one.error is None and _alike(one, rows[at]) > _alike(found[at].own, rows[at]):
                found[at] = Reading(texts[at], form, one)
    return found


def _alike(own: Encoding, ids: Sequence[int]) -> tuple[bool, int]:
    """Return whether all ids are equal, and the number of equal first ids."""
    pairs = zip(own.ids, ids, strict=False)
    return own.ids == tuple(ids), sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def own_ids(tokenizer: Tokenizer, rows: Sequence[Sequence[int]]) -> list[tuple[int, ...] | None]:
    """Return the own encoding of the ids' text; None without a text."""
    outputs = [text_or_none(each) for each in tokenizer.decode(rows, DecodeOptions())]
    known = [(row, text) for row, text in zip(rows, outputs, strict=True) if text is not None]
    read = iter(readings(tokenizer, [row for row, _ in known], [text for _, text in known]))
    own = [next(read).own if text is not None else None for text in outputs]
    return [None if one is None or one.error is not None else one.ids for one in own]
