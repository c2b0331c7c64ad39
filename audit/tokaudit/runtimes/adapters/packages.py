"""Adapter for Python packages described by rows of `packages.toml`."""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from tokaudit.foundation.installed_version import version
from tokaudit.foundation.typed_values import read_value
from tokaudit.runtimes.protocol import (
    DecodeOptions,
    EncodeOptions,
    Encoding,
    Tokenizer,
    TokenizerInfo,
)
from tokaudit.runtimes.registry import Adapter
from tokaudit.runtimes.request import LoadRequest

EXTRA = "runtimes"


@dataclass(frozen=True)
class Package:
    """One row, whose fields are explained at the head of the table."""

    load: str
    formats: tuple[str, ...]
    encode: str
    decode: str
    minimum: str = ""
    given: Literal["path", "bytes", "encoding"] = "path"
    encodings: tuple[str, ...] = ()
    batch: str = ""
    add: str = ""
    parse: str = ""
    plain: str = ""
    special: Literal["asked", "always", "never"] = "asked"
    gives: Literal["text", "bytes"] = "text"
    skip: str = ""
    keep: str = ""
    memory: int = 0

    @property
    def capabilities(self) -> frozenset[str]:
        """Return the capabilities of the package, in the protocol's words."""
        able = {
            "special": self.special == "asked",
            "parses": self.special == "always",
            "adds": bool(self.add),
            "batch": bool(self.batch),
            "decode" if self.gives == "text" else "decode_bytes": True,
        }
        return frozenset({"encode", *(name for name, yes in able.items() if yes)})


class PackageTokenizer:
    """A tokenizer of a package, called as its row says."""

    def __init__(self, name: str, row: Package, library: Any, note: str = "") -> None:
        self._row, self._library, self.capabilities = row, library, row.capabilities
        self.info = TokenizerInfo(name, name, version(name), notes=(note,) if note else ())

    def vocab(self) -> dict[int, bytes | str]:
        """Return nothing: the packages have no common call for it."""
        return {}

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        """Encode each text, in a batch if the package has a call for it."""
        keywords = self._keywords(options)
        if self._row.batch and not options.alone:
            found = getattr(self._library, self._row.batch)(list(texts), **keywords)
            return [Encoding(ids=ids_of(one)) for one in found]
        call = getattr(self._library, self._row.encode)
        return [Encoding(ids=ids_of(call(text, **keywords))) for text in texts]

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        """Decode each list of ids; empty if the package returns nothing."""
        row, skip = self._row, options.skip_special_tokens
        keywords = {name: value for name, value in ((row.skip, skip), (row.keep, not skip)) if name}
        call = getattr(self._library, row.decode)
        found = [call(list(one), **keywords) for one in ids]
        return ["" if one is None else one for one in found]

    def _keywords(self, options: EncodeOptions) -> dict[str, bool]:
        row, parse = self._row, options.parse_special
        pairs = ((row.add, options.add_special_tokens), (row.parse, parse), (row.plain, not parse))
        return {name: value for name, value in pairs if name}


def ids_of(found: Any) -> tuple[int, ...]:
    """Return ids from a list, an array, or an object with `.ids`.

    >>> ids_of([1, 2])
    (1, 2)
    """
    return tuple(int(id) for id in getattr(found, "ids", found))


def _loader(name: str, row: Package) -> Any:
    def load(request: LoadRequest) -> Tokenizer:
        """Load by the row's callable, with the input that it expects."""
        module, _, attributes = row.load.partition(":")
        call: Any = importlib.import_module(module)
        for attribute in attributes.split("."):
            call = getattr(call, attribute)
        given, note = _given(name, row, Path(request.path))
        return PackageTokenizer(name, row, call(given), note)

    return load


def _given(name: str, row: Package, path: Path) -> tuple[Any, str]:
    """Return the argument of the callable, and a note for readers."""
    if row.given == "path":
        return str(path), ""
    data = path.read_bytes()
    if row.given == "bytes":
        return data, ""
    from tokaudit.subject.upstream.published.known_encodings import of_ranks

    try:
        found = of_ranks(len(data.split()) // 2, row.encodings)
    except LookupError as error:
        known = ", ".join(sorted(row.encodings))
        raise ValueError(f"{name} reads no files, and has only these encodings: {known}") from error
    return found, f"its own encoding {found}, chosen by the number of ranks"


def _rows() -> dict[str, Package]:
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    return read_value(table, dict[str, Package])


def _adapter(name: str, row: Package) -> Adapter:
    load, memory = _loader(name, row), row.memory
    return Adapter(name, name, load, row.minimum, extra=EXTRA, memory=memory, formats=row.formats)


ADAPTERS = tuple(_adapter(name, row) for name, row in _rows().items())
