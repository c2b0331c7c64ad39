"""The head of a draft model, with rows for its own vocabulary.

Source: `draft_vocab_size` and `d2t` of EAGLE-3: draft id i stands for id i + d2t[i] of the target.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tokaudit.plugin import Tensor, need
from tokaudit.subject.numbers import whole
from tokaudit.subject.weights import WeightHeaders
from tokaudit_suites.shared.stated_key import StatedKey
from tokaudit_suites.shared.stated_keys import StatedKeys

MODEL, SIZE = "config.json", "draft_vocab_size"
TO_TARGET, IN_TARGET = "d2t", "t2d"


@dataclass(frozen=True)
class DraftHead:
    """The row count of a draft model's head, its source, and its maps to the target."""

    rows: int | None
    key: StatedKey | None
    maps: Mapping[str, tuple[str, Tensor]]


@need
def draft_head(keys: StatedKeys, weights: WeightHeaders) -> DraftHead:
    """Read the size from config.json, or else from the map's length; None without either."""
    key = next((each for each in keys.all if (each.base, each.key) == (MODEL, SIZE)), None)
    maps = {
        last: (name, tensor)
        for name, tensor in weights.tensors.items()
        if (last := name.rpartition(".")[2]) in (TO_TARGET, IN_TARGET) and len(tensor.shape) == 1
    }
    stated = None if key is None else whole(key.value)
    if stated is None and TO_TARGET in maps:
        stated = maps[TO_TARGET][1].shape[0]
    return DraftHead(stated, key, maps)
