"""One value of every form that a settings file holds, and the keys that are tried with each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tokaudit.subject.configs import ROLE_TOKENS

ENTRY = {
    "content": "<x>",
    **dict.fromkeys(("lstrip", "normalized", "rstrip", "single_word"), False),
    "special": True,
}
TOKEN = {"__type": "AddedToken", **ENTRY}
VALUES: Mapping[str, Any] = {
    "null": None,
    "true": True,
    "false": False,
    "zero": 0,
    "whole": 7,
    "fraction": 1.5,
    "empty text": "",
    "text": "abc",
    "[]": [],
    "[text]": ["<x>"],
    "[number]": [1],
    "[token]": [TOKEN],
    "[entry]": [ENTRY],
    "[list]": [["<x>"]],
    "[null]": [None],
    "{}": {},
    "{text}": {"a_token": "<x>"},
    "{number}": {"a_token": 1},
    "{entry}": {"a": ENTRY},
    "{id: text}": {"5": "<x>"},
    "{id: entry}": {"5": ENTRY},
    "token": TOKEN,
    "entry": ENTRY,
}
FEW = ("null", "true", "false", "whole", "text", "empty text", "[text]", "token", "{}")
"""The forms that the arguments of single classes are tried with."""
KEYS = (
    *(*ROLE_TOKENS, "image_token"),
    *("additional_special_tokens", "extra_special_tokens", "model_specific_special_tokens"),
    *("added_tokens_decoder", "padding_side", "truncation_side", "model_max_length", "max_len"),
    *("clean_up_tokenization_spaces", "split_special_tokens", "chat_template", "auto_map"),
    *("model_input_names", "add_bos_token", "add_eos_token", "add_prefix_space"),
    *("tokenizer_class", "fast_tokenizer_files", "name_or_path", "backend", "processor_class"),
    *("eot_id", "legacy", "response_template", "response_schema", "chat_control_tokens"),
    *("use_fast", "verbose", "stride", "truncation_strategy", "max_length", "errors"),
    *("pad_to_multiple_of", "pad_token_type_id", "do_lower_case", "trim_offsets", "vocab_size"),
    *("special_tokens_map", "tokenizer_type", "config", "revision", "subfolder", "token"),
    *("files_loaded", "spaces_between_special_tokens", "is_fast", "_commit_hash", "padding"),
    *("trust_remote_code", "return_tensors", "truncation"),
)
"""What every class takes, or a file may state; those of files and of objects are left out."""
BY_ALGORITHM = {
    "tokenizer_class": ("null", "text", "empty text"),
    "unk_token": ("text", "empty text", "token"),
}
"""The forms whose values decide, and not their form."""
GENERAL, SLOW = ("GPT2Tokenizer", "LlamaTokenizer", "BertTokenizer"), "ByT5Tokenizer"
"""Classes on tokenizers that stand for all of these where they agree, and one that is not on it."""
