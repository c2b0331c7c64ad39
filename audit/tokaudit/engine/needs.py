"""What a check may ask for, each built once and only when somebody asks.

A need is a type: a check that has a parameter annotated with it is given one.  A provider that
cannot build it raises `Skip` (something is missing) or `NotApplicable` (no meaning here), and
that becomes the result of every check that asked.
"""

from __future__ import annotations

import inspect
import threading
import time
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tokaudit.runtimes.protocol import (
    DecodeOptions,
    EncodeOptions,
    Encoding,
    Tokenizer,
    TokenizerInfo,
)
from tokaudit.subject.material import Subject
from tokaudit_reference.spec import TokenizerSpec


@dataclass(frozen=True)
class Options:
    """How an audit was asked to run."""

    tier: str = "default"
    seed: int = 0
    jobs: int = 1
    corpus: tuple[Path, ...] = ()
    timeout: float = 20.0


@dataclass(frozen=True)
class Base:
    """What the subject is held against: another subject, already opened and parsed."""

    subject: Subject
    spec: TokenizerSpec


@dataclass(frozen=True)
class Probes:
    """The texts that encoders are compared on, and how they were drawn."""

    texts: tuple[str, ...]
    method: str


@dataclass(frozen=True)
class VendorLoad:
    """How the vendor took the file: `tokenizer` when it loaded, else its own words in `error`."""

    adapter: str
    tokenizer: Tokenizer | None
    error: str = ""
    crashed: bool = False


class _Behind:
    """A tokenizer under a type of its own, so that a check can ask for that one by annotation."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer

    @property
    def info(self) -> TokenizerInfo:
        return self._tokenizer.info

    @property
    def capabilities(self) -> frozenset[str]:
        return self._tokenizer.capabilities

    def vocab(self) -> dict[int, bytes | str]:
        return self._tokenizer.vocab()

    def encode(
        self, texts: typing.Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        return self._tokenizer.encode(texts, options)

    def decode(
        self, ids: typing.Sequence[typing.Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        return self._tokenizer.decode(ids, options)


class Vendor(_Behind):
    """The vendor library that production would load these files with, in a worker."""


class Reference(_Behind):
    """The reference implementation running the subject's spec, in a worker."""


class Against(_Behind):
    """The other encoder that `--against` names, in a worker."""


Provider = Callable[["Needs"], Any]


@dataclass
class Needs:
    """Resolves a function's parameters from their annotations, building each need once."""

    providers: Mapping[type, Provider]
    _built: dict[type, Any] = field(default_factory=dict)
    _seconds: dict[type, float] = field(default_factory=dict)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def get(self, kind: type) -> Any:
        """The need of that type; raises what its provider raised, every time."""
        with self._lock:
            if kind not in self._built:
                started = time.perf_counter()
                try:
                    self._built[kind] = self.providers[kind](self)
                except Exception as error:
                    self._built[kind] = error
                self._seconds[kind] = time.perf_counter() - started
            built = self._built[kind]
        if isinstance(built, Exception):
            raise built
        return built

    def arguments(self, function: Callable[..., Any]) -> dict[str, Any]:
        """The arguments that a check's function asks for."""
        hints = typing.get_type_hints(function)
        return {name: self.get(hints[name]) for name in inspect.signature(function).parameters}
