"""The keys by which sentence-transformers pools, in the words of each version.

This is not a check.
"""

from __future__ import annotations

from collections.abc import Mapping

POOLING = "1_Pooling/config.json"
MODELS = ("config.json", "0_Transformer/config.json")
MODE, FIRST, MEAN = "pooling_mode", "pooling_mode_cls_token", "pooling_mode_mean_tokens"
LAST, SWITCH = "pooling_mode_lasttoken", "add_eos_token"
MODES: Mapping[str, str] = {
    FIRST: "cls",
    "pooling_mode_max_tokens": "max",
    MEAN: "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    LAST: "lasttoken",
}
"""Each switch of older versions with the mode that version 5 writes (5.7.0, modules/pooling.py)."""
