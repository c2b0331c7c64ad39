r"""Classes of characters that a pattern distinguishes, found by running the engine.

Every atom of a pattern is run over all 1,112,064 scalars once.  Characters that no atom tells apart
are one class, and a machine needs to know no more of a character than its class.  Asking takes some
ten milliseconds for each atom; the answers are kept.

Positions here count scalars, so the gap of the surrogates is left out.
"""

from __future__ import annotations

import warnings
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, TypeVar

import regex

from tokaudit.products.compare.patterns.tree import AllOf, AnyOf, Atom, Dialect, NotIn, Set
from tokaudit.products.compare.patterns.verdicts import Undecidable
from tokaudit_reference.spec import SpecError
from tokaudit_reference.text.patterns import Expression, compiled
from tokaudit_reference.text.unicode_tables import delta

SURROGATES = range(0xD800, 0xE000)
SCALARS = 0x110000 - len(SURROGATES)
Key = TypeVar("Key")
Segment = tuple[int, int]  # where it begins, and its class


@cache
def every_scalar() -> str:
    """Return all characters, in order."""
    codes = array("I", range(SURROGATES.start))
    codes.extend(range(SURROGATES.stop, 0x110000))
    return codes.tobytes().decode("utf-32")  # six times as quick as joining them


def number(character: str) -> int:
    """Return the index of a character among all scalars."""
    code = ord(character)
    return code if code < SURROGATES.start else code - len(SURROGATES)


@lru_cache(maxsize=1024)
def asked(atom: Atom) -> tuple[int, ...]:
    """Return the boundaries of the engine's matches, over all scalars.

    >>> asked(Atom("[b-d]", False, Dialect.RUST))
    (98, 101)
    """
    source = f"(?i:{atom.source})+" if atom.fold else f"(?:{atom.source})+"
    engine = engine_of(source, atom.dialect)
    edges = [edge for match in engine.native.finditer(every_scalar()) for edge in match.span()]
    if engine.anywhere is engine.native:
        return tuple(edges)
    changed = set(edges)
    doubtful = "".join(delta())
    for at in _taken(engine.native, doubtful) ^ _taken(engine.anywhere, doubtful):
        place = number(doubtful[at])
        changed ^= {place, place + 1}
    return tuple(sorted(changed))


def _taken(engine: Any, text: str) -> set[int]:
    """Return the indices of characters that an engine matches."""
    return {at for match in engine.finditer(text) for at in range(*match.span())}


def engine_of(pattern: str, dialect: Dialect) -> Expression:
    """Compile a pattern as the reference does for this engine."""
    try:
        with warnings.catch_warnings(action="ignore", category=FutureWarning):
            return compiled(pattern, rust=dialect is Dialect.RUST, python=dialect is Dialect.PYTHON)
    except (SpecError, regex.error, RecursionError, OverflowError) as error:
        raise Undecidable(f"the reference does not compile {pattern[:80]!r}") from error


@dataclass(frozen=True, slots=True)
class Partition:
    """Character classes: ordered segments of scalars, and each class's atoms and example."""

    segments: tuple[Segment, ...]
    atoms: tuple[frozenset[Atom], ...]  # of each class, those that match it
    characters: tuple[str, ...]  # of each class, a plain one

    def of(self, character: str) -> int:
        """Return the class of a character."""
        return self.segments[bisect_right(self.segments, (number(character), SCALARS)) - 1][1]

    def within(self, sets: Set) -> frozenset[int]:
        """Return the classes that make up a set."""
        return frozenset(i for i, atoms in enumerate(self.atoms) if _holds(sets, atoms))


def _holds(sets: Set, atoms: frozenset[Atom]) -> bool:
    if isinstance(sets, Atom):
        return sets in atoms
    if isinstance(sets, NotIn):
        return not _holds(sets.set, atoms)
    if isinstance(sets, AnyOf):
        return any(_holds(each, atoms) for each in sets.sets)
    return all(_holds(each, atoms) for each in sets.sets)


def atoms_of(sets: Set) -> Iterator[Atom]:
    """Yield the atoms of a set."""
    if isinstance(sets, Atom):
        yield sets
    elif isinstance(sets, NotIn):
        yield from atoms_of(sets.set)
    elif isinstance(sets, AnyOf | AllOf):
        for each in sets.sets:
            yield from atoms_of(each)


@lru_cache(maxsize=64)
def partition(atoms: frozenset[Atom]) -> Partition:
    """Return the classes of characters that no atom distinguishes.

    >>> partition(frozenset({Atom("[a-z]", False, Dialect.RUST)})).characters
    (' ', 'a')
    """
    order = sorted(atoms, key=repr)
    changes: dict[int, int] = {0: 0}
    for bit, atom in enumerate(order):
        for edge in asked(atom):
            changes[edge] = changes.get(edge, 0) ^ 1 << bit
    changes.pop(SCALARS, None)
    signature, signed = 0, []
    for at in sorted(changes):
        signature ^= changes[at]
        signed.append((at, signature))
    plain = _plainest(signed)
    names = {signature: i for i, signature in enumerate(plain)}
    return Partition(
        tuple((at, names[signature]) for at, signature in signed),
        tuple(
            frozenset(atom for bit, atom in enumerate(order) if signature >> bit & 1)
            for signature in plain
        ),
        tuple(plain.values()),
    )


def common(left: Partition, right: Partition) -> dict[tuple[int, int], str]:
    """Return the pairs of classes that share a character, with the plainest one."""
    return _plainest((number(chr(code)), pair) for code, pair in overlaid(left, right))


def overlaid(left: Partition, right: Partition) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield code points where a class of either begins, with both classes."""
    classes = [left.segments[0][1], right.segments[0][1]]
    changes = [(*each, 0) for each in left.segments] + [(*each, 1) for each in right.segments]
    changes.sort()
    for i, (at, name, side) in enumerate(changes):
        classes[side] = name
        if i + 1 == len(changes) or changes[i + 1][0] > at:
            yield ord(every_scalar()[at]), (classes[0], classes[1])


def _plainest(segments: Iterable[tuple[int, Key]]) -> dict[Key, str]:
    """Return the most readable character of each class, in order of readability."""
    listed = list(segments)
    best: dict[Key, tuple[bool, int, str]] = {}
    for (at, key), (after, _) in pairwise([*listed, (SCALARS, listed[0][1])]):
        for character in every_scalar()[at : max(at + 1, min(after, 0x80))]:
            odd = not character.isprintable(), ord(character), character
            if key not in best or odd < best[key]:
                best[key] = odd
    return {key: odd[-1] for key, odd in sorted(best.items(), key=lambda item: item[1])}
