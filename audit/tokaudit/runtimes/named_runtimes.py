"""Names of runtimes, and what each loads from a subject."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

from tokaudit.foundation.errors import Skip, UsageError
from tokaudit.foundation.settings.nearest import meant
from tokaudit.runtimes.registry import Adapter, all_adapters, lacks, named_by_user
from tokaudit.runtimes.request import LoadRequest
from tokaudit.runtimes.subject_requests import loaded_request, sibling_copies
from tokaudit.subject.formats import all_formats
from tokaudit.subject.material import Subject
from tokaudit.subject.representations import Representation, Representations
from tokaudit_reference.spec import TokenizerSpec

NOT_NAMED = ("reference",)  # it is what all others are compared with
SERVERS = ("http://", "https://")
SERVER = "server"


@dataclass(frozen=True)
class NamedRuntime:
    """An adapter and its place: an interpreter, a folder, an address; or user code."""

    name: str
    adapter: str
    place: str = ""
    target: str = ""


def named_runtime(text: str) -> NamedRuntime:
    """Parse a runtime's name; raise `UsageError` for an unknown one.

    >>> named_runtime("tokenizers").adapter
    'tokenizers'
    >>> named_runtime("call:acorn:encode").target
    'acorn:encode'
    """
    if text.startswith(SERVERS):
        return NamedRuntime(text, SERVER, text)
    adapter, colon, target = text.partition(":")
    if colon and adapter in named_by_user():
        return NamedRuntime(text, adapter, target=target)
    adapter, place = _apart(text)
    known = sorted(set(all_adapters()) - named_by_user() - {*NOT_NAMED, SERVER})
    if adapter not in known:
        also = "NAME@/path/to/python, call:module:object, cmd:program, http://host:port"
        near = meant(adapter, known)
        listing = f"{near} Known" if near else "; known"
        raise UsageError(
            f"{text!r} is not a known runtime{listing} runtimes: {', '.join(known)}, {also}"
        )
    if place and not Path(place).exists():
        raise UsageError(f"{text}: {place} does not exist")
    return NamedRuntime(text, adapter, os.path.abspath(place) if place else "")  # noqa: PTH100


def placed_from(folder: Path, text: str) -> str:
    """Resolve a runtime's path relative to a configuration's folder.

    >>> placed_from(Path("ci"), "transformers@venv/bin/python"), placed_from(Path("ci"), "tokie")
    ('transformers@ci/venv/bin/python', 'tokie')
    >>> placed_from(Path("ci"), "call:acorn:encode"), placed_from(Path("ci"), "tokie@/venv/python")
    ('call:acorn:encode', 'tokie@/venv/python')
    """
    if text.startswith(SERVERS) or text.partition(":")[0] in named_by_user():
        return text
    name, place = _apart(text)
    return f"{name}@{folder / place}" if place else text


def well_formed(name: str) -> str:
    """Return the name of another encoder; raise `UsageError` for malformed code names.

    >>> well_formed("call:acorn:encode"), well_formed("models/a")
    ('call:acorn:encode', 'models/a')
    """
    prefix, _, rest = name.partition(":")
    module, _, attribute = rest.partition(":")
    if prefix == "call" and not (module and attribute):
        raise UsageError(f"{name}: expected call:module:object")
    if prefix == "cmd" and not rest.strip():
        raise UsageError(f"{name}: expected cmd:program")
    return name


def _apart(text: str) -> tuple[str, str]:
    """Split the name and the place after the last @ that does not begin it.

    >>> _apart("@acorn/oak@/srv/oak"), _apart("@acorn/oak")
    (('@acorn/oak', '/srv/oak'), ('@acorn/oak', ''))
    """
    name, _, place = text[1:].partition("@")
    return text[:1] + name, place


def available_runtimes(found: Representations) -> list[str]:
    """Name every installed runtime that supports one of the files."""
    there = {representation.format for representation, _ in found.parsed}
    return [
        name
        for name, adapter in sorted(all_adapters().items())
        if there.intersection(formats_of(adapter)) and not lacks(name)
    ]


@dataclass(frozen=True)
class RuntimeRequest:
    """The load request of a runtime, and the spec to compare its ids with."""

    request: LoadRequest
    representation: Representation
    spec: TokenizerSpec


def runtime_request(
    subject: Subject, found: Representations, runtime: NamedRuntime
) -> RuntimeRequest:
    """Build the request of a named runtime; raise `Skip` if it supports no file."""
    adapter = all_adapters()[runtime.adapter]
    takes = formats_of(adapter)
    for representation, spec in found.parsed:
        if not takes or representation.format in takes:
            if runtime.target:
                made = LoadRequest(adapter.name, runtime.target)
                return RuntimeRequest(made, representation, spec)
            made = loaded_request(subject, representation, spec, adapter.name)
            siblings = sibling_copies(subject) if adapter.wants_folder else {}
            made = replace(made, siblings=siblings, place=runtime.place)
            return RuntimeRequest(made, representation, spec)
    there = ", ".join(each.format for each, _ in found.parsed) or "no readable file"
    raise Skip(f"{runtime.name} reads {', '.join(takes)}; this tokenizer has {there}")


def formats_of(adapter: Adapter) -> tuple[str, ...]:
    """Return the formats that an adapter supports, its own library's first."""
    own = (each.name for each in all_formats() if each.adapter == adapter.name)
    return tuple(dict.fromkeys((*own, *adapter.formats)))
