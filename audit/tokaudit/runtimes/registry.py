"""Adapters: their type, and checks of the packages they need."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.installed_version import version
from tokaudit.foundation.plugins.installed import Kind, installed
from tokaudit.runtimes.protocol import Tokenizer
from tokaudit.runtimes.request import LoadRequest

Load = Callable[[LoadRequest], Tokenizer]
Reads = Callable[[LoadRequest], Iterable[str]]


def named_files(request: LoadRequest) -> Iterable[str]:
    """Return the paths in the request, the only ones that our adapters read.

    >>> list(named_files(LoadRequest("tokenizers", "/a/tokenizer.json")))
    ['/a/tokenizer.json']
    """
    paths = (request.path, *request.files, *request.siblings.values())
    return (path for path in paths if path.startswith(os.sep))


def nothing() -> str:
    """Return no command: only the package itself can be missing."""
    return ""


def no_ports(request: LoadRequest) -> Iterable[int]:
    """Return no ports: the adapter is not for a server."""
    return ()


@dataclass(frozen=True)
class Adapter:
    """A way to load a tokenizer; `package` is what must be installed ("" for none).

    `load` imports the upstream, so it is called in a worker only; `minimum` is the oldest version
    of the package whose interface it uses.  An adapter that runs what the user named, and no
    material of a subject, needs the user's folder and environment: `named_by_user`.  Any other may
    read its libraries and, of files and folders, what `reads` says of a request.  `extra` is ours
    that installs the package; `memory` is the address space of its worker, where that of all others
    is too small for its libraries.  `formats` are those of the files that it takes when a user
    names it as a runtime; who wants the files next to them too says `wants_folder`.  `programs` are
    what it starts and `ports` those of servers that it asks, which no other worker may; `lacking`
    says what else must be installed.
    """

    name: str
    package: str
    load: Load
    minimum: str = ""
    named_by_user: bool = False
    reads: Reads = named_files
    extra: str = ""
    memory: int = 0
    formats: tuple[str, ...] = ()
    wants_folder: bool = False
    programs: Reads | None = None
    ports: Callable[[LoadRequest], Iterable[int]] = no_ports
    lacking: Callable[[], str] = nothing


ADAPTERS = Kind("adapter", Adapter, ("adapters",), lambda adapter: (adapter.name,))


@cache
def all_adapters() -> dict[str, Adapter]:
    """Map names to installed adapters, without importing upstream libraries."""
    return installed(ADAPTERS).all()


def named_by_user() -> frozenset[str]:
    """Return the adapters that run user code.

    >>> sorted(named_by_user())
    ['call', 'cmd']
    """
    return frozenset(adapter.name for adapter in all_adapters().values() if adapter.named_by_user)


def adapter_named(name: str) -> Adapter:
    """Return the adapter of that name, after checking its package."""
    known = all_adapters()
    if name not in known:
        raise UsageError(
            f"{name!r} is not a known adapter; known adapters: {', '.join(sorted(known))}"
        )
    adapter = known[name]
    if adapter.package:
        _require(adapter)
    return adapter


def lacks_its_extra(name: str) -> str:
    """Return what to install for an adapter of an extra; "" if it is installed.

    >>> lacks_its_extra("tokenizers")
    ''
    """
    adapter = all_adapters().get(name)
    if adapter is None or not adapter.extra:
        return ""
    try:
        _require(adapter)
    except UsageError as error:
        return str(error)
    return ""


def lacks(name: str) -> str:
    """Return what to install for an adapter whose package is not here; "" where it is.

    >>> lacks("tokenizers")
    ''
    """
    try:
        return adapter_named(name).lacking()
    except UsageError as error:
        return str(error)


def _require(adapter: Adapter) -> None:
    """Refuse a package that is missing or too old, with the command to fix it."""
    package, minimum = adapter.package, adapter.minimum
    wanted = f"{package}>={minimum}" if minimum else package
    wanted = f"tokaudit[{adapter.extra}]" if adapter.extra else wanted
    try:
        found = version(package)
    except ModuleNotFoundError:
        raise UsageError(f"{package} is not installed; run: pip install '{wanted}'") from None
    if minimum and _numbers(found) < _numbers(minimum):
        raise UsageError(f"{package} {found} is too old; run: pip install '{wanted}'")


def _numbers(release: str) -> tuple[int, ...]:
    """Return the leading numbers of a version, which suffice for a minimum.

    >>> _numbers("0.20.1rc2") < _numbers("0.20.10")
    True
    """
    digits = re.match(r"[\d.]*", release)
    return tuple(int(part) for part in (digits[0] if digits else "").split(".") if part)
