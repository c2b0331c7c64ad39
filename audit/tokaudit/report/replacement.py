"""Figures on which of two tokenizers is better, from `compare --for replacing`.

Frozen data, as in `model`.  Nothing here says that two can be exchanged: that is another question.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tokaudit.report.comparison import Rate
from tokaudit.report.model import Evidence

REPLACING = "replacing"  # the purpose that asks for it
MOST_LOST = 0.05  # of the characters; who loses more has no figure, as lost text is not cheap


@dataclass(frozen=True, slots=True)
class Definition:
    """Definition of a figure: its formula, and its original source."""

    key: str
    title: str
    unit: str
    formula: str
    source: str


@dataclass(frozen=True, slots=True)
class PairedFigure:
    """One figure of both sides over the same texts.

    `ratio` is the second side's over the first's.  A side that loses text has no figure.
    `texts` says which texts: `kind` (corpus, language or domain), `key` and `name`.
    """

    key: str
    texts: Mapping[str, str]
    documents: int
    left: Rate | None = None
    right: Rate | None = None
    ratio: Rate | None = None


@dataclass(frozen=True, slots=True)
class VocabularyUse:
    """Usage of one vocabulary's entries in a corpus.

    `coverage` are points (number of most used entries, share of the tokens that they make up).
    `efficiency` is the Rényi efficiency at alpha = 2.5.
    """

    entries: int
    never: int
    once: int
    tokens: int
    efficiency: float | None
    coverage: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True, slots=True)
class EntryKinds:
    """Notable entries of one vocabulary by kind, with a few examples of each."""

    counts: Mapping[str, int] = field(default_factory=dict)
    examples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ModelRows:
    """Effect of a change from the first to the second on the rows of an embedding.

    `kept` ids are the same token on both sides, `moved` tokens are at another id, `gone` and `new`
    are tokens of one side alone.  `parameters` is by `width`, for one matrix; `rounded` are the
    numbers of rows rounded up to multiples of 64 and 128.
    """

    width: int
    rows: tuple[int, int]
    rounded: tuple[tuple[int, int], tuple[int, int]]
    kept: int
    moved: int
    gone: int
    new: int

    @property
    def parameters(self) -> int:
        """Count the parameters that one matrix gains in the second tokenizer."""
        return (self.rows[1] - self.rows[0]) * self.width


@dataclass(frozen=True, slots=True)
class ShiftedDocument:
    """A document with more or fewer tokens, and its line that shifts most."""

    file: str
    number: int
    left: int
    right: int
    line: Evidence


@dataclass(frozen=True, slots=True)
class Replacement:
    """All results of `compare --for replacing` for two tokenizers."""

    left: str
    right: str
    run_by: str
    corpus: tuple[str, ...]  # the files, or what is built in
    built_in: bool
    context: int
    definitions: tuple[Definition, ...]
    figures: tuple[PairedFigure, ...]
    uses: tuple[VocabularyUse, VocabularyUse]
    kinds: tuple[EntryKinds, EntryKinds]
    rows: ModelRows
    fewer: tuple[ShiftedDocument, ...] = ()
    more: tuple[ShiftedDocument, ...] = ()
    made_of: tuple[str, ...] = ()  # sides of which a recipe names the corpus as what it is made of
    times: tuple[Rate | None, Rate | None] = (None, None)  # to encode, over the yardstick's
    habits: tuple[Evidence, ...] = ()  # digits, indentation, ends of lines ... on both sides

    @property
    def titles(self) -> dict[str, str]:
        """Return the title of each kind of figure."""
        return {each.key: each.title for each in self.definitions}

    def figure(self, key: str, kind: str = "corpus", name: str = "") -> PairedFigure | None:
        """Return the first figure of a key over texts of a kind; `name` is their key."""
        for each in self.figures:
            if each.key == key and each.texts["kind"] == kind and name in ("", each.texts["key"]):
                return each
        return None
