"""What the subjects of one run have in common, so that nothing is worked out twice."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tokaudit.runtimes.known_answers import KnownAnswers
from tokaudit.subject.material import LARGEST_READ, SourceFile, Subject
from tokaudit.subject.places.pointers import Known
from tokaudit.subject.representations import Representations, parse_all
from tokaudit_reference.spec import TokenizerSpec


@dataclass
class KeptNeeds:
    """The needs that were built of the same spec for another subject, and of nothing else.

    All that is kept was built of the spec that was seen last.  It is known by its identity: what
    is held here cannot be something else at the same place.
    """

    _held: dict[int, Any] = field(default_factory=dict)
    _built: dict[tuple[Any, ...], Any] = field(default_factory=dict)
    _spec: TokenizerSpec | None = None

    def built(self, build: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
        """What `build` makes of the arguments, or has made of the very same before."""
        if not arguments or not all(id(one) in self._held for one in arguments.values()):
            return self._interned(build(**arguments))
        key = (build, *map(id, arguments.values()))
        if key not in self._built:
            self._built[key] = found = build(**arguments)
            self._held[id(found)] = found
        return self._built[key]

    def _interned(self, found: Any) -> Any:
        """The spec that was seen before, where this one is equal to it; anything else as it is."""
        if not isinstance(found, TokenizerSpec):
            return found
        if found != self._spec:
            self._spec = found
            self._built.clear()
            self._held = {id(found): found}
        return self._spec


@dataclass
class ParsedFiles:
    """What the files of the subject before say, and what was read of them to know it."""

    _subject: Subject | None = None
    _read: Mapping[str, str] = field(default_factory=dict)  # name -> digest of the whole file
    _found: Representations = field(default_factory=lambda: Representations(()))

    def of(self, subject: Subject) -> Representations:
        """What the files of a subject say; parsed again where they are not the same."""
        if self._subject is None or not self._same(subject, self._subject):
            self._found = parse_all(subject)
            read = [file for file in subject.files if file.content.was_read]
            self._read = {file.name: file.content.digest()[0] for file in read}
            self._subject = subject if all(map(_is_read_whole, read)) else None
        return self._found

    def _same(self, subject: Subject, before: Subject) -> bool:
        """Whether nothing differs that a parser could have looked at."""
        if _listed(subject) != _listed(before):
            return False
        files = [file for file in subject.files if file.name in self._read]
        if sum(file.size for file in files) > LARGEST_READ:
            return False
        return all(_digest(file) == self._read[file.name] for file in files)


def _listed(subject: Subject) -> Subject:
    """The subject as parsers see it before they read: what it is called makes no difference."""
    files = tuple(replace(file, path=Path(file.name), size=0) for file in subject.files)
    return replace(subject, name="", root=Path(), files=files)


def _is_read_whole(file: SourceFile) -> bool:
    return not file.content.passages and file.content.digest()[1] == file.content.size


def _digest(file: SourceFile) -> str:
    return hashlib.sha256(file.content.read(0, file.content.size)).hexdigest()


@dataclass
class Shared:
    """What files say, what encoders have answered, and what was built, in one run over several."""

    parsed: ParsedFiles = field(default_factory=ParsedFiles)
    answers: KnownAnswers = field(default_factory=KnownAnswers)
    needs: KeptNeeds = field(default_factory=KeptNeeds)
    lines: Known = field(default_factory=dict)
