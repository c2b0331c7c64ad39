"""Compare all facets of two tokenizers, and derive their relation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from tokaudit.engine.facet_names import ADDED, DECIDE_IDS, IDS
from tokaudit.engine.sides.side import Open, Side, State
from tokaudit.engine.sides.trial import AT_ONCE, Seen, Trial
from tokaudit.engine.vocabularies.relation import Relation as Vocabularies
from tokaudit.products.compare.encoders import length_then_print
from tokaudit.products.compare.facets.added import added_tokens
from tokaudit.products.compare.facets.batch import batch_settings
from tokaudit.products.compare.facets.blame import Blame
from tokaudit.products.compare.facets.decoding import decoder
from tokaudit.products.compare.facets.model import merges
from tokaudit.products.compare.facets.refuting import reopened
from tokaudit.products.compare.facets.splits import pre_tokenizer
from tokaudit.products.compare.facets.stages import normalizer, post_processor
from tokaudit.products.compare.facets.stated import stated_facets, statement_of_files
from tokaudit.products.compare.facets.vocabulary import ids
from tokaudit.products.compare.proofs.equal.prove import with_digest
from tokaudit.report.comparison import PROVED, Comparison, Facet, Outcome, Proof, Relation

S = TypeVar("S", Facet, State)
TokensOfBoth = tuple[list[bytes | None], list[bytes | None]]
OnFacet = Callable[[Facet], None]
MOST_SEEN = 5_000  # differing texts after which no more are drawn
OF_TOKENS = (IDS, ADDED)
FINAL = (Relation.DIFFERENT, Relation.RESEGMENTED)  # whatever further texts show


@dataclass(frozen=True)
class Searched:
    """Texts of a search, in the order of running."""

    suspects: Sequence[str]  # where a difference must be; only where some facet is open
    entries: Sequence[str] = ()  # the text of every vocabulary entry, run in any case
    sample: Sequence[str] = ()  # run in any case, as proofs are about the reference alone


def ignored(facet: Facet) -> None:
    """Ignore a decided facet."""


def of_ids(trial: Trial) -> Iterator[State]:
    """Yield the facets that decide the ids of a text: proved, or open."""
    left, right = trial.left, trial.right
    yield ids(left, right, trial.entries)
    model = merges(left, right, trial)
    yield model
    yield normalizer(left, right, trial)
    proved = isinstance(model, Facet) and model.outcome in PROVED
    yield pre_tokenizer(left, right, trial, proved)
    yield added_tokens(left, right, trial)


def decided(trial: Trial, states: Sequence[State], searched: Searched) -> list[Facet]:
    """Decide every open facet by running texts, and test every proof with some."""
    waiting = [state for state in states if isinstance(state, Open)]
    closed = [state for state in states if isinstance(state, Facet)]
    suspects = [
        reopened(trial, facet)
        for facet in closed
        if facet.outcome is Outcome.EQUIVALENT and trial.pairs
    ]
    if waiting:
        trial.run(text for state in waiting for text in state.texts)
    searching = any(trial.seen.keys().isdisjoint(state.texts) for state in waiting)
    if searching or len(waiting) > 1:  # of several, another one may be to blame for those texts
        _run_until_known(trial, searched.suspects, waiting, searching)
    trial.run((text for each in suspects for text in each.texts), by_libraries=not searching)
    _run_until_known(trial, searched.entries, waiting, searching)
    if len(trial.seen) < MOST_SEEN:
        trial.run(searched.sample)
    if not waiting and not suspects:
        return list(_as_run(trial, closed))
    found = Blame(trial, waiting, suspects).shortest(list(trial.seen.values()))
    again = {each.name: each for each in suspects}
    return [
        _closed(state, found.get(state.name), trial)
        if isinstance(state, Open)
        else _tried(state, again.get(state.name), found, trial)
        for state in states
    ]


def _run_until_known(
    trial: Trial, texts: Sequence[str], waiting: Sequence[Open], searching: bool
) -> None:
    """Run texts, spread evenly, until more of them could show nothing new.

    That is so where thousands differ and either no other relation is left, or all but the ids of
    tokens is proved.  Where no difference is `searching` for a text any more, libraries alone run
    them.
    """
    batches = max(1, len(texts) // AT_ONCE)
    moved = all(state.name in OF_TOKENS for state in waiting)
    for first in range(batches):
        if len(trial.seen) >= MOST_SEEN and (moved or _of_difference(trial) in FINAL):
            return
        trial.run(texts[first::batches], by_libraries=not searching)


def _tried(facet: Facet, again: Open | None, found: Mapping[str, Seen], trial: Trial) -> Facet:
    """Return a proved facet, unless a text refutes the proof."""
    seen = found.get(facet.name)
    if again is None or seen is None:
        return facet
    who = " and ".join(seen.who)
    why = f"the proof is void: it says {facet.why}, but the ids of {who} differ for {seen.text!r}"
    return Facet(facet.name, Outcome.DIFFERS, why, again.places, (trial.evidence(seen),))


def _as_run(trial: Trial, facets: Sequence[Facet]) -> Iterator[Facet]:
    """Yield facets proved from the files, unless a library reads a file differently.

    A text that a library gives other ids for then speaks against a proof, which is about the files;
    it is shown at the added tokens where it holds one, else at the ids.
    """
    seen = min(trial.seen.values(), key=lambda s: length_then_print(s.text), default=None)
    for facet in facets:
        if seen is None or not ids_are_proved(facets) or facet.name != _about(trial, seen):
            yield facet
        else:
            who = " and ".join(seen.who)
            why = f"{facet.why}, as the files state it; but the ids of {who} differ"
            yield Facet(facet.name, Outcome.DIFFERS, why, facet.places, (trial.evidence(seen),))


def _about(trial: Trial, seen: Seen) -> str:
    added = (token.content for token in trial.left.spec.added_tokens)
    return ADDED if any(content and content in seen.text for content in added) else IDS


def _closed(state: Open, seen: Seen | None, trial: Trial) -> Facet:
    if seen is not None:
        shown = (trial.evidence(seen),)
        return Facet(state.name, Outcome.DIFFERS, state.why, state.places, shown)
    if not trial.compared:
        why = f"{state.why}; {trial.method}"
        return Facet(state.name, Outcome.UNKNOWN, why, state.places)
    if len(trial.seen) == trial.compared:  # whatever this facet does, no text can show it
        why = f"{state.why}; every text of {trial.method}, differs by another facet"
        return Facet(state.name, Outcome.UNKNOWN, why, state.places)
    why = f"{state.why}; tried: {trial.method}"
    if trial.seen:
        why += f"; {len(trial.seen):,} of them differ by other facets"
    return Facet(state.name, Outcome.UNDIFFERING, why, state.places)


def compared(trial: Trial, searched: Searched, on_facet: OnFacet = ignored) -> Comparison:
    """Compare every facet and derive the relation; `on_facet` gets each decided one."""
    left, right = trial.left, trial.right
    states = list(_heard(of_ids(trial), on_facet))
    about_ids = decided(trial, states, searched)
    for state, facet in zip(states, about_ids, strict=True):
        if state is not facet:
            on_facet(facet)
    around = list(
        _heard(
            (step(left, right, trial) for step in (post_processor, decoder, batch_settings)),
            on_facet,
        )
    )
    found = ordered([*about_ids, *around, *stated_facets(left, right)])
    facets = [certified(facet, left, right) for facet in found]
    shortest = min(trial.seen.values(), key=lambda s: length_then_print(s.text), default=None)
    shown = [each.evidence[0] for each in about_ids if each.evidence]
    minimal = min(shown, key=lambda each: len(each.text or ""), default=None)
    if minimal is None and shortest is not None:
        minimal = trial.evidence(shortest)
    return Comparison(
        left.name,
        right.name,
        trial.compared,
        len(trial.seen),
        relation(trial, facets),
        minimal,
        left.file,
        right.file,
        tuple(pair.who for pair in trial.pairs),
        tuple(facets),
    )


def _heard(states: Iterable[S], on_facet: OnFacet) -> Iterator[S]:
    """Yield the states, and report each decided one."""
    for state in states:
        if isinstance(state, Facet):
            on_facet(state)
        yield state


def ordered(facets: Iterable[Facet]) -> list[Facet]:
    """Sort the facets that decide ids first."""
    listed = list(facets)
    return sorted(listed, key=lambda f: DECIDE_IDS.index(f.name) if f.name in DECIDE_IDS else 99)


def relation(trial: Trial, facets: Sequence[Facet]) -> Relation:
    """Return the relation of the second tokenizer to the first, by facets and texts."""
    about_ids = [facet for facet in facets if facet.name in DECIDE_IDS]
    if trial.seen:
        return _of_difference(trial)
    if any(facet.outcome is Outcome.DIFFERS for facet in facets):
        return Relation.DIFFERENT
    if ids_are_proved(about_ids):
        return Relation.SAME
    if trial.compared and not any(facet.outcome is Outcome.UNKNOWN for facet in about_ids):
        return Relation.UNDIFFERING
    return Relation.UNDIFFERING if trial.compared else Relation.UNKNOWN


def ids_are_proved(facets: Iterable[Facet]) -> bool:
    """Return whether all facets that decide ids are proved, or absent on both sides."""
    about_ids = [facet for facet in facets if facet.name in DECIDE_IDS]
    return all(facet.outcome in PROVED or _absent(facet) for facet in about_ids)


def _absent(facet: Facet) -> bool:
    """Return whether neither side has such a step, which counts as a proof."""
    certificate = facet.certificate
    return (
        facet.outcome is Outcome.UNDIFFERING
        and certificate is not None
        and certificate.proof is Proof.EQUAL
    )


def _of_difference(trial: Trial) -> Relation:
    first, second = trial.left.values, trial.right.values
    rows = [trial.pieces(seen) for seen in trial.seen.values()]
    same = [ours == theirs for ours, theirs in rows]
    if all(same) or (any(same) and _by_tokens_of_one_side(trial, rows)):
        return Relation.REMAPPED
    shared = {id for id, value in first.items() if second.get(id) == value}
    if len(shared) in (len(first), len(second)) and len(first) != len(second):
        extra = (first.keys() | second.keys()) - shared
        if all(extra & {*seen.left, *seen.right} for seen in trial.seen.values()):
            return Relation.SUPERSET
    if trial.entries[0].relation is Vocabularies.IDENTICAL:
        return Relation.RESEGMENTED
    return Relation.DIFFERENT


def _by_tokens_of_one_side(trial: Trial, rows: Sequence[TokensOfBoth]) -> bool:
    """Return whether texts differ only if they contain a token that one side lacks.

    Of sides that share few tokens that says nothing: nearly every text holds such a token.
    """
    ours, theirs = trial.left.every_value, trial.right.every_value
    return len(ours & theirs) * 2 >= min(len(ours), len(theirs)) and all(
        left == right or not theirs.issuperset(left) or not ours.issuperset(right)
        for left, right in rows
    )


def certified(facet: Facet, left: Side, right: Side) -> Facet:
    """Add a certificate to a facet if both sides state the same."""
    return with_digest(facet, left.spec, right.spec, partial(statement_of_files, left))
