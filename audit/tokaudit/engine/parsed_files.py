"""Parsed files of subjects, shared within a run between equal bytes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.material import LARGEST_READ, SourceFile, Subject
from tokaudit.subject.representations import Representation, Representations, parse_all
from tokaudit_reference.spec import Component, Origin, TokenizerSpec

HELD = 20_000_000  # bytes of files of which readings are held; a vocabulary takes 25 times its file
Names = Mapping[str, str]  # of the files of one subject -> of the same files of another


@dataclass(frozen=True)
class _Reading:
    """The parsed files of one subject, and the files that were read for it."""

    subject: Subject
    found: Representations
    read: Mapping[str, str]  # name -> digest of the whole file

    @property
    def size(self) -> int:
        """Count the bytes that were read."""
        return sum(file.size for file in self.subject.files if file.name in self.read)

    def may_be_of(self, other: Subject) -> bool:
        """Return whether only file contents could make another subject parse differently."""
        return _listed(other) == _listed(self.subject) and all(
            file.size == here.size
            for here, file in zip(self.subject.files, other.files, strict=True)
            if here.name in self.read
        )

    def of(self, other: Subject) -> Representations | None:
        """Return this parse for another subject's files; None if they have to be parsed."""
        if not self.may_be_of(other):
            return None
        pairs = list(zip(self.subject.files, other.files, strict=True))
        read = [(here, file) for here, file in pairs if here.name in self.read]
        if sum(file.size for _, file in read) > LARGEST_READ:
            return None
        with suppress(UnreadableError):  # which parsing says of the file itself
            if all(_digest(file) == self.read[here.name] for here, file in read):
                return renamed(self.found, {here.name: file.name for here, file in pairs})
        return None


@dataclass
class ParsedFiles:
    """Parsed files of the last subject, and of those that later ones may copy."""

    _held: list[_Reading] = field(default_factory=list)

    def of(self, subject: Subject, later: Sequence[Subject] = ()) -> Representations:
        """Return the parsed files of a subject, reusing a parse of the same bytes.

        Held on is what one of those that come `later` may share, as a vocabulary takes memory.
        """
        shared = ((each, each.of(subject)) for each in self._held)
        last, found = next((known for known in shared if known[1] is not None), (None, None))
        if found is None:
            found = parse_all(subject)
            last = _reading(subject, found)
        others = [each for each in self._held if each is not last]
        needed = [each for each in others if any(map(each.may_be_of, later))]
        self._held = list(_latest([*needed, *([last] if last is not None else [])]))
        return found


def _latest(readings: Sequence[_Reading]) -> Iterator[_Reading]:
    """Yield the last parse, and earlier ones as long as all together are small."""
    size = 0
    for number, each in enumerate(reversed(readings)):
        size += each.size
        if number and size > HELD:
            return
        yield each


def _reading(subject: Subject, found: Representations) -> _Reading | None:
    """Return a reading for others to share, if all its files were read completely."""
    read = [file for file in subject.files if file.content.was_read]
    if not all(map(_is_read_whole, read)):
        return None
    return _Reading(subject, found, {file.name: file.content.digest()[0] for file in read})


def _listed(subject: Subject) -> Subject:
    """Return the subject as parsers see it, without its name and folder."""
    files = tuple(
        replace(
            file,
            name=_inside(subject, file.name),
            path=Path(),
            size=0,
            read_as=_inside(subject, file.read_as),
        )
        for file in subject.files
    )
    facts = tuple(replace(fact, file=_inside(subject, fact.file)) for fact in subject.facts)
    return replace(subject, name="", root=Path(), files=files, facts=facts, part="", original="")


def _inside(subject: Subject, name: str) -> str:
    """Return the name of a file relative to the subject's part."""
    return name.removeprefix(f"{subject.part}/") if subject.part else name


def _is_read_whole(file: SourceFile) -> bool:
    return not file.content.passages and file.content.digest()[1] == file.content.size


def _digest(file: SourceFile) -> str:
    """Return the digest of a whole file, and mark it as read."""
    file.content.read(0, file.content.size)
    return file.content.digest()[0]


def renamed(found: Representations, names: Names) -> Representations | None:
    """Rename the files of a parse; None if a text names a file, as an error does."""
    moved = {name: new for name, new in names.items() if name != new}
    if not moved:
        return found
    if any(name in text for each in found.all for text in _texts(each) for name in moved):
        return None
    return Representations(tuple(_renamed(each, moved) for each in found.all))


def _renamed(one: Representation, names: Names) -> Representation:
    files = tuple(names.get(name, name) for name in one.files)
    spec = _spec_renamed(one.spec, names) if one.spec is not None else None
    return replace(one, files=files, spec=spec)


def _spec_renamed(spec: TokenizerSpec, names: Names) -> TokenizerSpec:
    return replace(
        spec,
        files=tuple(names.get(name, name) for name in spec.files),
        origins=_origins_renamed(spec.origins, names),
        added_origins=_origins_renamed(spec.added_origins, names),
    )


def _origins_renamed(origins: Mapping[str, Origin], names: Names) -> dict[str, Origin]:
    return {
        part: replace(origin, file=names.get(origin.file, origin.file))
        for part, origin in origins.items()
    }


def _texts(one: Representation) -> Iterator[str]:
    """Yield the texts of a representation that may name a file."""
    yield from (one.error, one.blamed)
    if one.spec is None:
        return
    for each in fields(one.spec):
        value = getattr(one.spec, each.name)
        if isinstance(value, str):
            yield value
        elif isinstance(value, Component):
            yield value.rule
    for origin in (*one.spec.origins.values(), *one.spec.added_origins.values()):
        yield origin.implied_by
