"""Finds the adapters by walking this package; each module has an `ADAPTER`."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from tokaudit import adapters
from tokaudit.errors import MissingDependencyError, UsageError
from tokaudit.protocol import Tokenizer

Load = Callable[[str, Mapping[str, Any]], Tokenizer]


@dataclass(frozen=True)
class Adapter:
    """A way to load a tokenizer; `package` is what must be installed ("" for none)."""

    name: str
    package: str
    load: Load


@cache
def all_adapters() -> dict[str, Adapter]:
    """Name -> adapter; importing one imports no vendor."""
    found = {}
    for module in pkgutil.iter_modules(adapters.__path__, adapters.__name__ + "."):
        adapter = getattr(importlib.import_module(module.name), "ADAPTER", None)
        if isinstance(adapter, Adapter):
            found[adapter.name] = adapter
    return found


def adapter_named(name: str) -> Adapter:
    """The adapter of that name, its package checked."""
    known = all_adapters()
    if name not in known:
        raise UsageError(f"no adapter {name!r}; there are: {', '.join(sorted(known))}")
    adapter = known[name]
    if adapter.package and importlib.util.find_spec(adapter.package) is None:
        raise MissingDependencyError(adapter.package, adapter.name)
    return adapter
