"""Adapter for a user's Python encoder `module:object`; the only one that runs their code."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.installed_version import version
from tokaudit.runtimes.engine_protocol import PROTOCOL, ProtocolEngine, hello_of, speaks
from tokaudit.runtimes.protocol import (
    DecodeOptions,
    EncodeOptions,
    Encoding,
    Tokenizer,
    TokenizerInfo,
)
from tokaudit.runtimes.registry import Adapter
from tokaudit.runtimes.request import LoadRequest


class PythonEncoder:
    """An object with `encode`, or a function from text to ids."""

    def __init__(self, target: Any, name: str) -> None:
        self._encode = getattr(target, "encode", target)
        self._decode = getattr(target, "decode", None)
        self._takes_specials = "add_special_tokens" in _parameters(self._encode)
        self.capabilities = frozenset({"encode", *(["decode"] if self._decode else [])})
        package = name.partition(":")[0].partition(".")[0]
        self.info = TokenizerInfo("call", package, _version(package))

    def vocab(self) -> dict[int, bytes | str]:
        """Return nothing: a bare encoder does not name its ids."""
        return {}

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        """Encode each text, without special tokens if the encoder has that option."""
        extra = {"add_special_tokens": options.add_special_tokens} if self._takes_specials else {}
        return [Encoding(ids=_ids(self._encode(text, **extra))) for text in texts]

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        """Decode with the object's own `decode`."""
        if self._decode is None:
            raise UsageError("this encoder has no method decode")
        return [self._decode(list(one)) for one in ids]


def _ids(found: Any) -> tuple[int, ...]:
    """Return ids from a list, an object with `.ids`, or a mapping with `input_ids`."""
    if isinstance(found, Mapping):
        found = found["input_ids"]
    return tuple(int(id) for id in getattr(found, "ids", found))


def _parameters(function: Any) -> Mapping[str, Any]:
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):
        return {}


def _version(package: str) -> str:
    for name in (package, package.replace("_", "-")):
        try:
            return version(name)
        except ModuleNotFoundError:
            continue
    return ""


def load(request: LoadRequest) -> Tokenizer:
    """Import the module and find the object that `module:object` names."""
    module, colon, attribute = request.path.partition(":")
    if not colon or not attribute:
        raise UsageError(f"call:{request.path}: expected call:module:object")
    _allow_current_folder(module)
    target = importlib.import_module(module)
    for part in attribute.split("."):
        target = getattr(target, part)
    if callable(getattr(target, "hello", None)):
        return _engine(target, request.path, request.threads)
    return PythonEncoder(target, request.path)


def _engine(target: Any, name: str, threads: int = 1) -> Tokenizer:
    """Wrap an object with a method for each question of the engine protocol."""

    def ask(question: Mapping[str, Any]) -> Mapping[str, Any]:
        rest = {key: value for key, value in question.items() if key != "op"}
        answer: Mapping[str, Any] = getattr(target, question["op"])(**rest)
        return answer

    hello = ask(hello_of(threads))
    if not speaks(hello):
        raise UsageError(f"call:{name}: its first answer does not follow the protocol {PROTOCOL}")
    return ProtocolEngine("call", ask, {"name": name} | dict(hello))


def _allow_current_folder(module: str) -> None:
    """Let a user's own module be found in the current folder, shadowing no installed one.

    A worker does not import from the current folder, which may be the one under audit.
    """
    if importlib.util.find_spec(module.partition(".")[0]) is None:
        sys.path.append(str(Path.cwd()))


ADAPTER = Adapter("call", "", load, named_by_user=True)
