"""Truncation and padding as a `tokenizer.json` leaves them on, done to the ids of one text.

Source: `TruncationParams`, `truncate_encodings` and `pad_encodings` in Hugging Face's tokenizers
0.23.3: a text alone, with no tokens put around it, is cut to `max_length` at one end and then
filled up to the fixed length, or to the next multiple.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tokaudit_reference.batching.padding import PaddingSide, padded, truncated
from tokaudit_reference.errors import Unsupported

LONGEST = 4_096  # ids that a text is filled up to; a file may state any length
SIDES = {"Left": PaddingSide.LEFT, "Right": PaddingSide.RIGHT}


def limited(
    ids: Sequence[int], truncation: Mapping[str, Any] | None, padding: Mapping[str, Any] | None
) -> list[int]:
    """Apply the settings to the ids of a text; `Unsupported` for what one text does not show.

    >>> cut = {"max_length": 2, "strategy": "LongestFirst", "direction": "Left"}
    >>> fill = {"strategy": {"Fixed": 4}, "direction": "Right", "pad_id": 0}
    >>> limited([1, 2, 3], cut, fill)
    [2, 3, 0, 0]
    """
    found = list(ids)
    if truncation:
        found = _cut(found, truncation)
    return _filled(found, padding) if padding else found


def _cut(ids: list[int], settings: Mapping[str, Any]) -> list[int]:
    most = settings.get("max_length")
    side = SIDES.get(settings.get("direction", "Right"))
    if not isinstance(most, int) or most < 0 or side is None:
        raise Unsupported("truncation is not stated as the library states it")
    if 0 < most < len(ids) and settings.get("strategy") == "OnlySecond":
        raise Unsupported("only the second text of a pair is cut")
    return truncated(ids, most, side)


def _filled(ids: list[int], settings: Mapping[str, Any]) -> list[int]:
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
