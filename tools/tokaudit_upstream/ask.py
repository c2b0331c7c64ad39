"""Asks one installed transformers what its classes are; run by that environment's own Python.

It reads a request from standard input and prints the answers, both JSON.  It imports nothing of
ours, as the environment has transformers and little else.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import json
import re
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

warnings.filterwarnings("ignore")

import transformers  # noqa: E402
from transformers.models.auto import tokenization_auto  # noqa: E402
from transformers.models.auto.configuration_auto import CONFIG_MAPPING  # noqa: E402

ROLES = ("bos", "eos", "sep", "pad", "cls", "mask")
ATTRIBUTES = ("padding_side", "truncation_side", "model_input_names")
LEFT_OUT = inspect.Parameter.empty
NO_ARGUMENT = "-"  # of the fast class, where the slow one has it
PROCESSES = re.compile(r"image_process|processing_|feature_extraction")
"""How modules of processors are named, whose settings lie next to the tokenizer's."""
TEXT_PART, TIED = "text_config", "tie_word_embeddings"
SAID: Sequence[Mapping[str, bool]] = ({}, {TIED: True}, {TIED: False})
UNNAMED = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def sides(name: str) -> list[type]:
    """The fast class, then the slow one, of those that there are; in version 5 the one class."""
    return [kind for kind in (_named(f"{name}Fast"), _named(name)) if kind is not None]


def _named(name: str) -> type | None:
    try:
        found = getattr(transformers, name)
        return found if inspect.isclass(found) and hasattr(found, "vocab_files_names") else None
    except (AttributeError, ImportError):
        return None  # it does not exist, or stands for a package that this environment lacks


def default(kind: type, key: str) -> Any:
    """What a class takes for a key: an attribute of its own, or an argument of its `__init__`."""
    if key in ATTRIBUTES:
        return kind.__dict__.get(key, LEFT_OUT)
    for base in kind.__mro__:
        named = inspect.signature(base.__init__).parameters  # type: ignore[misc]
        if key in named:
            return named[key].default
        if inspect.Parameter.VAR_KEYWORD not in (each.kind for each in named.values()):
            break  # it hands nothing on to the class that it is made from
    return LEFT_OUT


def defaults(name: str, keys: Iterable[str]) -> Iterator[tuple[str, list[Any]]]:
    """Each key that the class takes, with what its fast and its slow side take for it."""
    kinds = sides(name)
    for key in keys:
        values = [default(kind, key) for kind in kinds]
        stated = [each for each in values if each is not LEFT_OUT]
        if stated and values[0] is LEFT_OUT:
            stated = [NO_ARGUMENT, *stated]
        if stated:  # what one side states of its own the other may inherit with another value
            yield key, [getattr(kind, key) for kind in kinds] if key in ATTRIBUTES else stated


def arguments(kinds: Iterable[type]) -> list[str]:
    """What the classes take by name when they are made."""
    makers = (inspect.signature(kind.__init__) for kind in kinds)  # type: ignore[misc]
    named = (each for maker in makers for each in maker.parameters.values())
    return sorted({each.name for each in named if each.kind not in UNNAMED} - {"self"})


def others(asked: Iterable[str]) -> list[str]:
    """The classes that the library has, or a model type, and that were not asked about."""
    named = tokenization_auto.TOKENIZER_MAPPING_NAMES.values()
    either = (each for pair in named for each in ([pair] if isinstance(pair, str) else pair or ()))
    plain = {name.removesuffix("Fast") for name in (*either, *dir(transformers)) if name}
    left = (name for name in plain.difference(asked) if name.endswith("Tokenizer"))
    return sorted(name for name in left if sides(name))


def tokenizer_class(name: str, keys: Iterable[str]) -> dict[str, Any]:
    """What is drawn of one class; empty where this version does not have it."""
    kinds = sides(name)
    if not kinds:
        return {}
    kind = kinds[-1]
    built = getattr(kind, "model", None) if "__init__" in kind.__dict__ else None
    return {
        "sides": [each for each in ("slow", "fast") if _named(name + "Fast" * (each == "fast"))],
        "bases": [base.__name__ for base in kind.__mro__],
        "files": list(getattr(kind, "vocab_files_names", {}).values()),
        "module": kind.__module__.removeprefix("transformers.models."),
        "builds": getattr(built, "__name__", ""),
        "tokens": dict(defaults(name, (f"{role}_token" for role in ROLES))),
        "settings": dict(defaults(name, keys)),
        "arguments": arguments(kinds),
    }


def config_values(kind: str, keys: Iterable[str]) -> dict[str, Any] | None:
    """What the configuration of a model type takes by default; None where there is no such type."""
    config = config_of(kind)
    return None if config is None else {key: config[key] for key in keys if key in config}


@cache
def config_of(kind: str) -> dict[str, Any] | None:
    """All that the configuration of a model type has by default."""
    try:
        found: dict[str, Any] = CONFIG_MAPPING[kind]().to_dict()
    except Exception:
        return None  # some refuse to be made of nothing, each in its own way
    return found


def ties(kind: str) -> str:
    """Ask whether embedding and head are one, for each statement of a config and its text part.

    Nine letters: the config leaves it open, says true, says false; for each of them its text part
    does so. Empty where the type has no such part, or refuses one of these.
    """
    try:
        config = CONFIG_MAPPING[kind]
        if TEXT_PART not in dict(config.sub_configs):
            return ""
        found = (_ties(config, whole, part) for whole in SAID for part in SAID)
        return "".join("t" if each else "f" for each in found)
    except Exception:
        return ""  # each refuses in its own way


def _ties(config: Any, whole: Mapping[str, bool], part: Mapping[str, bool]) -> bool:
    made = config.from_dict({**whole, TEXT_PART: dict(part)})
    if not transformers.__version__.startswith("4."):
        return bool(getattr(made, TIED, False))  # `get_expanded_tied_weights_keys`
    return bool(getattr(made.get_text_config(decoder=True), TIED, True))  # `tie_weights`


LETTERS: Mapping[frozenset[str], str] = {
    frozenset({"int"}): "i",
    frozenset({"int", "list[int]"}): "l",
    frozenset({"bool"}): "b",
    frozenset({"float"}): "f",
    frozenset({"float", "int"}): "n",
    frozenset({"str"}): "s",
}
"""Types that the class of a config declares for a field -> the letter of a record."""


def fields(kind: str, keys: Sequence[str]) -> list[str]:
    """The letter of the type that a config's class holds each key to, and `%` if heads divide.

    Then the other fields that take no whole number, `?` behind one that may be null.  Empty where
    the class holds no field to a type, as in version 4.
    """
    try:
        config = CONFIG_MAPPING[kind]
        letters = {field.name: _letter(field.type) for field in dataclasses.fields(config)}
    except Exception:
        return []
    heads = {"hidden_size": 10, "num_attention_heads": 3}
    divide = "%" if "not a multiple" in _raised(config, heads) else ""
    letters = {
        name: letter
        for name, letter in sorted(letters.items())
        if letter.lower() == "f" or name in keys
        if f"field '{name}'" in _raised(config, {name: {"": None}})
    }
    floats = [name + "?" * letter.isupper() for name, letter in letters.items() if name not in keys]
    return ["".join(letters.get(key, "-") for key in keys) + divide, " ".join(floats)]


def _letter(declared: Any) -> str:
    """The letter of a declared type; `-` for one that is not checked, or is of another kind."""
    if isinstance(declared, str):
        return "-"  # an annotation that was not resolved is not checked
    name = declared.__name__ if isinstance(declared, type) else str(declared)
    parts = set(name.split(" | "))
    letter = LETTERS.get(frozenset(parts - {"None"}), "-")
    return letter.upper() if "None" in parts and letter != "-" else letter


def _raised(config: Any, stated: Mapping[str, Any]) -> str:
    try:
        config.from_dict(dict(stated))
    except Exception as error:
        return str(error)
    return ""


def keys_of_files() -> dict[str, list[str]]:
    """The keys of settings files that the library's classes have, by the file."""
    of_generation = getattr(transformers, "GenerationConfig", dict)
    configs = (config_of(kind) or {} for kind in CONFIG_MAPPING)
    keys = {
        "config.json": {key for config in configs for key in config},
        "generation_config.json": {*vars(of_generation())} if of_generation is not dict else set(),
        "preprocessor_config.json": {*processor_keys()},
    }
    return {file: sorted(named) for file, named in keys.items()}


def processor_keys() -> Iterator[str]:
    """The parameters and attributes of classes in modules of processors, which need not load."""
    for path in Path(transformers.__file__).parent.rglob("*.py"):
        if PROCESSES.search(path.name):
            tree = ast.parse(path.read_text("utf-8"))
            for kind in (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
                yield from filter(is_a_key, attributes(kind))


def attributes(kind: ast.ClassDef) -> Iterator[str]:
    """What a class declares, is made of, or sets of its own."""
    for node in kind.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id
        if isinstance(node, ast.FunctionDef) and node.name == "__init__":
            yield from (each.arg for each in (*node.args.args[1:], *node.args.kwonlyargs))
    for part in ast.walk(kind):
        if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store):
            yield from [part.attr] if getattr(part.value, "id", "") == "self" else []


def is_a_key(name: str) -> bool:
    """Whether a name is written as the keys of settings are."""
    return not name.isupper() and not name.startswith("_")


@cache
def words() -> frozenset[str]:
    """The names and words in the modules of the library."""
    modules = Path(transformers.__file__).parent.rglob("*.py")
    return frozenset().union(*(re.findall(r"\w+", each.read_text("utf-8")) for each in modules))


def settings_default(file: str, key: str) -> Any:
    """What the library takes for a key that a settings file leaves out, whatever the model."""
    of_files = {
        "config.json": transformers.PretrainedConfig,
        "generation_config.json": transformers.GenerationConfig,
    }
    return getattr(of_files[file](), key, None) if file in of_files else None


def main() -> None:
    """Answer one request."""
    asked = json.load(sys.stdin)
    wrong = getattr(tokenization_auto, "MODELS_WITH_INCORRECT_HUB_TOKENIZER_CLASS", ())
    types = {*asked["types"], *tokenization_auto.TOKENIZER_MAPPING_NAMES, *CONFIG_MAPPING}
    answers = {
        "classes": {name: tokenizer_class(name, asked["settings"]) for name in asked["classes"]},
        "others": others(asked["classes"]),
        "tokenizers": dict(tokenization_auto.TOKENIZER_MAPPING_NAMES),
        "misnamed": sorted(wrong),
        "values": {kind: config_values(kind, asked["values"]) for kind in sorted(types)},
        "ties": {kind: said for kind in sorted(types) if (said := ties(kind))},
        "fields": {
            kind: held for kind in sorted(types) if (held := fields(kind, asked.get("fields", ())))
        },
        "keys_of_files": keys_of_files(),
        "keys": [
            [key in words(), settings_default(file, key)] for file, key in asked.get("keys", ())
        ],
    }
    json.dump(answers, sys.stdout, default=str)


if __name__ == "__main__":
    main()
