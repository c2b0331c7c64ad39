"""The steps around the model: equal, acting the same, or searched."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from tokaudit.comparison.acting import acting_steps, steps_for_ids
from tokaudit.comparison.characters import SURROGATES, alike_by_charsmaps, alike_on_characters
from tokaudit.comparison.facets.side import (
    DECODER,
    NORMALIZER,
    POST_PROCESSOR,
    Open,
    Side,
    State,
)
from tokaudit.comparison.facets.trial import Pair, Seen, Trial
from tokaudit.comparison.token_bytes import alike_on_tokens
from tokaudit.foundation.errors import OutOfTime, UpstreamTrouble
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
    """Whether both change every text alike, by what their steps declare.

    Steps that take each character by itself are compared on all characters, which is a proof.  Else
    every scalar is normalized by itself on both sides, and those that come out differently
    are searched first.
    """
    closed = _by_steps(left, right, "normalizer", NORMALIZER)
    if closed:
        return closed
    if alike_on_characters(left.spec, right.spec):
        why = "the steps that differ take each character by itself, and all 1,112,064 alike"
        scalars = Certificate(Proof.SCALARS)
        return Facet(NORMALIZER, Outcome.EQUIVALENT, why, certificate=scalars)
    if alike_by_charsmaps(left.spec, right.spec):
        why = "the maps of characters hold the same entries, packed in another way"
        packed = Certificate(Proof.CHARSMAPS)
        return Facet(NORMALIZER, Outcome.EQUIVALENT, why, certificate=packed)
    places = _places(left, right, "normalizer")
    asked = _other_forms(trial)
    if asked is None:
        return Open(NORMALIZER, "the steps differ", places, fields=("normalizer",))
    found, tried = asked
    why = f"the steps differ, and {len(found):,} of {tried:,} scalars come out differently"
    texts = [text for c in map(chr, _spread(found)) for text in (c, f"a{c}", f"a{c}b", f"{c}{c}")]
    return Open(NORMALIZER, why, places, tuple(texts), ("normalizer",))


def _other_forms(trial: Trial) -> tuple[list[int], int] | None:
    """The scalars that two normalizers make different texts of, and how many were asked about.

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
    """Some of the codes from all over; the first ones among them."""
    return [*codes[:100], *codes[100 :: max(1, len(codes) // most)]]


def post_processor(left: Side, right: Side, trial: Trial) -> Facet:
    """Whether both put the same special tokens around a text."""
    stage = "post_processor"
    closed = _by_steps(left, right, stage, POST_PROCESSOR)
    if closed:
        return closed
    if steps_for_ids(left.spec) == steps_for_ids(right.spec):
        why = "the ids are the same; only offsets may differ"
        ids_alone = Certificate(Proof.SAME_IDS)
        return Facet(POST_PROCESSOR, Outcome.EQUIVALENT, why, certificate=ids_alone)
    for pair in trial.pairs:
        for text in WRAPPED:
            one, other = _around(pair, left, text, 0), _around(pair, right, text, 1)
            if one is not None and other is not None and one != other:
                return _wrapped(left, right, trial, pair, text)
    if _declared(left) != _declared(right):
        why = "the steps add other special tokens around a text"
        return Facet(POST_PROCESSOR, Outcome.DIFFERS, why, _places(left, right, stage))
    if not trial.pairs:
        return Facet(POST_PROCESSOR, Outcome.UNKNOWN, "the steps differ and could not be run")
    why = f"the steps differ; {len(WRAPPED)} texts get the same special tokens"
    return Facet(POST_PROCESSOR, Outcome.UNDIFFERING, why)


def decoder(left: Side, right: Side, trial: Trial) -> Facet:
    """Whether both turn the same tokens into the same text.

    Decoders that join the bytes of their tokens are compared on all tokens, which is a proof.
    """
    closed = _by_steps(left, right, "decoder", DECODER)
    if closed:
        return closed
    if tokens := alike_on_tokens(left.spec, right.spec):
        why = f"both join the bytes of their tokens, and all {tokens:,} shared ones alike"
        return Facet(
            DECODER, Outcome.EQUIVALENT, why, certificate=Certificate(Proof.TOKENS, entries=tokens)
        )
    shared = _shared_ids(left, right)
    places = _places(left, right, "decoder")
    for pair in trial.pairs:
        try:
            one = pair.left.decode([ours for ours, _ in shared])
            other = pair.right.decode([theirs for _, theirs in shared])
        except (UpstreamTrouble, OutOfTime) as error:
            return Facet(DECODER, Outcome.UNKNOWN, f"the steps cannot be run: {error}", places)
        for (ours, _), mine, its in zip(shared, one, other, strict=True):
            if _text(mine) != _text(its):
                facts = {left.name: _text(mine), right.name: _text(its)}
                shown = Evidence("ids", ids=tuple(ours), facts=facts, note=f"run by {pair.who}")
                why = f"the tokens {[left.names[id] for id in ours]} become other text"
                return Facet(DECODER, Outcome.DIFFERS, why, places, (shown,))
    if not trial.pairs:
        return Facet(DECODER, Outcome.UNKNOWN, "the steps differ and could not be run", places)
    why = f"the steps differ; {len(shared):,} rows of tokens decode alike"
    return Facet(DECODER, Outcome.UNDIFFERING, why)


def _text(decoded: bytes | str) -> str:
    """What was decoded as text, as some libraries give the bytes of it."""
    return decoded if isinstance(decoded, str) else decoded.decode("utf-8", "replace")


def _by_steps(left: Side, right: Side, stage: str, name: str) -> Facet | None:
    one, other = getattr(left.spec, stage), getattr(right.spec, stage)
    unstated = [each.standing is Standing.UNSTATED for each in (one, other)]
    if all(unstated):
        nothing = Certificate(Proof.EQUAL)
        return Facet(name, Outcome.UNDIFFERING, "neither side states any", certificate=nothing)
    if any(unstated):
        return Facet(name, Outcome.UNKNOWN, "only one side states it")
    if one.options == other.options:
        return Facet(name, Outcome.IDENTICAL, "the options are equal")
    if acting_steps(left.spec, stage) == acting_steps(right.spec, stage):
        alike = Certificate(Proof.ACTS_ALIKE)
        return Facet(name, Outcome.EQUIVALENT, "the steps act the same", certificate=alike)
    return None


def _places(left: Side, right: Side, stage: str) -> tuple[Place, ...]:
    return tuple(
        side.place(stage, f"/{stage}", getattr(side.spec, stage).options) for side in (left, right)
    )


def _around(pair: Pair, side: Side, text: str, which: int) -> Around | None:
    """The names of the tokens before and behind a text, as a side's encoder adds them."""
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


def _wrapped(left: Side, right: Side, trial: Trial, pair: Pair, text: str) -> Facet:
    special = EncodeOptions(add_special_tokens=True)
    one, other = (each.encode([text], special)[0].ids for each in (pair.left, pair.right))
    shown = trial.evidence(Seen(text, one, other, (pair.who,)))
    why = "other special tokens are put around a text"
    places = _places(left, right, "post_processor")
    return Facet(POST_PROCESSOR, Outcome.DIFFERS, why, places, (shown,))


def _declared(side: Side) -> list[object]:
    steps = side.spec.post_processor.steps
    return [step.effects.around for step in steps if step.effects.adds]


def _shared_ids(left: Side, right: Side, most: int = 3_000) -> list[tuple[list[int], list[int]]]:
    """Every token that both sides have, alone and some of them in twos, by the ids of each."""
    theirs = {value: id for id, value in reversed(right.values.items())}
    both = [(id, theirs[value]) for id, value in left.values.items() if value in theirs]
    step = max(1, len(both) // most)
    alone = [([a], [b]) for a, b in both]
    pairs = pairwise(both[::step])
    return [*alone, *(([a, c], [b, d]) for (a, b), (c, d) in pairs)]
