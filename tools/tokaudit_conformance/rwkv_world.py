"""RWKV's own encoder of its World vocabulary, built from the installed package; for a worker only.

Only its ids are for comparison: it decodes everything that is not UTF-8 to one replacement
character.

Source: `TRIE_TOKENIZER` in `rwkv_tokenizer.py` of the package rwkv.
"""

from __future__ import annotations

from importlib import import_module
from importlib.resources import files
from typing import Any


def _tokenizer() -> Any:
    (vocabulary,) = (
        file
        for file in files("rwkv").iterdir()
        if file.name.startswith("rwkv_vocab") and file.name.endswith(".txt")
    )
    return import_module("rwkv.rwkv_tokenizer").TRIE_TOKENIZER(str(vocabulary))


TOKENIZER = _tokenizer().encode
