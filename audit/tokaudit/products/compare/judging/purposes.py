"""Judge two tokenizers by one stated invariant for each purpose.

The first side is what a model was trained with, or what is in use; the second is to be used in its
place, next to it, or as its smaller copy.  `docs/purposes.md` explains each invariant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from tokaudit.engine.facet_names import (
    BATCH,
    CHAT_TEMPLATE,
    CLASS_OPTIONS,
    CLEAN_UP,
    DECIDE_IDS,
    DECODER,
    MAX_LENGTH,
    OF_LOADERS,
    PADDING,
    POST_PROCESSOR,
    PREFIX_SPACE,
    ROLES,
    ROWS,
    SPECIAL_MASK,
    SPLITS_SPECIAL,
    STOPS,
    SWITCHES,
    TOKEN_FLAGS,
    TOKENIZER_CLASS,
    TOKENS_AROUND,
    TRUNCATION_SIDE,
)
from tokaudit.engine.sides.trial import Seen, Trial
from tokaudit.products.compare.judging.engine_rules import accepted_nowhere, judged_by_engines
from tokaudit.products.compare.settings.files import SETTINGS
from tokaudit.products.compare.settings.key_effects import may_decide
from tokaudit.products.compare.settings.token_tables import one_side_has_more_tokens, only_left_out
from tokaudit.report.comparison import (
    PROVED,
    Comparison,
    Facet,
    Outcome,
    Purpose,
    Relation,
    Suitability,
)
from tokaudit.report.model import Verdict
from tokaudit.subject.upstream.setting_key import Decides

OF_SETTINGS = (PREFIX_SPACE, TOKEN_FLAGS, SPLITS_SPECIAL, CLASS_OPTIONS)
OF_PLAIN_TEXT = (*DECIDE_IDS, *OF_SETTINGS)
"""The facets that change the ids of a text by itself, without what is put around it."""
OF_TEXT = (
    SWITCHES,
    TOKENS_AROUND,
    TOKENIZER_CLASS,
    PREFIX_SPACE,
    TOKEN_FLAGS,
    SPLITS_SPECIAL,
    CLASS_OPTIONS,
)
"""The settings that change the ids of a text that is encoded as loaders do it by default."""
OF_PIPELINE = (TOKENIZER_CLASS,)
"""The settings by which version 5 may build another pipeline for a tokenizer.json."""
CHANGES_TEXT = frozenset((Decides.IDS, Decides.FILES))
CHANGES_ROWS = CHANGES_TEXT | {Decides.LENGTHS, Decides.INPUTS}
"""What an unknown setting must decide to count for a purpose: ids of text, or rows of ids."""
Excuse = Callable[[Trial, Comparison, Facet], bool]


@dataclass(frozen=True)
class Invariant:
    """An invariant, its deciding facets, and the differences that do not break it."""

    sentence: str
    facets: tuple[str, ...]
    excused: Excuse = lambda trial, comparison, facet: False
    unknown: frozenset[Decides] = CHANGES_TEXT  # what settings decide that count where unknown
    open: tuple[str, ...] = ()  # facets whose difference may leave it unbroken


def _more_on_one_side(trial: Trial, comparison: Comparison, facet: Facet) -> bool:
    """Return whether the only difference is that one side has more tokens."""
    if facet.name == TOKEN_FLAGS and not one_side_has_more_tokens(trial):
        return False
    if facet.name == TOKEN_FLAGS and not _of_ids(comparison):
        return True
    of_tokens = facet.name not in OF_LOADERS or facet.name == TOKEN_FLAGS
    return of_tokens and comparison.relation is Relation.SUPERSET


def _of_ids(comparison: Comparison) -> bool:
    """Return whether the tokenizers themselves differ, whatever their loaders do."""
    deciding = (each for each in comparison.facets if each.name in DECIDE_IDS)
    return any(each.outcome is Outcome.DIFFERS for each in deciding)


def _about_what_was_pruned(trial: Trial, comparison: Comparison, facet: Facet) -> bool:
    """Return whether every differing text needs a pruned token of the first side."""
    kept = set(trial.right.values.values())
    if facet.name in OF_LOADERS and not (facet.name == TOKEN_FLAGS and only_left_out(trial)):
        return False
    return not any(_kept_and_other(trial, kept, seen) for seen in trial.seen.values())


def _kept_and_other(trial: Trial, kept: set[bytes], seen: Seen) -> bool:
    ours, theirs = trial.pieces(seen)
    return ours != theirs and all(token in kept for token in ours)


INVARIANTS = {
    Purpose.SERVING: Invariant(
        "every text gets the same ids, with the same special tokens around it, and the same ids "
        "become the same text and end at the same stops",
        (
            *(*DECIDE_IDS, POST_PROCESSOR, DECODER, BATCH, CHAT_TEMPLATE, ROLES, STOPS, SETTINGS),
            *(*OF_TEXT, CLEAN_UP, MAX_LENGTH, TRUNCATION_SIDE),
        ),
    ),
    Purpose.TRAINING: Invariant(
        "shards made with the first can be continued with the second: the same ids, the same "
        "special tokens and roles, padding on the same side, and as many embedding rows",
        (
            *(*DECIDE_IDS, POST_PROCESSOR, BATCH, CHAT_TEMPLATE, ROLES, PADDING, ROWS),
            *(*OF_TEXT, MAX_LENGTH, TRUNCATION_SIDE, SPECIAL_MASK),
        ),
        unknown=CHANGES_ROWS,
    ),
    Purpose.CACHED_IDS: Invariant(
        "ids that were stored with the first are those that the second gives for the same text",
        (*DECIDE_IDS, POST_PROCESSOR, BATCH, CHAT_TEMPLATE, *OF_TEXT, MAX_LENGTH, TRUNCATION_SIDE),
        unknown=CHANGES_ROWS,
    ),
    Purpose.SPECULATIVE: Invariant(
        "an id is the same token on both sides and every text gets the same ids; what one side "
        "has more is padding, which no text leads to",
        OF_PLAIN_TEXT,
        open=OF_PIPELINE,
    ),
    Purpose.DISTILLATION: Invariant(
        "every id of one side is the same token on the other, and a text gets different ids only "
        "by tokens that one side has more",
        OF_PLAIN_TEXT,
        _more_on_one_side,
        open=OF_PIPELINE,
    ),
    Purpose.PRUNED: Invariant(
        "a text that the first cuts into tokens that the second kept is cut into the same tokens "
        "by the second, whatever their ids",
        OF_PLAIN_TEXT,
        _about_what_was_pruned,
        open=OF_PIPELINE,
    ),
}


def suitability(purpose: Purpose, trial: Trial, comparison: Comparison) -> Suitability:
    """Decide if the invariant of a purpose holds between the two sides of a trial.

    It is broken by a facet that differs, unknown by one of which nothing is known, and else it
    holds: proved where each facet is, or as far as was searched.
    """
    invariant = INVARIANTS[purpose]
    facets = [_weighed(invariant, f) for f in comparison.facets if _decides(invariant, trial, f)]
    broken = [
        each
        for each in facets
        if each.outcome is Outcome.DIFFERS and not invariant.excused(trial, comparison, each)
    ]
    verdict, why = _judged(facets, broken)
    if verdict is Verdict.PASS and _unblamed(invariant, trial, comparison, facets):
        verdict, why = Verdict.FAIL, "ids differ, though every facet is proved for the reference"
    engines = judged_by_engines(purpose, trial.left, trial.right)
    if accepted_nowhere(engines):
        refused = [f"{e.engine} refuses: {e.why}" for e in engines if e.verdict is Verdict.FAIL]
        reasons = [why] if verdict is Verdict.FAIL else []
        verdict, why = Verdict.FAIL, "; ".join((*reasons, *refused))
    return Suitability(purpose, invariant.sentence, verdict, why, engines)


def _decides(invariant: Invariant, trial: Trial, facet: Facet) -> bool:
    """Return whether a facet matters for a purpose, directly or by its settings."""
    if facet.name != SETTINGS or SETTINGS in invariant.facets:
        return facet.name in (*invariant.facets, *invariant.open)
    sides = trial.left, trial.right
    return any(may_decide(*sides, place, invariant.unknown) for place in facet.places)


def _weighed(invariant: Invariant, facet: Facet) -> Facet:
    """Mark a facet as unknown if its difference may leave the invariant intact."""
    return replace(facet, outcome=Outcome.UNKNOWN) if facet.name in invariant.open else facet


def _judged(facets: Sequence[Facet], broken: Sequence[Facet]) -> tuple[Verdict, str]:
    if broken:
        return Verdict.FAIL, f"they differ in {_names(broken)}"
    if unknown := [each for each in facets if each.outcome is Outcome.UNKNOWN]:
        return Verdict.UNVERIFIABLE, f"nothing is known about {_names(unknown)}"
    if searched := [each for each in facets if each.outcome not in PROVED]:
        return Verdict.PASS, f"it holds as far as was tried, not proved for: {_names(searched)}"
    return Verdict.PASS, "it is proved"


def _unblamed(
    invariant: Invariant, trial: Trial, comparison: Comparison, facets: Sequence[Facet]
) -> bool:
    """Return whether texts differ without a facet to blame, in a library alone."""
    if any(each.outcome is Outcome.DIFFERS for each in facets) or not trial.seen:
        return False
    return not (facets and invariant.excused(trial, comparison, facets[0]))


def _names(facets: Iterable[Facet]) -> str:
    return ", ".join(each.name for each in facets)
