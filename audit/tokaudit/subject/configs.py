"""What one configuration file states, as facts under the names that every check knows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tokaudit.subject.material import Fact
from tokaudit.subject.safe_json import pointer

LARGEST_CONFIG = 16_000_000  # bytes; the largest published have 2 MB, an eighth of it
LARGEST_CONFIGS = 4 * LARGEST_CONFIG  # all of one subject together
ROLES = ("bos", "eos", "unk", "pad", "sep", "cls", "mask")
ROLE_TOKENS = tuple(f"{role}_token" for role in ROLES)
NUMBER, FLAG, TEXT, LIST, OBJECT = "a number", "true or false", "a text", "a list", "an object"
TYPES: Mapping[str, tuple[type, ...]] = {
    NUMBER: (int, float),
    FLAG: (bool,),
    TEXT: (str,),
    LIST: (list,),
    OBJECT: (dict,),
}
EXPECTED: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(ROLE_TOKENS, (TEXT, OBJECT)),
    **{f"{role}_token_id": (NUMBER, LIST) for role in ROLES},
    "decoder_start_token_id": (NUMBER, LIST),
    "forced_bos_token_id": (NUMBER, LIST),
    "forced_eos_token_id": (NUMBER, LIST),
    "no_timestamps_token_id": (NUMBER,),
    "prev_sot_token_id": (NUMBER,),
    "forced_decoder_ids": (LIST,),
    "suppress_tokens": (LIST,),
    "begin_suppress_tokens": (LIST,),
    "bad_words_ids": (LIST,),
    "vocab_size": (NUMBER,),
    "src_vocab_size": (NUMBER,),  # of models with two vocabularies: subject/repository/sides.py
    "tgt_vocab_size": (NUMBER,),
    "decoder_vocab_size": (NUMBER,),
    "padded_vocab_size": (NUMBER,),
    "pad_vocab_size_multiple": (NUMBER,),
    "max_position_embeddings": (NUMBER,),
    "n_positions": (NUMBER,),
    "type_vocab_size": (NUMBER,),  # rows for the type ids that tell two texts apart
    "tie_word_embeddings": (FLAG,),
    "quantization_config": (OBJECT,),
    "quantization": (OBJECT,),  # as MLX writes it
    "model_type": (TEXT,),
    "architectures": (LIST,),
    "additional_special_tokens": (LIST,),
    "extra_special_tokens": (LIST, OBJECT),
    "added_tokens_decoder": (OBJECT,),
    "padding_side": (TEXT,),
    "truncation_side": (TEXT,),
    "model_max_length": (NUMBER,),
    "max_seq_length": (NUMBER,),
    "tokenizer_class": (TEXT,),
    "target_lang": (TEXT,),  # of Wav2Vec2's vocabularies for each language
    "word_delimiter_token": (TEXT,),
    "add_bos_token": (FLAG,),
    "add_eos_token": (FLAG,),
    "add_prefix_space": (FLAG,),
    "clean_up_tokenization_spaces": (FLAG,),
    "do_lower_case": (FLAG,),
    "do_basic_tokenize": (FLAG,),
    "strip_accents": (FLAG,),
    "tokenize_chinese_chars": (FLAG,),
    "legacy": (FLAG,),
    "auto_map": (OBJECT, LIST, TEXT),
    "pooling_mode_cls_token": (FLAG,),
    "pooling_mode_mean_tokens": (FLAG,),
    "pooling_mode_lasttoken": (FLAG,),
    "chat_template": (TEXT, LIST),
}
"""Every key whose statement is a fact, and what loaders take there; `null` leaves it unstated."""


def stated(data: Mapping[str, Any], file: str, above: tuple[str, ...] = ()) -> Iterator[Fact]:
    """The facts of one JSON object, under the names that every check knows.

    A value of a type that no loader takes is a fact that says what was expected.

    >>> [(f.name, f.value) for f in stated({"eos_token": {"content": "</s>"}}, "x.json")]
    [('eos_token', '</s>'), ('eos_token_flags', {})]
    >>> [fact.expected for fact in stated({"vocab_size": "many"}, "x.json")]
    ['a number']
    """
    for name, value in data.items():
        place = pointer(*above, name)
        expected = EXPECTED.get(name, ())
        if expected and value is not None and not any(_is(value, kind) for kind in expected):
            yield Fact(name, value, file, place, " or ".join(expected))
        elif name in ROLE_TOKENS:
            yield from _role_token(name, value, file, place)
        elif name == "chat_template":
            yield from _templates(value, file, place)
        elif expected:
            yield Fact(name, value, file, place)


def _is(value: Any, kind: str) -> bool:
    """Whether a value of JSON is of a kind; true and false are not numbers, though Python's are."""
    return isinstance(value, TYPES[kind]) and (kind == FLAG or not isinstance(value, bool))


def _role_token(name: str, value: Any, file: str, place: str) -> Iterator[Fact]:
    if isinstance(value, Mapping):
        yield Fact(name, value.get("content"), file, place + "/content")
        flags = {k: v for k, v in value.items() if isinstance(v, bool)}
        yield Fact(f"{name}_flags", flags, file, place)
    else:
        yield Fact(name, value, file, place)


def _templates(value: Any, file: str, place: str) -> Iterator[Fact]:
    """One template, or a list of named ones, each name a fact next to its template."""
    if isinstance(value, str):
        yield Fact("chat_template", value, file, place)
    elif isinstance(value, list):
        for index, named in enumerate(value):
            if isinstance(named, Mapping) and isinstance(named.get("template"), str):
                where = f"{place}/{index}"
                yield Fact("chat_template", named["template"], file, f"{where}/template")
                if isinstance(named.get("name"), str):
                    yield Fact("chat_template_name", named["name"], file, f"{where}/name")
