"""The pre-tokenizer: proved to split alike, or to split where no token is affected."""

from __future__ import annotations

from tokaudit.engine.facet_names import PRE_TOKENIZER
from tokaudit.engine.sides.side import Open, Side, State
from tokaudit.engine.sides.trial import Trial
from tokaudit.products.compare.patterns.canonical import unicode_version
from tokaudit.products.compare.patterns.reading import read_steps
from tokaudit.products.compare.patterns.splits import PreTokenizer
from tokaudit.products.compare.patterns.verdicts import (
    Differs,
    OtherTokens,
    Proved,
    SameTokens,
    Undecidable,
)
from tokaudit.products.compare.proofs.across_cuts.lemma import LONGEST, obstacle
from tokaudit.products.compare.proofs.across_cuts.prove import given_vocabulary
from tokaudit.products.compare.proofs.acts_alike.prove import steps_act_alike
from tokaudit.products.compare.proofs.cuts.prove import compare
from tokaudit.products.compare.texts.cut_texts import texts_at_gaps
from tokaudit.report.comparison import Certificate, Facet, Outcome, Proof
from tokaudit.report.model import Place
from tokaudit_reference.spec import ModelType, Standing, TokenizerSpec

STAGE = "pre_tokenizer"


def pre_tokenizer(left: Side, right: Side, trial: Trial, model_is_proved: bool) -> State:
    """Compare the splits of both, or the tokens of differently split texts."""
    one, other = left.spec.pre_tokenizer, right.spec.pre_tokenizer
    if Standing.UNSTATED in (one.standing, other.standing):
        return Facet(PRE_TOKENIZER, Outcome.UNKNOWN, "not both sides state it")
    if one.options == other.options:
        return Facet(PRE_TOKENIZER, Outcome.IDENTICAL, "the options are equal")
    if alike := steps_act_alike(left.spec, right.spec, STAGE):
        why = "the steps act the same"
        return Facet(PRE_TOKENIZER, Outcome.EQUIVALENT, why, certificate=alike)
    if why := bytes_on_one_side(left.spec, right.spec):
        return _open(left, right, why)
    try:
        cuts = read_steps(one.steps), read_steps(other.steps)
    except Undecidable as unknown:
        return _open(left, right, f"not decided: {unknown}")
    found = compare(*cuts)
    if isinstance(found, Proved):
        why = f"every text is cut alike: {len(found.states):,} states, {len(found.classes):,} "
        proof = Certificate(Proof.CUTS, classes=found.classes, states=found.states)
        why += f"classes of characters by Unicode {unicode_version()}"
        return Facet(PRE_TOKENIZER, Outcome.EQUIVALENT, why, certificate=proof)
    if not isinstance(found, Differs):
        return _open(left, right, f"not decided: {found.reason}", *found.texts)
    cut = f"{found.text!r} is cut into {list(found.left)} and {list(found.right)}"
    if not model_is_proved or (reason := obstacle(left.spec) or obstacle(right.spec)):
        why = f"{cut}; " + (reason if model_is_proved else "the models are not proved to be equal")
        return _open(left, right, why, found.text, *texts_at_gaps((left.spec, right.spec), cuts))
    return _given_the_vocabulary(left, right, trial, cuts, found.text)


def _given_the_vocabulary(
    left: Side, right: Side, trial: Trial, cuts: tuple[PreTokenizer, PreTokenizer], text: str
) -> State:
    found = given_vocabulary(*cuts, entries_of(left, right), trial.differs)
    if isinstance(found, SameTokens):
        why = f"{text!r} is cut differently, but no entry of {found.entries:,} lies across such "
        why += "a cut, so all tokens are the same"
        if left.spec.model_type is ModelType.UNIGRAM:
            why += f" (sums of scores are exact in pieces of up to {LONGEST:,} characters)"
        proof = Certificate(Proof.NO_ENTRY_ACROSS, entries=found.entries)
        return Facet(PRE_TOKENIZER, Outcome.EQUIVALENT, why, certificate=proof)
    if isinstance(found, OtherTokens):
        return _open(left, right, f"{found.entry!r} lies across a cut of one side", found.text)
    return _open(left, right, found.reason, text)


def bytes_on_one_side(left: TokenizerSpec, right: TokenizerSpec) -> str:
    """Explain why equal splits do not suffice; "" if both models see bytes or characters.

    A step that makes bytes of bytes makes other ones, so it counts how often that is done.
    """
    ours, theirs = _times_in_bytes(left), _times_in_bytes(right)
    if bool(ours) != bool(theirs):
        return "only one side makes bytes of a text"
    return "" if ours == theirs else "one side makes bytes of bytes"


def _times_in_bytes(spec: TokenizerSpec) -> int:
    written = [*spec.normalizer.steps, *spec.pre_tokenizer.steps]
    times = sum(step.effects.writes_bytes for step in written)
    return max(times, int(spec.byte_level))


def entries_of(left: Side, right: Side) -> list[str | bytes]:
    """Return every entry of either vocabulary once."""
    both = [*left.spec.every_piece(), *right.spec.every_piece()]
    return list(dict.fromkeys(piece.value for piece in both))


def _open(left: Side, right: Side, why: str, *texts: str) -> Open:
    return Open(PRE_TOKENIZER, why, _places(left, right), texts, (STAGE,))


def _places(left: Side, right: Side) -> tuple[Place, ...]:
    return left.place(STAGE, STAGE), right.place(STAGE, STAGE)
