"""File formats: their type, and all installed ones, which are this package's modules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from tokaudit.foundation.plugins.installed import Kind, installed
from tokaudit.subject.material import Fact, SourceFile, Subject
from tokaudit.subject.places.parts import Part
from tokaudit.subject.tensors import Tensor
from tokaudit_reference.spec import SpecError, TokenizerSpec


class NothingToRead(SpecError):
    """Raised for a sound file of a format that contains no supported tokenizer."""


@dataclass(frozen=True)
class Format:
    """A file format for tokenizers.

    `recognise` looks at a file's name and its first 4 kB and says whether it is the format's main
    file (`vocab.json` for `vocab.json`+`merges.txt`); `parse` reads it, with the other files it
    needs, into a spec or raises `SpecError`/`UnreadableError` naming the file and the place.
    `order` ranks representations in one folder: the lowest is what loaders use.
    `adapter` is the upstream that runs such a file ("" if none does).
    `files` are the names of main files, `companions` those of the files that are read with them;
    the user can say of a file of any other name that it is one of these.
    `parts` says where the file states vocabulary, merges, added tokens and the stages.
    `facts` and `tensors` are what such a file states in addition to its vocabulary, if it is a file
    of a whole model; the latter raises `UnreadableError` for a description that lies.
    `lists_every_token` says that a token which the file lacks is not in it, `types_tokens` that the
    file tells special tokens from words; other formats leave that to settings and to classes.
    `under_any_name` says that loaders are told where the file is, whatever it is called.
    `settings` are those that the user gives of what such a file does not state.
    `stated` is all that a binary file states, by the pointers of the format.
    """

    name: str
    order: int
    adapter: str
    recognise: Callable[[str, bytes], bool]
    parse: Callable[[Subject, SourceFile], TokenizerSpec]
    facts: Callable[[SourceFile], Iterable[Fact]] | None = None
    tensors: Callable[[SourceFile], Mapping[str, Tensor]] | None = None
    files: tuple[str, ...] = ()
    companions: tuple[str, ...] = ()
    parts: Mapping[str, Part] = field(default_factory=dict)
    lists_every_token: bool = False
    types_tokens: bool = False
    under_any_name: bool = False
    settings: tuple[str, ...] = ()
    stated: Callable[[SourceFile], Mapping[str, Any]] | None = None

    def takes_name(self, base: str) -> bool:
        """Return whether loaders use a file of this base name for the format."""
        return self.under_any_name or base in self.files


FORMATS = Kind("format", Format, ("formats",), lambda format: (format.name,))


@cache
def all_formats() -> tuple[Format, ...]:
    """Return every installed format, the preferred one first."""
    return tuple(sorted(installed(FORMATS).all().values(), key=lambda format: format.order))
