"""A spec with some fields of another, to test which of them matter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tokaudit_reference.spec import TokenizerSpec


def mixed(first: TokenizerSpec, second: TokenizerSpec, fields: Sequence[str]) -> TokenizerSpec:
    """Return the first spec with some fields of the second; merges bring their pieces.

    >>> from tokaudit_reference.spec import ModelType
    >>> one, other = TokenizerSpec(ModelType.BPE, {}), TokenizerSpec(ModelType.BPE, {}, unk_id=3)
    >>> mixed(one, other, ["unk_id"]).unk_id
    3
    """
    if "merges" in fields and (first.pieces, first.sharing) != (second.pieces, second.sharing):
        fields = (*fields, "pieces", "sharing")
    return replace(first, **{name: getattr(second, name) for name in fields})
