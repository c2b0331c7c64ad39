"""The model: merges of BPE, scores of Unigram, and their settings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tokaudit.engine.evidence import TokenRow, two_rows
from tokaudit.engine.facet_fields import MODEL_FIELDS
from tokaudit.engine.facet_names import MERGES
from tokaudit.engine.sides.side import Open, Side, State
from tokaudit.engine.sides.trial import Trial
from tokaudit.engine.vocabularies.written import AS_WRITTEN, as_written, both_written
from tokaudit.products.compare.facets.vocabulary import described
from tokaudit.products.compare.proofs.entries.prove import same_but_entries, same_entries
from tokaudit.products.compare.proofs.merges.differences import reordered
from tokaudit.products.compare.proofs.merges.model import MergeModel, merge_model
from tokaudit.products.compare.proofs.merges.prove import compare_models
from tokaudit.products.compare.proofs.merges.verdict import Differs, Proved, Witness
from tokaudit.products.compare.proofs.scores.prove import EqualScores, compare_scores
from tokaudit.report.comparison import Certificate, Facet, Outcome, Proof
from tokaudit.report.model import Place
from tokaudit_reference.models.bpe.merge_table import Surface
from tokaudit_reference.spec import ModelType, Priority, TokenizerSpec

MANY = 1_000  # entries that one side lacks
LEARNED = "; every part is made before what is made of it"


def merges(left: Side, right: Side, trial: Trial) -> State:
    """Return whether both models split every pre-token into the same pieces."""
    if left.spec.model_type is ModelType.UNIGRAM and right.spec.model_type is ModelType.UNIGRAM:
        return _scores(left, right)
    if _written_alike(left.spec, right.spec) and not left.spec.dropout:
        why = f"the {left.spec.model_type} models are written alike"
        return Facet(MERGES, Outcome.IDENTICAL, why)
    if _alike_but_for_steps(left.spec, right.spec):
        why = f"the {left.spec.model_type} models are written alike, whatever their entries mean"
        proof = Certificate(Proof.EQUAL, form=AS_WRITTEN)
        return Facet(MERGES, Outcome.IDENTICAL, why, certificate=proof)
    if left.spec.model_type is not ModelType.BPE or right.spec.model_type is not ModelType.BPE:
        return _by_lookup(left, right)
    if why := _other_entries(left, right, trial) or _other_products(left, right):
        return _open(left, right, why)
    models = trial.built(merge_model, left), trial.built(merge_model, right)
    return _merges(*models, left, right, trial)


def _other_entries(left: Side, right: Side, trial: Trial) -> str:
    """Explain why no proof is tried, if entries define merges and too many differ."""
    found, _ = trial.entries
    by_product = left.spec.priority is right.spec.priority is Priority.PRODUCT
    if not by_product or len(found.only_first) + len(found.only_second) < MANY:
        return ""
    return f"every entry is a merge: {described(found, (left.name, right.name))}"


def _other_products(left: Side, right: Side) -> str:
    """Explain why no proof is tried, if too many merges build other tokens."""
    if left.spec.merges is None or right.spec.merges is None:
        return ""
    ours, theirs = _products(left.spec.merges), _products(right.spec.merges)
    alone = len(ours - theirs), len(theirs - ours)
    if sum(alone) < MANY:
        return ""
    parts = [f"merges make {len(ours & theirs):,} tokens on both sides"]
    named = zip(alone, (left.name, right.name), strict=True)
    parts += [f"{count:,} only in {name}" for count, name in named if count]
    return "; ".join(parts)


def _products(merges: Iterable[tuple[Surface, Surface]]) -> set[Surface]:
    return {left + right for left, right in merges if type(left) is type(right)}  # type: ignore[operator]


def _by_lookup(left: Side, right: Side) -> State:
    """Compare models that look entries up, independent of ids."""
    if found := same_entries(left.spec, right.spec):
        why = (
            f"no word shows a difference: both look up the same {found:,} entries by the same rules"
        )
        proof = Certificate(Proof.ENTRIES, entries=found)
        return Facet(MERGES, Outcome.EQUIVALENT, why, certificate=proof)
    if same_but_entries(left.spec, right.spec):
        return _open(left, right, "the models are the same except for their entries")
    why = "the models differ, in a way that is not decided by proof"
    return _open(left, right, why, *_long_words(left.spec, right.spec))


def _merges(first: MergeModel, second: MergeModel, left: Side, right: Side, trial: Trial) -> State:
    found = compare_models(first, second, trial.cut)
    if isinstance(found, Proved):
        proof = found.certificate
        certificate = Certificate(
            Proof.MERGES, digest=proof.digest, form=proof.name, merges=proof.merges
        )
        form = f"the form {proof.name} of {proof.merges:,} merges, {proof.digest[:19]}"
        form += f", in order as {proof.not_canonical}" if proof.not_canonical else LEARNED
        if left.spec.merges is not None and same_fields(left.spec, right.spec):
            why = f"the merges are equal, with {form}"
            return Facet(MERGES, Outcome.IDENTICAL, why, certificate=certificate)
        why = f"written differently, and no text shows a difference: both have {form}"
        return Facet(MERGES, Outcome.EQUIVALENT, why, certificate=certificate)
    if isinstance(found, Differs):
        return _differs(first, second, left, right, found.witness, trial)
    return _open(left, right, found.why)


def _differs(
    first: MergeModel,
    second: MergeModel,
    left: Side,
    right: Side,
    witness: Witness,
    trial: Trial,
) -> State:
    """Return an open facet until the text has run through both sides, or their models."""
    names = left.name, right.name
    why = f"{_apart(first, second, names)}; {witness.pre_token!r}: {_steps(witness, names)}"
    if trial.pairs:
        return _open(left, right, why, witness.text)
    rows = [
        TokenRow(side.name, model.encode(witness.pre_token), side.names)
        for side, model in ((left, first), (right, second))
    ]
    shown = two_rows(witness.pre_token, rows[0], rows[1], "run by the models alone")
    return Facet(MERGES, Outcome.DIFFERS, why, _places(left, right), (shown,))


def _steps(witness: Witness, names: tuple[str, str]) -> str:
    """Describe each side's first merge that the other does not make."""
    if witness.steps is None:
        return "the merges are the same; its spelling or a piece that is taken whole differs"
    each = zip(witness.steps, names, strict=True)
    return ", ".join(f"{step or 'no merge'} in {name}" for step, name in each)


def _apart(first: MergeModel, second: MergeModel, names: tuple[str, str]) -> str:
    """Describe how two merge tables differ as a whole, whatever one text shows."""
    ours, theirs = first.by_pair.keys(), second.by_pair.keys()
    parts = [f"{len(ours & theirs):,} usable merges are shared"]
    for many, name in zip((len(ours - theirs), len(theirs - ours)), names, strict=True):
        parts += [f"{many:,} only in {name}"] if many else []
    if next(reordered(first, second), None) is not None:
        parts.append("some of the shared ones have another order")
    if first.spelling != second.spelling:
        parts.append("texts begin as different symbols, or unknown ones are treated differently")
    if first.taken_whole != second.taken_whole:
        parts.append("different pieces are looked up whole")
    return "; ".join(parts)


def _scores(left: Side, right: Side) -> State:
    found = compare_scores(left.spec, right.spec)
    if not isinstance(found, EqualScores):
        return _open(left, right, found.why)
    if found.limits:
        return _open(
            left, right, f"scores are equal up to {found.factor:g}, {', '.join(found.limits)}"
        )
    same = Outcome.IDENTICAL if found.factor == 1 else Outcome.EQUIVALENT
    why = f"all scores are {found.factor:g} times the other side's"
    return Facet(MERGES, same, why, certificate=Certificate(Proof.SCORES, factor=found.factor))


def _written_alike(first: TokenizerSpec, second: TokenizerSpec) -> bool:
    same = first.pieces == second.pieces and first.sharing == second.sharing
    if first.sharing and not same:  # which of them is read back is no matter of the ids
        same = {*first.each_entry()} == {*second.each_entry()}
    return same and same_fields(first, second)


def _alike_but_for_steps(first: TokenizerSpec, second: TokenizerSpec) -> bool:
    """Return whether the models differ only because one side converts text to bytes."""
    if first.byte_level == second.byte_level or not both_written(first, second) or first.dropout:
        return False
    return _written_alike(as_written(first), as_written(second))


def same_fields(first: TokenizerSpec, second: TokenizerSpec) -> bool:
    """Return whether both models have equal settings, whatever their vocabularies."""
    return all(getattr(first, name) == getattr(second, name) for name in (*MODEL_FIELDS, "dialect"))


def _long_words(*specs: TokenizerSpec) -> Iterator[str]:
    """Yield words at either model's length limit, and one character longer."""
    limits = {spec.max_input_chars_per_word for spec in specs}
    if len(limits) > 1:
        for most in sorted(limit for limit in limits if limit):
            yield from ("a" * most, "a" * (most + 1))


def _open(left: Side, right: Side, why: str, *texts: str) -> Open:
    return Open(MERGES, why, _places(left, right), texts, MODEL_FIELDS)


def _places(left: Side, right: Side) -> tuple[Place, Place]:
    return left.place(MERGES, _part(left)), right.place(MERGES, _part(right))


def _part(side: Side) -> str:
    """Name the part that states how a model splits: its merges, if it lists any."""
    return MERGES if side.spec.merges is not None else "model"
