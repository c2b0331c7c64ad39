"""Spec fields of the facets that consist of several."""

from __future__ import annotations

ADDED_FIELDS = ("added_tokens", "control_from_text")
MODEL_FIELDS = (
    "model_type",
    "merges",
    "priority",
    "product_ranks",
    "scores",
    "unlisted",
    "ignore_merges",
    "unk_id",
    "unk_lacks_entry",
    "fuse_unk",
    "byte_fallback",
    "byte_level",
    "continuing_subword_prefix",
    "end_of_word_suffix",
    "max_input_chars_per_word",
    "dropout",
)
"""What a model is besides its vocabulary."""
