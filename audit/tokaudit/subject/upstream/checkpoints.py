"""The names that configs and weights of published models give to things."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from tokaudit.subject.upstream.records import CHECKPOINTS, hand_written


@cache
def nested_parts() -> tuple[str, ...]:
    """The keys of the parts whose settings are read, in order."""
    return tuple(hand_written(CHECKPOINTS)["parts"])


@cache
def parts_that_read_text() -> tuple[str, ...]:
    """The keys of the part that reads text.

    >>> "text_config" in parts_that_read_text(), "decoder" in parts_that_read_text()
    (True, False)
    """
    stated = hand_written(CHECKPOINTS)["parts"].items()
    return tuple(key for key, said in stated if said["reads_text"])


@cache
def width_keys() -> tuple[str, ...]:
    """The keys of a config for the width of what a model gives for a token."""
    return _sizes_of("width")


@cache
def sizes_of_a_whole() -> tuple[str, ...]:
    """The keys of which a config has one, if it is that of a whole model."""
    return _sizes_of("whole")


@cache
def keys_of_more_rows() -> tuple[str, ...]:
    """The keys of a config by which a model has more rows than it declares."""
    return _sizes_of("more rows")


def _sizes_of(kind: str) -> tuple[str, ...]:
    return tuple(key for key, kinds in hand_written(CHECKPOINTS)["sizes"].items() if kind in kinds)


@cache
def last_token_classifiers() -> frozenset[str]:
    """The classes that classify a text by its last token, which they find by the id of padding.

    >>> "BloomForSequenceClassification" in last_token_classifiers()
    True
    """
    listed = hand_written(CHECKPOINTS)["last_token"]["classifiers"].split()
    return frozenset(f"{name}ForSequenceClassification" for name in listed)


@cache
def first_tokens_of_towers() -> Mapping[str, int]:
    """The tokens before the patches, by the type of a tower that takes one size alone.

    >>> first_tokens_of_towers()["siglip_vision_model"]
    0
    """
    found: Mapping[str, int] = hand_written(CHECKPOINTS)["towers"]
    return found


@cache
def embedding_names() -> tuple[str, ...]:
    """The names of matrices with a row for each id of the input.

    >>> "wte.weight" in embedding_names(), "lm_head.weight" in embedding_names()
    (True, False)
    """
    return _tensors_of("embeddings")


@cache
def whole_embedding_names() -> tuple[str, ...]:
    """The names of such matrices that are the whole name of a tensor."""
    return _tensors_of("whole embeddings")


@cache
def bias_names() -> tuple[str, ...]:
    """The names of vectors with a number for each id of the output.

    >>> "final_logits_bias" in bias_names()
    True
    """
    return _tensors_of("biases")


@cache
def output_names() -> tuple[str, ...]:
    """The names of matrices with a row for each id of the output."""
    return _tensors_of("outputs")


@cache
def position_names() -> tuple[str, ...]:
    """The names of tables with a row for each position."""
    return _tensors_of("positions")


@cache
def packed_names() -> tuple[str, ...]:
    """Return the names of quantised matrices whose rows their shapes do not tell."""
    return _quantised("packed")


@cache
def scale_names() -> tuple[str, ...]:
    """Return the names of the scales of quantised matrices, one for each row."""
    return _quantised("scale")


def _quantised(kind: str) -> tuple[str, ...]:
    stated = hand_written(CHECKPOINTS)["quantised"].items()
    return tuple(name for name, is_a in stated if is_a == kind)


def _tensors_of(kind: str) -> tuple[str, ...]:
    return tuple(
        name for name, is_of in hand_written(CHECKPOINTS)["tensors"].items() if is_of == kind
    )
