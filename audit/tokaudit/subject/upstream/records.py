"""Read the records of this folder: files of classes and families, sections of model types.

A section is cut out of its file before it is parsed, because an audit asks for one of some six
hundred.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

Record = Mapping[str, Any]
HERE = resources.files(__package__)
CLASSES, PIPELINES, SETTINGS = "classes", "pipelines", "settings"
TYPES = "model_types.toml"
GGUF, SPLITS = "llama_cpp/gguf_models.toml", "llama_cpp/gguf_splits.toml"
TOKENS, ENGINES = "llama_cpp/gguf_tokens.toml", "template_engines.toml"
SPELLINGS, CONVERSIONS, CLEAN_UP = "published/spellings.toml", "conversions.toml", "clean_up.toml"
CONVERTER = "llama_cpp/gguf_converter.toml"
MISTRAL = "published/mistral_common.toml"
SPEECH = "published/speech_prompt.toml"
STATED, PRECEDENCE = "stated_keys.toml", "precedence.toml"
CHECKPOINTS, ENCODERS = "checkpoints.toml", "sentence_encoders.toml"
PURPOSES, ENGINE_FILES = "purposes.toml", "engine_files.toml"
SUFFIX = ".toml"
BY_HAND = "by_hand"


@cache
def class_names() -> tuple[str, ...]:
    """Return every class with a record, in order."""
    files = (each.name for each in (HERE / CLASSES).iterdir())
    return tuple(sorted(name.removesuffix(SUFFIX) for name in files if name.endswith(SUFFIX)))


def class_record(name: str) -> Record | None:
    """Return the record of a class, or None.

    >>> class_record("AlbertTokenizer")["files"], class_record("AcornTokenizer")
    (['spiece.model'], None)
    """
    if name not in class_names():  # a name comes from the subject, and may be any text
        return None
    return tomllib.loads((HERE / CLASSES / f"{name}{SUFFIX}").read_text("utf-8"))


def pipeline_record(name: str) -> Record:
    """Return the record of a family of pipelines.

    >>> pipeline_record("clip")["spelling"]
    {'bytes': True, 'ends_words': '</w>'}
    """
    return _written_by_hand(f"{PIPELINES}/{name}{SUFFIX}")


@cache
def settings_files() -> tuple[str, ...]:
    """Return every settings file with a record, the tokenizer's own first."""
    files = (each.name.removesuffix(SUFFIX) for each in (HERE / SETTINGS).iterdir())
    return tuple(sorted(files, key=lambda name: (not name.startswith("tokenizer"), name)))


@cache
def settings_record(file: str) -> Record:
    """Return the sections of a settings file's record.

    >>> settings_record("added_tokens.json")["<|end|>"]["decides"]
    'ids'
    """
    return _written_by_hand(f"{SETTINGS}/{file}{SUFFIX}")


def hand_written(file: str) -> Record:
    """Return a file of this folder that is hand-written as a whole.

    >>> hand_written(CLEAN_UP)["replaced"][" n't"]
    "n't"
    """
    return _written_by_hand(file)


def _written_by_hand(file: str) -> Record:
    """Return a hand-written record, without the mark that says so."""
    record = tomllib.loads((HERE / file).read_text("utf-8"))
    if record.pop(BY_HAND, None) is not True:
        raise ValueError(f"{file} does not say {BY_HAND} = true")
    return record


def type_record(name: str) -> Record | None:
    """Return the record of a model type, or None.

    >>> type_record("albert")["tokenizer"]
    ['AlbertTokenizer', 'AlbertTokenizer']
    """
    section = _sections().get(name)
    return None if section is None else tomllib.loads(section)


def type_names() -> tuple[str, ...]:
    """Return every model type with a record."""
    return tuple(_sections())


@cache
def _sections() -> Mapping[str, str]:
    """Return the text of each section, without its head."""
    text = (HERE / TYPES).read_text("utf-8")
    found = (section.partition("]\n") for section in ("\n" + text).split("\n[")[1:])
    return {_unquoted(head): body for head, _, body in found}


def _unquoted(head: str) -> str:
    return str(json.loads(head)) if head.startswith('"') else head
