"""Two tokenizers in one folder, for source and target of a translation, audited separately.

A class with sides reads the target's files in the place of the source's when it makes labels and
text.  So does this: the target is a part with the same configs, in which its files are known by the
names of the source's.  Where each has its own vocabulary, sizes and rows are those of the encoder
or of the decoder.

Which classes have sides, and of which files, is in their records (`upstream/class_reading.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tokaudit.subject.material import GONE, WHOLE, Fact, SourceFile, TranslationSide
from tokaudit.subject.upstream.class_reading import Sides
from tokaudit.subject.upstream.tokenizer_class import every_class

SIZE = "vocab_size"
OF_THE_OTHER = "of the other side, which is audited as {}"
TENSORS = ("encoder", "decoder")


@dataclass(frozen=True, slots=True)
class OneSide:
    """The files of a folder as seen from one side; `main` names the side's own file."""

    main: str
    files: tuple[SourceFile, ...]
    side: TranslationSide


def two_sides(files: Sequence[SourceFile], folder: str) -> tuple[OneSide, ...]:
    """Return source and target among a folder's files; empty if there is one side."""
    inside = {file.base: file for file in files if file.name.rpartition("/")[0] == folder}
    for known in every_class().values():
        sides = known.sides
        if sides is not None and all(name in inside for name in sides.mains):
            return tuple(_one(files, inside, sides, place) for place in (0, 1))
    return ()


def _one(
    files: Sequence[SourceFile], inside: Mapping[str, SourceFile], sides: Sides, place: int
) -> OneSide:
    apart = sides.vocabularies[1] in inside
    pairs = {sides.mains, sides.vocabularies} if apart else {sides.mains}
    as_source = {inside[names[place]].name: names[0] for names in pairs}
    others = {inside[names[1 - place]].name for names in pairs if names[1 - place] in inside}
    other = inside[sides.mains[1 - place]].name
    changed = tuple(
        _put_aside(file, other)
        if file.name in others
        else _known_as(file, as_source[file.name])
        if file.name in as_source
        else file
        for file in files
    )
    side = TranslationSide(TENSORS[1 - place], sides.sizes[place]) if apart else WHOLE
    return OneSide(inside[sides.mains[place]].name, changed, side)


def _known_as(file: SourceFile, base: str) -> SourceFile:
    folder = file.name.rpartition("/")[0]
    return replace(file, read_as=f"{folder}/{base}" if folder else base)


def _put_aside(file: SourceFile, other: str) -> SourceFile:
    return replace(file, role=OF_THE_OTHER.format(other), read_as=file.name + GONE)


def facts_of(side: TranslationSide, facts: Iterable[Fact]) -> Iterator[Fact]:
    """Yield the facts about one side, with its own size as the vocabulary's."""
    for fact in facts:
        if fact.name == side.size:
            yield replace(fact, name=SIZE)
        elif fact.name != SIZE or side == WHOLE:
            yield fact
