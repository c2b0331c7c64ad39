"""Asks one installed transformers what its classes are; run by that environment's own Python.

It reads a request from standard input and prints the answers, both JSON.  It imports nothing of
ours, as the environment has transformers and little else.
"""

from __future__ import annotations

import inspect
import json
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

warnings.filterwarnings("ignore")

import transformers  # noqa: E402
from transformers.models.auto import tokenization_auto  # noqa: E402
from transformers.models.auto.configuration_auto import CONFIG_MAPPING  # noqa: E402

ROLES = ("bos", "eos", "sep", "pad", "cls", "mask")
ATTRIBUTES = ("padding_side", "truncation_side", "model_input_names")
MAPPING: Mapping[str, Any] = tokenization_auto.TOKENIZER_MAPPING_NAMES
NO_CLASS = "absent"
Sides = tuple[type | None, type | None]


def sides(name: str) -> Sides:
    """The slow class and the fast one; in version 5 one name stands for both."""
    return _named(name), _named(f"{name}Fast")


def _named(name: str) -> type | None:
    try:
        found = getattr(transformers, name, None)
    except (ImportError, AttributeError):
        return None
    try:
        is_one = inspect.isclass(found) and found.__name__ == name and bool(found.__mro__)
        return found if is_one and hasattr(found, "vocab_files_names") else None
    except ImportError:
        return None  # a placeholder for what this environment lacks


def parameters(kind: type) -> dict[str, inspect.Parameter]:
    """The arguments that a class itself takes when it is made."""
    own = next((c for c in kind.__mro__ if "__init__" in c.__dict__), kind)
    if own.__module__.startswith("transformers.tokenization"):
        return {}  # what any tokenizer takes
    return dict(inspect.signature(own.__init__).parameters)


def default(kind: type, key: str) -> Any:
    """The default of an argument, or an attribute that the class has instead of its base's."""
    if key in ATTRIBUTES:
        base = transformers.PreTrainedTokenizerBase
        value = getattr(kind, key, None)
        return inspect.Parameter.empty if value == getattr(base, key, None) else value
    found = parameters(kind).get(key)
    return inspect.Parameter.empty if found is None else found.default


def settings(name: str, keys: Iterable[str]) -> Iterator[tuple[str, Any]]:
    """Each key that the class takes and its default: of the fast class, else of the slow one."""
    slow, fast = sides(name)
    for key in keys:
        found = [default(kind, key) for kind in (fast, slow) if kind is not None]
        stated = [value for value in found if value is not inspect.Parameter.empty]
        if stated:
            yield key, stated


def tokens(name: str) -> dict[str, str]:
    """The special tokens that a class takes by default, without roles in which its sides differ."""
    found = {}
    for role in ROLES:
        values = {
            str(value)
            for kind in sides(name)
            if kind is not None
            and (value := default(kind, f"{role}_token")) is not inspect.Parameter.empty
            and value is not None
        }
        if len(values) == 1:
            found[role] = values.pop()
    return found


def what(name: str) -> dict[str, Any]:
    slow, fast = sides(name)
    kind = slow or fast
    if kind is None:
        return {}
    bases = [base.__name__ for base in kind.__mro__]
    return {
        "slow": slow is not None,
        "fast": fast is not None,
        "bases": bases,
        "files": getattr(kind, "vocab_files_names", {}),
        "fast_files": getattr(fast, "vocab_files_names", {}) if fast else {},
        "module": kind.__module__.removeprefix("transformers.models."),
        "builds": getattr(getattr(kind, "model", None), "__name__", ""),
        "own_init": "__init__" in kind.__dict__,
        "languages": getattr(sys.modules[kind.__module__], "FAIRSEQ_LANGUAGE_CODES", []),
        "tokens": tokens(name),
    }


def values(kind: str, keys: Iterable[str]) -> dict[str, Any] | None:
    try:
        config = CONFIG_MAPPING[kind]().to_dict()
    except Exception:
        return None
    return {key: config.get(key) for key in keys}


def main() -> None:
    request = json.load(sys.stdin)
    json.dump(
        {
            "version": transformers.__version__,
            "classes": {
                name: {**what(name), "settings": dict(settings(name, request["settings"]))}
                for name in request["classes"]
            },
            "mapping": {kind: names for kind, names in MAPPING.items()},
            "as_the_file_is": sorted(
                getattr(tokenization_auto, "MODELS_WITH_INCORRECT_HUB_TOKENIZER_CLASS", ())
            ),
            "values": {kind: values(kind, request["values"]) for kind in request["kinds"]},
        },
        sys.stdout,
        default=str,
    )


if __name__ == "__main__":
    main()
