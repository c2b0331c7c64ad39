"""Padding: rows of ids made equally long, on either side, and what goes with them.

Padded places have attention 0, label -100 and position 0; the real tokens' positions count from 0
whatever comes before them, so that left and right padding give a token the same position.
Nothing is cut here unless `truncated` or `limited` is asked, and no tensor is made.

Source of `limited`: `TruncationParams`, `truncate_encodings` and `pad_encodings` in Hugging Face's
tokenizers 0.23.3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tokaudit_reference.errors import Unsupported

IGNORED = -100  # the label that the usual losses leave out
LONGEST = 4_096  # ids that a text is filled up to; a file may state any length


class PaddingSide(StrEnum):
    """The end of a row at which something is added or cut."""

    LEFT = "left"
    RIGHT = "right"


SIDES = {"Left": PaddingSide.LEFT, "Right": PaddingSide.RIGHT}
"""The ends as a `tokenizer.json` names them."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of one length; `labels` is None where none were given."""

    ids: list[list[int]]
    attention_mask: list[list[int]]
    position_ids: list[list[int]]
    labels: list[list[int]] | None = None


def padded(
    rows: Sequence[Sequence[int]],
    pad_id: int,
    *,
    side: PaddingSide = PaddingSide.RIGHT,
    length: int | None = None,
    multiple_of: int = 1,
    labels: Sequence[Sequence[int]] | None = None,
) -> Batch:
    """The rows filled up with `pad_id` to the longest, or to `length`, rounded up to a multiple.

    >>> batch = padded([[5, 6, 7], [8]], pad_id=0, side=PaddingSide.LEFT)
    >>> batch.ids, batch.attention_mask, batch.position_ids
    ([[5, 6, 7], [0, 0, 8]], [[1, 1, 1], [0, 0, 1]], [[0, 1, 2], [0, 0, 0]])
    """
    if labels is not None and [*map(len, labels)] != [*map(len, rows)]:
        raise ValueError("labels and ids differ in length: give each id exactly one label")
    width, side = padded_length([*map(len, rows)], length, multiple_of), PaddingSide(side)
    mask = [_filled([1] * len(row), 0, width, side) for row in rows]
    return Batch(
        ids=[_filled(row, pad_id, width, side) for row in rows],
        attention_mask=mask,
        position_ids=[position_ids(row) for row in mask],
        labels=None if labels is None else [_filled(row, IGNORED, width, side) for row in labels],
    )


def padded_length(lengths: Sequence[int], length: int | None = None, multiple_of: int = 1) -> int:
    """Return the length of padded rows; raises `ValueError` for a row longer than `length`.

    >>> padded_length([3, 9], multiple_of=8), padded_length([3], length=5)
    (16, 5)
    """
    if multiple_of < 1:
        raise ValueError(f"multiple_of is {multiple_of}; give a number from 1")
    longest = max(lengths, default=0)
    if length is not None and longest > length:
        row = lengths.index(longest)
        raise ValueError(f"row {row} has {longest} ids, more than {length}: truncate it first")
    wanted = longest if length is None else length
    return -(-wanted // multiple_of) * multiple_of


def position_ids(mask: Sequence[int]) -> list[int]:
    """Number each real token by the count of real tokens before it; 0 for padding.

    >>> position_ids([0, 0, 1, 1, 1, 0])
    [0, 0, 0, 1, 2, 0]
    """
    found, seen = [], 0
    for real in mask:
        found.append(seen if real else 0)
        seen += bool(real)
    return found


def unpadded(ids: Sequence[int], mask: Sequence[int]) -> list[int]:
    """The ids at which the mask is not 0.

    >>> unpadded([0, 0, 8], [0, 0, 1])
    [8]
    """
    return [id for id, real in zip(ids, mask, strict=True) if real]


def labels_by_id(ids: Sequence[int], pad_id: int) -> list[int]:
    """Label as most data collators do: every pad id is ignored, even as a real token.

    >>> labels_by_id([7, 2, 2], pad_id=2)
    [7, -100, -100]
    """
    return [IGNORED if id == pad_id else id for id in ids]


def labels_by_mask(ids: Sequence[int], mask: Sequence[int]) -> list[int]:
    """Labels as they should be: ignored only where the attention mask is 0.

    >>> labels_by_mask([7, 2, 2], [1, 1, 0])
    [7, 2, -100]
    """
    return [id if real else IGNORED for id, real in zip(ids, mask, strict=True)]


def truncated(ids: Sequence[int], length: int, side: PaddingSide = PaddingSide.RIGHT) -> list[int]:
    """Return at most `length` ids; `side` is the end at which others are cut off.

    >>> truncated([1, 2, 3], 2), truncated([1, 2, 3], 2, PaddingSide.LEFT)
    ([1, 2], [2, 3])
    """
    if length < 0:
        raise ValueError(f"length is {length}; give a number from 0")
    cut = max(len(ids) - length, 0)
    return list(ids[cut:] if PaddingSide(side) is PaddingSide.LEFT else ids[: len(ids) - cut])


def _filled(row: Sequence[int], value: int, width: int, side: PaddingSide) -> list[int]:
    filling = [value] * (width - len(row))
    return [*filling, *row] if side is PaddingSide.LEFT else [*row, *filling]


def limited(
    ids: Sequence[int], truncation: Mapping[str, Any] | None, padding: Mapping[str, Any] | None
) -> list[int]:
    """The ids of a text by the settings of a `tokenizer.json`, whose steps are these two.

    A text alone, with no tokens put around it, is cut to `max_length` at one end and then filled up
    to the fixed length, or to the next multiple.  Raises `Unsupported` for what one text does not
    show.

    >>> cut = {"max_length": 2, "strategy": "LongestFirst", "direction": "Left"}
    >>> fill = {"strategy": {"Fixed": 4}, "direction": "Right", "pad_id": 0}
    >>> limited([1, 2, 3], cut, fill)
    [2, 3, 0, 0]
    """
    found = list(ids)
    if truncation:
        found = _cut(found, truncation)
    return _filled_up(found, padding) if padding else found


def _cut(ids: list[int], settings: Mapping[str, Any]) -> list[int]:
    most = settings.get("max_length")
    side = SIDES.get(settings.get("direction", "Right"))
    if not isinstance(most, int) or most < 0 or side is None:
        raise Unsupported("truncation is not stated as the library states it")
    if 0 < most < len(ids) and settings.get("strategy") == "OnlySecond":
        raise Unsupported("only the second text of a pair is cut")
    return truncated(ids, most, side)


def _filled_up(ids: list[int], settings: Mapping[str, Any]) -> list[int]:
    strategy, multiple = settings.get("strategy"), settings.get("pad_to_multiple_of")
    fixed = strategy.get("Fixed") if isinstance(strategy, Mapping) else None
    side, pad = SIDES.get(settings.get("direction", "Right")), settings.get("pad_id", 0)
    step = multiple or 1
    if side is None or not isinstance(pad, int) or not isinstance(step, int) or step < 1:
        raise Unsupported("padding is not stated as the library states it")
    length = fixed if isinstance(fixed, int) else len(ids)
    length += -length % step
    if length > LONGEST:
        raise Unsupported(f"a text is filled up to {length:,} ids")
    return ids if length < len(ids) else padded([ids], pad, side=side, length=length).ids[0]
