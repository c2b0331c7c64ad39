"""Field types of version 5's config classes, and the values that each refuses.

A record of a model type has a letter for each key of `FIELDS`, the type that its class declares,
and the names of other fields that take no whole number.
Version 4 takes any value.  A value of another type is refused with the whole folder, as its
tokenizer is not loaded without the config.

Source: `huggingface_hub.dataclasses.strict`, by which transformers 5.24.0 makes its configs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

FIELDS = (
    *("bos_token_id", "eos_token_id", "pad_token_id", "decoder_start_token_id", "sep_token_id"),
    *("image_token_id", "video_token_id", "audio_token_id", "vocab_size", "type_vocab_size"),
    *("hidden_size", "d_model", "num_attention_heads", "num_key_value_heads", "head_dim"),
    *("num_hidden_layers", "intermediate_size", "max_position_embeddings", "sliding_window"),
    *("tie_word_embeddings", "is_encoder_decoder", "is_decoder", "use_cache"),
    *("rms_norm_eps", "layer_norm_eps", "initializer_range", "attention_dropout", "hidden_act"),
)
"""The keys that a record has a letter for, in order."""
OR_NONE, HEADS_DIVIDE, UNCHECKED = "?", "%", "-"
HIDDEN, HEADS = "hidden_size", "num_attention_heads"


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _are_whole(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_whole, value))


TAKEN: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "i": ("int", _is_whole),
    "l": ("int or list of int", lambda value: _is_whole(value) or _are_whole(value)),
    "b": ("bool", lambda value: isinstance(value, bool)),
    "f": ("float", lambda value: isinstance(value, float)),
    "n": ("float or int", lambda value: isinstance(value, float) or _is_whole(value)),
    "s": ("str", lambda value: isinstance(value, str)),
}
"""Letter -> the type as the error names it, and whether a value is of it; a capital takes null."""


def refused_fields(
    letters: str, floats: Iterable[str], stated: Mapping[str, Any]
) -> Mapping[str, str]:
    """Map keys to version 5's errors, for values that a model type's letters refuse.

    >>> refused_fields("IL", (), {"bos_token_id": None, "eos_token_id": [2, None]})
    {'eos_token_id': 'TypeError: expected int or list of int or None, got list'}
    >>> refused_fields("", ["scale?"], {"scale": 12})
    {'scale': 'TypeError: expected float or None, got int'}
    """
    refused = {}
    others = ((name.removesuffix(OR_NONE), "fF"[name.endswith(OR_NONE)]) for name in floats)
    for key, letter in (*zip(FIELDS, letters, strict=False), *others):
        if letter == UNCHECKED or key not in stated:
            continue
        (named, takes), value = TAKEN[letter.lower()], stated[key]
        nullable = letter.isupper()
        if not (takes(value) or (nullable and value is None)):
            wanted = f"{named} or None" if nullable else named
            refused[key] = f"TypeError: expected {wanted}, got {type(value).__name__}"
    width, heads = stated.get(HIDDEN), stated.get(HEADS)
    both = _is_whole(width) and _is_whole(heads) and letters.endswith(HEADS_DIVIDE)
    if both and heads and width % heads:
        refused[HEADS] = f"ValueError: {HIDDEN} ({width}) is not a multiple of {HEADS} ({heads})"
    return refused
