"""Two pre-tokenizers as followed by the checker: character classes, and a marking each."""

from __future__ import annotations

import warnings
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import regex

from tokaudit.products.compare.proofs.cuts.characters import (
    ASCII,
    OtherCharacters,
    in_either_case,
    items,
    spelled,
)
from tokaudit.products.compare.proofs.cuts.expression import Atom, Expression, Unreadable
from tokaudit.products.compare.proofs.cuts.marking import (
    CUT,
    GONE,
    InPieces,
    Marking,
    SplitMarking,
    Uncut,
    short_texts,
    ways,
)
from tokaudit.products.compare.proofs.cuts.own_unicode import doubtful, taken_otherwise
from tokaudit.products.compare.proofs.cuts.reader import expression, literal
from tokaudit.products.compare.proofs.cuts.splitting import splits, writes_bytes
from tokaudit_reference.errors import SpecError
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.steps.pattern import SplitAt
from tokaudit_reference.steps.pre_tokenizers.split import Split
from tokaudit_reference.text.patterns import compiled

PATIENCE = 10.0  # seconds for one question to the engine
MOST_TEXTS = 1_500  # that the engine cuts for each side
SURROGATES = range(0xD800, 0xE000)


@dataclass(frozen=True)
class Cutters:
    """Both sides over the same classes; `starts` are class boundaries, `names` the classes."""

    left: Marking
    right: Marking
    starts: tuple[int, ...]
    names: tuple[int, ...]
    characters: tuple[str, ...]  # one of each class

    def of(self, character: str) -> int:
        """Return the class of a character."""
        return self.names[bisect_right(self.starts, ord(character)) - 1]


def cutters(first: TokenizerSpec, second: TokenizerSpec) -> Cutters:
    """Build both pre-tokenizers, tested on short texts; raise `Unreadable` if unsupported."""
    if _in_bytes(first) != _in_bytes(second):
        raise Unreadable("the two do not cut the same characters")
    both = splits(first), splits(second)
    programs = [[_program(split) for split in side] for side in both]
    atoms = {
        (atom, split.rust, split.python)
        for side, own in zip(both, programs, strict=True)
        for split, each in zip(side, own, strict=True)
        for atom in _atoms(each)
    }
    order = sorted(atoms, key=repr)
    starts, names, rows = _classes([frozenset(_edges(*asked)) for asked in order])
    characters = _representatives(starts, names, len(rows))
    markings = [_marking(side, own, order, rows) for side, own in zip(both, programs, strict=True)]
    for side, marking in zip(both, markings, strict=True):
        _as_the_engine_cuts(side, marking, characters)
    return Cutters(markings[0], markings[1], tuple(starts), tuple(names), tuple(characters))


def _in_bytes(spec: TokenizerSpec) -> int:
    written = writes_bytes(spec, "normalizer") + writes_bytes(spec, "pre_tokenizer")
    return max(written, int(spec.byte_level))


def _program(split: SplitAt) -> Expression:
    if split.pattern.is_regex:
        return expression(split.pattern.text, rust=split.rust, python=split.python)
    return literal(split.pattern.text)


def _atoms(program: Expression) -> Iterator[Atom]:
    for place in program.places:
        if place.takes is not None:
            yield place.takes
        if place.look is not None:
            yield place.look.atom


@cache
def _all_scalars() -> str:
    return "".join(map(chr, (*range(SURROGATES.start), *range(SURROGATES.stop, 0x110000))))


@cache
def _edges(atom: Atom, rust: bool, python: bool) -> tuple[int, ...]:
    """Return the code points where the engine starts and stops to match."""
    source = f"(?{'i' if atom.fold else ''}:{atom.source})+"
    try:
        with warnings.catch_warnings(action="ignore", category=FutureWarning):
            engine = compiled(source, rust=rust, python=python)
        found = _changed(_spans_of(engine.native), [] if python else _doubted(engine))
    except (SpecError, regex.error, TimeoutError, RecursionError, OverflowError) as error:
        raise Unreadable(atom.source) from error
    if not found:
        raise Unreadable(f"{atom.source}, which takes no character")
    if _as_spelled(atom, rust, python) not in (None, found):
        raise OtherCharacters(f"the engine takes other characters for {atom.source} than it names")
    return tuple(_code(edge) for span in found for edge in span)


def _as_spelled(atom: Atom, rust: bool, python: bool) -> list[tuple[int, int]] | None:
    """Return the ranges of a plain atom; None if only the engine knows them."""
    plain, listed = (
        spelled(atom.source, rust=rust, python=python),
        items(atom.source, rust=rust, python=python),
    )
    if plain is None or listed is None:
        return None
    found = _spans_of(regex.compile(f"{plain}+"))
    if not python:
        found = _changed(found, taken_otherwise(*listed))
    if not atom.fold:
        return found
    if python or any(end > len(ASCII) for _, end in found):
        return None
    taken = "".join(ASCII[start:end] for start, end in found)
    return _spans_of(regex.compile(f"[{in_either_case(taken)}]+"))


def _spans_of(engine: regex.Pattern[str]) -> list[tuple[int, int]]:
    """Return the ranges that an engine matches, over all scalars."""
    return [m.span() for m in engine.finditer(_all_scalars(), timeout=PATIENCE)]


def _doubted(engine: Any) -> list[str]:
    """Return the doubtful characters that the engine matches, in either Unicode version."""
    if engine.anywhere is engine.native:
        return []
    text = "".join(doubtful())
    taken = [
        {at for m in each.finditer(text, timeout=PATIENCE) for at in range(*m.span())}
        for each in (engine.native, engine.anywhere)
    ]
    return [text[at] for at in taken[0] ^ taken[1]]


def _changed(spans: list[tuple[int, int]], taken: Sequence[str]) -> list[tuple[int, int]]:
    """Return the ranges with the doubtful characters included or excluded as matched."""
    edges = {edge for span in spans for edge in span}
    for character in taken:
        code = ord(character)
        place = code if code < SURROGATES.start else code - len(SURROGATES)
        edges ^= {place, place + 1}
    bounds = sorted(edges)
    return list(zip(bounds[::2], bounds[1::2], strict=True))


def _code(place: int) -> int:
    """Return the code point at an index among all scalars."""
    return place if place < SURROGATES.start else place + len(SURROGATES)


def _classes(
    edges: Sequence[frozenset[int]],
) -> tuple[list[int], list[int], list[tuple[bool, ...]]]:
    """Return the class boundaries, their classes, and the atoms that hold in each."""
    inside, known = [False] * len(edges), dict[tuple[bool, ...], int]()
    starts, names = [], []
    for code in sorted({0}.union(*edges)):
        inside = [now != (code in own) for now, own in zip(inside, edges, strict=True)]
        if code < 0x110000:
            starts.append(code)
            names.append(known.setdefault(tuple(inside), len(known)))
    return starts, names, list(known)


def _representatives(starts: Sequence[int], names: Sequence[int], count: int) -> list[str]:
    """Return a character of each class, a printable one if possible."""
    found: dict[int, str] = {}
    for start, name in zip(starts, names, strict=True):
        if name not in found or not found[name].isprintable():
            found[name] = chr(start)
    return [found[name] for name in range(count)]


def _marking(
    side: Sequence[SplitAt],
    programs: Sequence[Expression],
    order: Sequence[tuple[Atom, bool, bool]],
    rows: Sequence[tuple[bool, ...]],
) -> Marking:
    whole: Marking | None = None
    for split, program in zip(side, programs, strict=True):
        number = {
            atom: at
            for at, (atom, rust, python) in enumerate(order)
            if (rust, python) == (split.rust, split.python)
        }

        def holds(atom: Atom, name: int, number: dict[Atom, int] = number) -> bool:
            return rows[name][number[atom]]

        one = SplitMarking(program, holds, split.behavior, split.invert)
        whole = one if whole is None else InPieces(whole, one)
    return whole or Uncut()


def _as_the_engine_cuts(
    side: Sequence[SplitAt], marking: Marking, characters: Sequence[str]
) -> None:
    """Raise `Unreadable` if the engine splits a short text differently than the marking."""
    steps = [
        Split(each.pattern, each.behavior, each.invert, each.rust, each.python).build()
        for each in side
    ]
    for names in short_texts(len(characters), MOST_TEXTS):
        text = "".join(characters[name] for name in names)
        cut = [(0, len(text))]
        for step in steps:
            cut = [
                (start + a, start + b)
                for start, end in cut
                for a, b in step.spans(text[start:end])
                if a < b
            ]
        if [_spans(marks) for marks in ways(marking, names)] != [cut]:
            raise Unreadable(f"the engine cuts {text!r} differently than the checker follows")


def _spans(marks: Sequence[int]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for at, mark in enumerate(marks):
        if mark == CUT:
            found.append((at, at + 1))
        elif mark != GONE:
            found[-1] = found[-1][0], at + 1
    return found
