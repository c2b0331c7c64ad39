"""Result of comparing tokenizers: facets, their proofs, relation and purposes.

Frozen data, as in `model`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tokaudit.report.model import Evidence, Place, Verdict
from tokaudit.report.recorded import RuntimeRecord, TracedBySides


class Outcome(StrEnum):
    """The outcome of comparing one facet of two tokenizers."""

    IDENTICAL = "proved identical"
    EQUIVALENT = "equivalent (proved)"  # written differently
    UNDIFFERING = "no difference found"  # and no proof
    DIFFERS = "differs"
    UNKNOWN = "unknown"


PROVED = (Outcome.IDENTICAL, Outcome.EQUIVALENT)


class Proof(StrEnum):
    """The kind of proof of a facet, which determines how to check it again."""

    EQUAL = "equal statements"  # `digest` is of what both sides state
    ACTS_ALIKE = "steps that act alike"  # `digest` is of the steps with their defaults
    SAME_IDS = "steps that give the same ids"  # they may give other offsets
    SCALARS = "characters"  # steps that take each by itself, and all alike
    CHARSMAPS = "maps of characters"  # the same entries, packed differently
    TOKENS = "tokens"  # decoders that join their bytes, and all `entries` shared ones alike
    MERGES = "merges"  # both have the normal form `form` of `digest`
    ENTRIES = "entries"  # models that look them up: all `entries` of both, by the same rules
    SCORES = "scores"  # `factor` times the other side's
    CUTS = "cuts"  # `states` of both machines, closed under every move
    NO_ENTRY_ACROSS = "no entry across a cut"  # of `entries` of both vocabularies


@dataclass(frozen=True, slots=True)
class Certificate:
    """Data with which a checker confirms a proof from both files without a search."""

    proof: Proof
    digest: str = ""
    form: str = ""
    merges: int = 0
    factor: float = 1.0
    classes: tuple[str, ...] = ()
    states: tuple[tuple[int, int, bool], ...] = ()
    entries: int = 0  # of both vocabularies, or shared


@dataclass(frozen=True, slots=True, repr=False)
class Facet:
    """One aspect in which two tokenizers may differ, and what is known about it.

    `why` is the proof in words, what was tried, or why nothing is known.  What differs has a text
    that was run on both sides, or where no text exists the places that state it.  What is proved
    has a certificate, which `tokaudit compare --recheck` checks again.
    """

    name: str
    outcome: Outcome
    why: str
    places: tuple[Place, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    certificate: Certificate | None = None

    def __repr__(self) -> str:
        """Return the name, the outcome, and the beginning of the reason."""
        return f"<Facet {self.name}: {self.outcome}, {self.why[:100]!r}>"


class Relation(StrEnum):
    """The relation of two tokenizers to each other; *same* requires proofs."""

    SAME = "same"
    UNDIFFERING = "same ids on everything tried"
    SUPERSET = "superset"  # the same ids, but for tokens that only one side has
    REMAPPED = "remapped"  # the same tokens at other ids
    RESEGMENTED = "resegmented"  # the same vocabulary, other tokens
    DIFFERENT = "different"
    UNKNOWN = "unknown"


DIFFERENT = (Relation.DIFFERENT, Relation.RESEGMENTED, Relation.REMAPPED, Relation.SUPERSET)
"""The relations that a text or a statement showed, the worst first."""


@dataclass(frozen=True, slots=True)
class CorpusSlice:
    """The comparison of ids over one file of the user's documents.

    `failed` are documents that a side could not encode; `worst` are minimal texts out of those that
    differ most in the number of tokens.
    """

    name: str
    documents: int
    different: int
    failed: int
    characters: int
    left_tokens: int
    right_tokens: int
    run_by: str = ""
    worst: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Rate:
    """A figure over several texts with its 95 % interval; None with too few texts."""

    value: float
    interval: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of a language's or domain's texts on both sides, in tokens per character.

    `ratio` is the tokens of the second side over those of the first.  A side that loses text of
    them has no figure, as lost text is not cheap.
    """

    key: str
    name: str
    texts: int
    left: Rate | None = None
    right: Rate | None = None
    ratio: Rate | None = None


@dataclass(frozen=True, slots=True)
class Entries:
    """Numbers of entries of one kind that both vocabularies share, or one alone has."""

    kind: str
    shared: int
    only_left: int
    only_right: int


@dataclass(frozen=True, slots=True, repr=False)
class SideBySide:
    """Figures about two tokenizers, for information only; entries are counted by their texts.

    `by_length` is by characters.
    """

    run_by: str
    languages: tuple[Cost, ...] = ()
    domains: tuple[Cost, ...] = ()
    by_script: tuple[Entries, ...] = ()
    by_length: tuple[Entries, ...] = ()

    def __repr__(self) -> str:
        """Return the amount of figures."""
        counts = f"{len(self.languages)} languages, {len(self.domains)} domains"
        return f"<SideBySide by {self.run_by}: {counts}>"


class Purpose(StrEnum):
    """The use of a second tokenizer in place of the first, or next to it."""

    SERVING = "serving"
    TRAINING = "training"
    CACHED_IDS = "cached-ids"
    SPECULATIVE = "speculative"
    DISTILLATION = "distillation"
    PRUNED = "pruned"


TAKEN = {
    Verdict.PASS: "taken by",
    Verdict.FAIL: "refused by",
    Verdict.UNVERIFIABLE: "unknown for",
}
"""What an engine does with a pair, by the verdict of its rule."""


@dataclass(frozen=True, slots=True)
class EngineSuitability:
    """An engine's verdict on the pair by its own rule, with the reason and the rule's source."""

    engine: str
    verdict: Verdict
    why: str
    source: str


@dataclass(frozen=True, slots=True)
class Suitability:
    """The verdict on the invariant of a purpose: *pass*, *fail* or *unverifiable*; and why.

    `engines` are those with a rule for the purpose that can be given both sides.
    """

    purpose: Purpose
    invariant: str
    verdict: Verdict
    why: str
    engines: tuple[EngineSuitability, ...] = ()

    @property
    def by_engine(self) -> str:
        """Describe the engines that accept or refuse the pair, or have no known rule."""
        named = {
            TAKEN[verdict]: [each.engine for each in self.engines if each.verdict is verdict]
            for verdict in TAKEN
        }
        return ", ".join(f"{how} {' and '.join(who)}" for how, who in named.items() if who)


@dataclass(frozen=True, slots=True, repr=False)
class Comparison:
    """The comparison of the subject's ids with another's, over the texts that were run.

    `run_by` says who encoded them: the reference, upstream libraries, or encoders of the user.
    """

    left: str
    right: str
    texts: int
    different: int
    relation: Relation
    minimal: Evidence | None = None
    left_file: str = ""
    right_file: str = ""
    run_by: tuple[str, ...] = ()
    facets: tuple[Facet, ...] = ()
    suitability: Suitability | None = None  # only where a purpose was named
    corpus: tuple[CorpusSlice, ...] = ()
    side_by_side: SideBySide | None = None
    traces: tuple[TracedBySides, ...] = ()  # of the texts that facets and the corpus show
    refused: tuple[str, ...] = ()  # texts that the right side alone gave no ids for, the plainest
    runtime: RuntimeRecord | None = None  # where the right side is one that runs the left's file
    uncompared: tuple[str, ...] = ()  # settings files that may make the two differ
    remedy: str = ""  # what to do about what differs, and whom it concerns

    def __repr__(self) -> str:
        """Return both sides and their relation."""
        texts = f"{self.different:,} of {self.texts:,} texts differ"
        return f"<Comparison {self.left!r} against {self.right!r}: {self.relation}, {texts}>"
