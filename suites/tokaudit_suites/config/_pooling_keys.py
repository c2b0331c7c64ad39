"""Keys that select the pooling of sentence-transformers, by version.

This is not a check.
"""

from __future__ import annotations

POOLING = "1_Pooling/config.json"
MODELS = ("config.json", "0_Transformer/config.json")
MODE, FIRST, MEAN = "pooling_mode", "pooling_mode_cls_token", "pooling_mode_mean_tokens"
LAST, SWITCH = "pooling_mode_lasttoken", "add_eos_token"
