"""Collects the facts that configuration files state, each with its file and JSON pointer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tokaudit.safe_json import parse_object, pointer
from tokaudit.subject import Fact, SourceFile, read_bytes

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


def collect(files: Iterable[SourceFile]) -> tuple[Fact, ...]:
    """Every fact of every configuration file and template, in file order; then those of models."""
    listed = tuple(files)
    found = [fact for file in listed for fact in _facts(file)]
    return (*found, *(fact for file in listed for fact in _of_model(file)))


def _of_model(file: SourceFile) -> Iterable[Fact]:
    """What a file of a whole model states beside its vocabulary."""
    from tokaudit.formats import all_formats

    readers = {format.name: format.facts for format in all_formats()}
    read = readers.get(file.role)
    return read(file) if read else ()


def _facts(file: SourceFile) -> Iterator[Fact]:
    base = file.name.rsplit("/", 1)[-1]
    if file.role == "template" and base.endswith(".jinja"):
        text = read_bytes(file, LARGEST_CONFIG).decode("utf-8", "replace")
        yield Fact("chat_template", text, file.name, "")
    elif file.role in ("config", "template"):
        data = parse_object(read_bytes(file, LARGEST_CONFIG), file.name)
        if base == "added_tokens.json":
            yield Fact("added_tokens", data, file.name, "")
        else:
            yield from stated(data, file.name)
            for key in NESTED:
                if isinstance(data.get(key), dict):
                    yield from stated(data[key], file.name, (key,))


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
