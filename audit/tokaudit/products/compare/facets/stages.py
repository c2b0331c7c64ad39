"""Steps around the model: equal, equivalent, or searched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tokaudit.engine.canonical_steps import steps_for_ids
from tokaudit.engine.facet_names import NORMALIZER, POST_PROCESSOR
from tokaudit.engine.sides.side import Open, Side, State
from tokaudit.engine.sides.trial import EncoderPair, Seen, Trial, libraries_first
from tokaudit.foundation.errors import OutOfTime, UpstreamTrouble
from tokaudit.products.compare.facets.type_ids import PAIRED, reads_types, tells_types, types_apart
from tokaudit.products.compare.proofs.acts_alike.prove import steps_act_alike
from tokaudit.products.compare.proofs.charsmaps.prove import alike_by_charsmaps
from tokaudit.products.compare.proofs.same_ids.prove import same_ids_around
from tokaudit.products.compare.proofs.scalars.prove import SURROGATES, alike_on_characters
from tokaudit.products.compare.texts.normalizer_texts import texts_for_normalizers
from tokaudit.report.comparison import Certificate, Facet, Outcome, Proof
from tokaudit.report.model import Evidence, Place
from tokaudit.runtimes.protocol import EncodeOptions
from tokaudit_reference.errors import SpecError
from tokaudit_reference.spec import Standing

WRAPPED = ("a", "a b", "")
PLANES, PLANE = 17, 0x10000  # of Unicode, and the code points of each
ENOUGH = 2_000  # scalars that come out differently, of which half as many are tried
Around = tuple[tuple[str | None, ...], tuple[str | None, ...]]


def normalizer(left: Side, right: Side, trial: Trial) -> State:
    """Return whether both normalize every text alike, by their steps' declarations.

    Steps that take each character by itself are compared on all characters, which is a proof.  Else
    every scalar is normalized by itself on both sides, and those that come out differently
    are searched first.
    """
    closed = by_steps(left, right, "normalizer", NORMALIZER)
    if closed:
        return closed
    if alike_on_characters(left.spec, right.spec):
        why = "the steps that differ take each character by itself, and all 1,112,064 alike"
        scalars = Certificate(Proof.SCALARS)
        return Facet(NORMALIZER, Outcome.EQUIVALENT, why, certificate=scalars)
    if alike_by_charsmaps(left.spec, right.spec):
        why = "the maps of characters hold the same entries, packed differently"
        packed = Certificate(Proof.CHARSMAPS)
        return Facet(NORMALIZER, Outcome.EQUIVALENT, why, certificate=packed)
    places = places_of(left, right, "normalizer")
    near = texts_for_normalizers(left.spec, right.spec)
    asked = _other_forms(trial)
    if asked is None:
        return Open(NORMALIZER, "the steps differ", places, near, ("normalizer",))
    found, tried = asked
    why = f"the steps differ, and {len(found):,} of {tried:,} scalars come out differently"
    texts = [text for c in map(chr, _spread(found)) for text in (c, f"a{c}", f"a{c}b", f"{c}{c}")]
    return Open(NORMALIZER, why, places, (*texts, *near), ("normalizer",))


def _other_forms(trial: Trial) -> tuple[list[int], int] | None:
    """Return the scalars that two normalizers change differently, and the number tried.

    Asks plane by plane, and no longer when enough come out differently: a plane of a normalizer of
    many steps takes a second.  None where the normalizers cannot be run.
    """
    if trial.mixed is None:
        return None
    found: list[int] = []
    for plane in range(PLANES):
        codes = range(plane * PLANE, (plane + 1) * PLANE)
        try:
            ours, theirs = (forms(codes) for forms in trial.mixed.normal_forms)
        except (UpstreamTrouble, OutOfTime, SpecError):
            return None
        changed = sorted({*ours, *theirs})
        found += [c for c in changed if ours.get(c, chr(c)) != theirs.get(c, chr(c))]
        if len(found) >= ENOUGH:
            break
    return found, codes.stop - len(SURROGATES)


def _spread(codes: Sequence[int], most: int = 1_000) -> Sequence[int]:
    """Return some of the codes, evenly spread, with the first ones."""
    return [*codes[:100], *codes[100 :: max(1, len(codes) // most)]]


def post_processor(left: Side, right: Side, trial: Trial) -> Facet:
    """Return whether both add the same special tokens around a text."""
    stage = "post_processor"
    if _begun_with(left) == _begun_with(right) and (closed := _proved_around(left, right)):
        return closed
    for pair in libraries_first(trial.pairs):
        for text in WRAPPED:
            one, other = _around(pair, left, text, 0), _around(pair, right, text, 1)
            if one is not None and other is not None and one != other:
                return _wrapped(left, right, trial, pair, text)
        if shown := _pair_apart(left, right, trial, pair):
            why = "other special tokens are put around two texts"
            places = places_of(left, right, stage)
            return Facet(POST_PROCESSOR, Outcome.DIFFERS, why, places, (shown,))
        if (typed := types_apart(left, right, pair)) and reads_types(left.subject) is not False:
            why = "tokens of a text have other type ids"
            places = places_of(left, right, stage)
            return Facet(POST_PROCESSOR, Outcome.DIFFERS, why, places, (typed,))
    if not trial.pairs:
        return Facet(POST_PROCESSOR, Outcome.UNKNOWN, "the steps differ and could not be run")
    return _alike_around(left, right, trial)


def _proved_around(left: Side, right: Side) -> Facet | None:
    """Return what is known of a post-processor without running it."""
    closed = by_steps(left, right, "post_processor", POST_PROCESSOR)
    standings = [side.spec.post_processor.standing for side in (left, right)]
    once = standings.count(Standing.UNSTATED) == 1
    if once and not any(steps_for_ids(side.spec) for side in (left, right)):
        why = "only one side states any, whose steps put no token around a text"
        return Facet(POST_PROCESSOR, Outcome.UNDIFFERING, why)
    ids_alone = None if closed else same_ids_around(left.spec, right.spec)
    if ids_alone is None:
        return closed
    why = "the ids and type ids are the same; only offsets may differ"
    return Facet(POST_PROCESSOR, Outcome.EQUIVALENT, why, certificate=ids_alone)


def _begun_with(side: Side) -> int | None:
    """Return the token added as BOS on request, if no post-processor is stated."""
    unstated = side.spec.post_processor.standing is Standing.UNSTATED
    return side.spec.begin_id if unstated else None


def _alike_around(left: Side, right: Side, trial: Trial) -> Facet:
    """Return a facet for steps that no text distinguishes; type ids may still differ."""
    why = f"the steps differ; {len(WRAPPED)} texts and a pair of texts get the same special tokens"
    if not any(tells_types(pair) for pair in trial.pairs):
        why += "; type ids were not compared"
    typed = [types_apart(left, right, pair) for pair in libraries_first(trial.pairs)]
    shown = tuple(each for each in typed if each is not None)[:1]
    if not shown:
        return Facet(POST_PROCESSOR, Outcome.UNDIFFERING, why)
    why += "; type ids differ, which the model does not take"
    places = places_of(left, right, "post_processor")
    return Facet(POST_PROCESSOR, Outcome.UNDIFFERING, why, places, shown)


def by_steps(left: Side, right: Side, stage: str, name: str) -> Facet | None:
    """Compare a stage without running it: unstated, equal or equivalent."""
    one, other = getattr(left.spec, stage), getattr(right.spec, stage)
    unstated = [each.standing is Standing.UNSTATED for each in (one, other)]
    if all(unstated):
        nothing = Certificate(Proof.EQUAL)
        return Facet(name, Outcome.UNDIFFERING, "neither side states any", certificate=nothing)
    if any(unstated):
        return Facet(name, Outcome.UNKNOWN, "only one side states it")
    if one.options == other.options:
        return Facet(name, Outcome.IDENTICAL, "the options are equal")
    if alike := steps_act_alike(left.spec, right.spec, stage):
        return Facet(name, Outcome.EQUIVALENT, "the steps act the same", certificate=alike)
    return None


def places_of(left: Side, right: Side, stage: str) -> tuple[Place, ...]:
    """Return the places of a stage in the files of both sides."""
    return tuple(
        side.place(stage, stage, getattr(side.spec, stage).options) for side in (left, right)
    )


def _around(pair: EncoderPair, side: Side, text: str, which: int) -> Around | None:
    """Return the tokens that a side's encoder adds before and after a text."""
    encoder = (pair.left, pair.right)[which]
    try:
        plain = encoder.encode([text])[0]
        whole = encoder.encode([text], EncodeOptions(add_special_tokens=True))[0]
    except (UpstreamTrouble, OutOfTime):
        return None
    if plain.error is not None or whole.error is not None:
        return None
    size = len(plain.ids)
    for at in range(len(whole.ids) - size + 1):
        if whole.ids[at : at + size] == plain.ids:
            names = [side.names.get(id) for id in whole.ids]
            return tuple(names[:at]), tuple(names[at + size :])
    return None


def _pair_apart(left: Side, right: Side, trial: Trial, pair: EncoderPair) -> Evidence | None:
    """Return a text pair with other special tokens, or its texts in another order."""
    if not all("pairs" in each.capabilities for each in (pair.left, pair.right)):
        return None
    texts = [PAIRED.second or "", "a"]
    try:
        plain = [each.encode(texts) for each in (pair.left, pair.right)]
        one, other = (each.encode(["a"], PAIRED)[0] for each in (pair.left, pair.right))
    except (UpstreamTrouble, OutOfTime):
        return None
    rows = [(trial.pieces(Seen("", a.ids, b.ids, ()))) for a, b in zip(*plain, strict=True)]
    seen = Seen("a", one.ids, other.ids, (pair.who,))
    ours, theirs = trial.pieces(seen)
    failed = one.error is not None or other.error is not None
    if failed or any(a != b for a, b in rows) or ours == theirs:
        return None
    shown = trial.evidence(seen)
    return replace(shown, note=f"{shown.note}, with {PAIRED.second!r} as the second text of a pair")


def _wrapped(left: Side, right: Side, trial: Trial, pair: EncoderPair, text: str) -> Facet:
    special = EncodeOptions(add_special_tokens=True)
    one, other = (each.encode([text], special)[0].ids for each in (pair.left, pair.right))
    shown = trial.evidence(Seen(text, one, other, (pair.who,)))
    why = "other special tokens are put around a text"
    places = places_of(left, right, "post_processor")
    return Facet(POST_PROCESSOR, Outcome.DIFFERS, why, places, (shown,))
