"""File formats: one module each, found by walking this package; each has a `FORMAT`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from tokaudit.subject.material import Fact, SourceFile, Subject
from tokaudit.subject.tensors import Tensor
from tokaudit_reference.spec import SpecError, TokenizerSpec


class NothingToRead(SpecError):
    """Raised for a sound file of a format in which there is no tokenizer that is read yet."""


@dataclass(frozen=True)
class Format:
    """A way to write a tokenizer down.

    `recognise` looks at a file's name and its first 4 kB and says whether it is the format's main
    file (`vocab.json` for `vocab.json`+`merges.txt`); `parse` reads it, with the other files it
    needs, into a spec or raises `SpecError`/`UnreadableError` naming the file and the place.
    `order` ranks representations in one folder: the lowest is what loaders use.
    `adapter` is the vendor that runs such a file ("" if none does).
    `facts` and `tensors` are what such a file states beside its vocabulary, if it is a file of a
    whole model; the latter raises `UnreadableError` for a description that lies.
    """

    name: str
    order: int
    adapter: str
    recognise: Callable[[str, bytes], bool]
    parse: Callable[[Subject, SourceFile], TokenizerSpec]
    facts: Callable[[SourceFile], Iterable[Fact]] | None = None
    tensors: Callable[[SourceFile], Mapping[str, Tensor]] | None = None


@cache
def all_formats() -> tuple[Format, ...]:
    """Every format, the preferred one first."""
    found = []
    for module in pkgutil.iter_modules(__path__, __name__ + "."):
        format = getattr(importlib.import_module(module.name), "FORMAT", None)
        if isinstance(format, Format):
            found.append(format)
    return tuple(sorted(found, key=lambda format: format.order))
