"""What one configuration file states, as facts under the names that every check knows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tokaudit.subject.material import Fact
from tokaudit.subject.safe_json import pointer

LARGEST_CONFIG = 64 * 1024 * 1024
ROLES = ("bos", "eos", "unk", "pad", "sep", "cls", "mask")
ROLE_TOKENS = tuple(f"{role}_token" for role in ROLES)
NESTED = ("text_config", "llm_config", "language_config", "text_model", "decoder", "thinker_config")
PLAIN = (
    *(f"{role}_token_id" for role in ROLES),
    "decoder_start_token_id",
    "forced_bos_token_id",
    "forced_eos_token_id",
    "suppress_tokens",
    "begin_suppress_tokens",
    "vocab_size",
    "max_position_embeddings",
    "n_positions",
    "tie_word_embeddings",
    "model_type",
    "architectures",
    "additional_special_tokens",
    "extra_special_tokens",
    "added_tokens_decoder",
    "padding_side",
    "truncation_side",
    "model_max_length",
    "max_seq_length",
    "tokenizer_class",
    "add_bos_token",
    "add_eos_token",
    "add_prefix_space",
    "clean_up_tokenization_spaces",
    "do_lower_case",
    "do_basic_tokenize",
    "strip_accents",
    "tokenize_chinese_chars",
    "legacy",
    "auto_map",
    "pooling_mode_cls_token",
    "pooling_mode_mean_tokens",
    "pooling_mode_lasttoken",
)


def stated(data: Mapping[str, Any], file: str, above: tuple[str, ...] = ()) -> Iterator[Fact]:
    """The facts of one JSON object, under the names that every check knows.

    >>> [(f.name, f.value) for f in stated({"eos_token": {"content": "</s>"}}, "x.json")]
    [('eos_token', '</s>'), ('eos_token_flags', {})]
    """
    for name, value in data.items():
        place = pointer(*above, name)
        if name in ROLE_TOKENS:
            yield from _role_token(name, value, file, place)
        elif name == "chat_template":
            yield from _templates(value, file, place)
        elif name in PLAIN:
            yield Fact(name, value, file, place)


def _role_token(name: str, value: Any, file: str, place: str) -> Iterator[Fact]:
    if isinstance(value, Mapping):
        yield Fact(name, value.get("content"), file, place + "/content")
        flags = {k: v for k, v in value.items() if isinstance(v, bool)}
        yield Fact(f"{name}_flags", flags, file, place)
    else:
        yield Fact(name, value, file, place)


def _templates(value: Any, file: str, place: str) -> Iterator[Fact]:
    """One template, or a list of named ones."""
    if isinstance(value, str):
        yield Fact("chat_template", value, file, place)
    elif isinstance(value, list):
        for index, named in enumerate(value):
            if isinstance(named, Mapping) and isinstance(named.get("template"), str):
                where = f"{place}/{index}/template"
                yield Fact("chat_template", named["template"], file, where)
