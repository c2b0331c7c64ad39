"""Default of each option that a file omits from a step, for the checkers.

Source: the constructors of Hugging Face's tokenizers; `LlamaCpp...` and `SentencePiece` are the
steps of those engines, with the settings that they read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MARK = "\u2581"
NOTHING = {"Regex": ""}
TEXT_TO_NORMALIZE = {
    "precompiled_charsmap": "",
    "add_dummy_prefix": True,
    "remove_extra_whitespaces": True,
    "escape_whitespaces": True,
    "treat_whitespace_as_suffix": False,
    "user_defined_symbols": [],
}
OF_BYTES = {"add_prefix_space": True, "trim_offsets": True, "use_regex": True}
OF_MARKS = {"replacement": MARK, "prepend_scheme": "always", "split": True}
Table = Mapping[str, Mapping[str, Any]]

NORMALIZERS: Table = {
    "BertNormalizer": {
        "clean_text": True,
        "handle_chinese_chars": True,
        "strip_accents": None,
        "lowercase": True,
    },
    "ByteLevel": {},
    "LlamaCppUnigram": {
        "precompiled_charsmap": "",
        "add_space_prefix": False,
        "remove_extra_whitespaces": False,
        "user_defined_symbols": [],
    },
    "LlamaCppWords": {"lowercase": True, "strip_accents": True},
    "Lowercase": {},
    "NFC": {},
    "NFD": {},
    "NFKC": {},
    "NFKD": {},
    "Nmt": {},
    "Precompiled": {"precompiled_charsmap": ""},
    "Prepend": {"prepend": MARK},
    "Replace": {"pattern": NOTHING, "content": ""},
    "SentencePiece": TEXT_TO_NORMALIZE,
    "Strip": {"strip_left": True, "strip_right": True},
    "StripAccents": {},
}
PRE_TOKENIZERS: Table = {
    "BertPreTokenizer": {},
    "ByteLevel": OF_BYTES,
    "CharDelimiterSplit": {"delimiter": " "},
    "Digits": {"individual_digits": False},
    "FixedLength": {"length": 5},
    "LlamaCppSplit": {"patterns": [], "meant": []},
    "Metaspace": OF_MARKS,
    "Punctuation": {"behavior": "Isolated"},
    "Split": {"pattern": NOTHING, "behavior": "Isolated", "invert": False},
    "UnicodeScripts": {},
    "Whitespace": {},
    "WhitespaceSplit": {},
}
POST_PROCESSORS: Table = {
    "BertProcessing": {"cls": None, "sep": None},
    "ByteLevel": OF_BYTES,
    "RobertaProcessing": {
        "cls": None,
        "sep": None,
        "trim_offsets": True,
        "add_prefix_space": True,
    },
    "TemplateProcessing": {},
}
DECODERS: Table = {
    "BPEDecoder": {"suffix": "</w>"},
    "ByteFallback": {},
    "ByteLevel": OF_BYTES,
    "Bytes": {},
    "CTC": {"pad_token": "<pad>", "word_delimiter_token": "|", "cleanup": True},
    "Fuse": {},
    "LlamaCpp": {"add_space_prefix": False, "escape_whitespaces": True, "clean_spaces": False},
    "Metaspace": OF_MARKS,
    "Replace": {"pattern": NOTHING, "content": ""},
    "SentencePiece": {
        "unk_surface": " \u2047 ",
        "add_dummy_prefix": True,
        "remove_extra_whitespaces": True,
        "denormalizer": None,
    },
    "Strip": {"content": " ", "start": 0, "stop": 0},
    "WordPiece": {"prefix": "##", "cleanup": True},
    "no decoder": {},
}
DEFAULTS: Mapping[str, Table] = {
    "normalizer": NORMALIZERS,
    "pre_tokenizer": PRE_TOKENIZERS,
    "post_processor": POST_PROCESSORS,
    "decoder": DECODERS,
}
"""Stage -> type -> each option with its default."""
