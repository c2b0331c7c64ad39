"""What a sample of a format is, and what several of them are made with."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

Files = dict[str, bytes]  # the first is the main file
CONFIG: Mapping[str, object] = {
    "tokenizer_class": "CLIPTokenizer",
    "unk_token": {"content": "<|endoftext|>", "lstrip": False},
    "additional_special_tokens": ["<extra>", {"content": "<more>", "rstrip": True}],
    "added_tokens_decoder": {"512": {"content": "<new>", "special": True, "normalized": False}},
    "add_prefix_space": False,
}
"""The settings of a class, in every form that loaders take."""


@dataclass(frozen=True)
class Sample:
    """Small sound tokenizers of one format, each built when it is asked for."""

    format: str
    builds: tuple[Callable[[], Files], ...]


def written(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()
