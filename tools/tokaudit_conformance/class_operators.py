"""Classes with operators, drawn from a grammar: the reference matches what the engine matches.

What the engine refuses the reference has to refuse.  What the reference alone refuses, with the
reason, is no mismatch: it is counted in the row's kind.  A difference is explained only where all
its characters are ones on which a class by itself differs, by the version of Unicode.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

from tokaudit.products.compare.patterns.classes import every_scalar
from tokaudit.runtimes.unicode_tables import may_have_changed
from tokaudit_conformance.both import Mismatch
from tokaudit_conformance.class_engines import ENGINES, named, of_reference
from tokaudit_conformance.class_grammar import class_pattern, named_classes
from tokaudit_conformance.compare import SHOWN, ComparedStrings
from tokaudit_reference.spec import SpecError, Unsupported
from tokaudit_reference.text.patterns import compiled

PATTERNS = {"quick": 2_000, "full": 20_000}
WIDE = {"quick": 20, "full": 1_000}  # those of them that are run over all scalars
ASSIGNED = r"[^\p{Cn}]"


@dataclass(frozen=True)
class Difference:
    """A pattern, what the engine and the reference match of it, and whether tables explain it."""

    pattern: str
    engine: str
    reference: str
    explained: bool


class Classes:
    """Compares patterns of one dialect over one text."""

    def __init__(self, dialect: str, text: str) -> None:
        self.dialect, self.text = dialect, text
        self.engine = ENGINES[dialect][1]
        self.refused = 0  # by the reference alone
        self.excused = frozenset(self._by_tables())

    def difference(self, pattern: str) -> Difference | None:
        """Where the two differ on a pattern, if they do."""
        theirs = self.engine(pattern, self.text)
        ours = of_reference(pattern, self.text, self.dialect)
        if isinstance(ours, SpecError):
            self.refused += theirs is not None
            stated = isinstance(ours, Unsupported) or theirs is None
            return None if stated else Difference(pattern, "matches", str(ours), False)
        if theirs is None:
            return Difference(pattern, "refused", f"matches {len(ours):,} characters", False)
        if ours == theirs:
            return None
        other = set(ours) ^ set(theirs)
        shown = " ".join(f"U+{ord(character):04X}" for character in sorted(other)[:8])
        one, two = (f"{len(other.intersection(side)):,} of {shown}" for side in (theirs, ours))
        return Difference(pattern, one, two, explained=other <= self.excused)

    def _by_tables(self) -> Iterator[str]:
        """The characters on which a class by itself differs, and which an older Unicode lacked."""
        alone = named_classes(self.dialect)
        for name in (ASSIGNED, *alone, *map("(?i:{})".format, alone)):
            ours = of_reference(name, self.text, self.dialect)
            if isinstance(ours, str):
                other = set(ours) ^ set(self.engine(name, self.text) or "")
                yield from (each for each in other if may_have_changed(ord(each)))


def class_rows(tier: str, seed: int) -> Iterator[ComparedStrings]:
    """The rows of both dialects, on the edges of all classes and over all scalars."""
    for dialect in ENGINES:
        yield _row(dialect, "class operators, edges", edges(), PATTERNS[tier], seed)
        yield _row(dialect, "class operators, scalars", every_scalar(), WIDE[tier], seed + 1)


def _row(dialect: str, kind: str, text: str, count: int, seed: int) -> ComparedStrings:
    dice, started = Random(f"{dialect} {seed}"), time.perf_counter()
    classes = Classes(dialect, text)
    row = ComparedStrings(f"{dialect} (seed {seed})", named(dialect), kind, "matched", count)
    found = list(differences(classes, [class_pattern(dice, dialect) for _ in range(count)]))
    row.mismatches, row.explained = len(found), sum(each.explained for each in found)
    row.examples = [
        Mismatch("matched", each.pattern, each.engine, each.reference)
        for each in found
        if not each.explained
    ][:SHOWN]
    row.kind += f", {classes.refused:,} refused by the reference alone"
    row.seconds = time.perf_counter() - started
    return row


def differences(classes: Classes, patterns: Sequence[str]) -> Iterator[Difference]:
    """The patterns on which the two differ."""
    return (each for each in map(classes.difference, patterns) if each is not None)


@cache
def edges() -> str:
    """Every character at which a class of either grammar begins or ends, the one before, ASCII."""
    text = every_scalar()
    places = set(range(0x250))
    for dialect in ENGINES:
        for name in named_classes(dialect):
            engine = compiled(f"(?:{name})+", rust=dialect == "rust").anywhere
            for match in engine.finditer(text):
                places |= {match.start() - 1, match.start(), match.end() - 1, match.end()}
    return "".join(text[place] for place in sorted(places) if 0 <= place < len(text))
