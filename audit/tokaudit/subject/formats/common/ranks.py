"""A byte BPE that merges the pair of lowest rank, as tiktoken's library does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tokaudit_reference.spec import (
    AddedToken,
    Component,
    ModelType,
    Piece,
    Priority,
    Standing,
    TokenizerSpec,
)
from tokaudit_reference.steps.decoders.bytes_joined import Bytes


def ranked(
    pieces: Mapping[int, Piece],
    pattern: Component,
    special: Sequence[AddedToken],
    *,
    format: str,
    file: str,
    library: str = "tiktoken",
    **more: Any,
) -> TokenizerSpec:
    """Build the spec of a file whose ids are ranks; `library` runs it."""
    return TokenizerSpec(
        model_type=ModelType.BPE,
        pieces=pieces,
        byte_level=True,
        priority=Priority.PRODUCT,
        product_ranks={id: float(id) for id in pieces},
        ignore_merges=True,
        added_tokens=tuple(special),
        normalizer=Component(None, Standing.STATED),
        pre_tokenizer=pattern,
        decoder=Component(Bytes().to_json(), Standing.IMPLIED, f"{library} joins bytes"),
        format=format,
        files=(file,),
        **more,
    )


def special_tokens(ids: Mapping[str, int]) -> tuple[AddedToken, ...]:
    """Build special tokens from their ids, as these files list them."""
    return tuple(
        AddedToken(id, content, special=True, normalized=False) for content, id in ids.items()
    )
