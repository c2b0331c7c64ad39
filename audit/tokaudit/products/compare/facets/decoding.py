"""The decoder: text for shared tokens, proved equal or shown to differ by ids."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise

from tokaudit.engine.canonical_steps import acting_steps, without_shared
from tokaudit.engine.evidence import shown as piece_shown
from tokaudit.engine.facet_names import DECODER
from tokaudit.engine.sides.side import Side
from tokaudit.engine.sides.trial import EncoderPair, Trial, libraries_first
from tokaudit.foundation.errors import OutOfTime, UpstreamTrouble
from tokaudit.products.compare.facets.stages import by_steps, places_of
from tokaudit.products.compare.proofs.tokens.prove import alike_on_tokens
from tokaudit.products.compare.texts.normalizer_texts import looked_for
from tokaudit.report.comparison import Certificate, Facet, Outcome, Proof
from tokaudit.report.model import Evidence
from tokaudit.runtimes.protocol import DecodeOptions
from tokaudit_reference.spec import SpecError, TokenizerSpec
from tokaudit_reference.steps.decoders.tokens import strings_of_added
from tokaudit_reference.text.bytes_alphabet import to_bytes
from tokaudit_reference.text.bytes_or_text import text_of

WHOLE, SKIPPED = DecodeOptions(), DecodeOptions(skip_special_tokens=True)
Row = tuple[list[int], list[int]]  # the ids of the same tokens on both sides


def decoder(left: Side, right: Side, trial: Trial) -> Facet:
    """Return whether both decode the same tokens to the same text.

    Decoders that join the bytes of their tokens are compared on all tokens, which is a proof.
    """
    closed = by_steps(left, right, "decoder", DECODER)
    shared = [side for side in (left, right) if side.spec.sharing]
    if closed and shared:
        return _of_shared(shared[0])
    alike = read_alike(left.spec, right.spec)
    if closed and (alike or closed.outcome is Outcome.UNKNOWN):
        return closed
    if tokens := alike_on_tokens(left.spec, right.spec):
        why = f"both join the bytes of their tokens, and all {tokens:,} shared ones alike"
        proof = Certificate(Proof.TOKENS, entries=tokens)
        return Facet(DECODER, Outcome.EQUIVALENT, why, certificate=proof)
    rows = [*_shared_ids(left, right), *_of_texts(left, right, trial)]
    places = places_of(left, right, "decoder")
    differ = "the steps differ" if closed is None else "added tokens have other normal forms"
    try:
        shown = decoded_apart(left, right, trial.pairs, rows)
    except (UpstreamTrouble, OutOfTime) as error:
        return Facet(DECODER, Outcome.UNKNOWN, f"the steps cannot be run: {error}", places)
    if shown is not None:
        why = f"the tokens {[left.names[id] for id in shown.ids]} become other text"
        return Facet(DECODER, Outcome.DIFFERS, why, places, (shown,))
    if not trial.pairs:
        return Facet(DECODER, Outcome.UNKNOWN, f"{differ} and could not be run", places)
    why = f"{differ}; {len(rows):,} rows of tokens decode alike"
    return Facet(DECODER, Outcome.UNDIFFERING, why)


def read_alike(first: TokenizerSpec, second: TokenizerSpec) -> bool:
    """Return whether both decoders get the same string for each shared token.

    An added token that is looked for in normalized text is kept as its normal form; one that is
    listed twice too where any of its entries says so, which a spec does not keep.
    """
    if any(spec.flags_twice and spec.normalizer.options for spec in (first, second)):
        return False
    if acting_steps(first, "normalizer") == acting_steps(second, "normalizer"):
        sought = [{t.content for t in s.added_tokens if t.normalized} for s in (first, second)]
        if sought[0] == sought[1]:
            return True
    try:
        ours, theirs = (strings_of_added(spec) for spec in (first, second))
    except SpecError:
        return False
    return all(
        _string(first, ours, each, text) == _string(second, theirs, each, text)
        for own in (ours, theirs)
        for each, text in own.items()
    )


def _string(spec: TokenizerSpec, added: dict[str, str], content: str, other: str) -> str:
    """Return a side's string for a content, or the other side's for a missing one."""
    return added.get(content, content if _has(spec, content) else other)


def _has(spec: TokenizerSpec, content: str) -> bool:
    """Return whether an entry is spelled like an added token of the other side."""
    spelled = (content, to_bytes(content), content.encode("utf-8", "surrogatepass"))
    return any(value in spec.ids_by_surface for value in spelled if value is not None)


def _of_shared(side: Side) -> Facet:
    """Return an unknown facet for entries that share an id: tokenizers picks one per load."""
    id = side.spec.sharing[0][0]
    names = " and ".join(repr(piece_shown(piece.value)) for piece in side.spec.pieces_at(id)[:3])
    many = len({id for id, _ in side.spec.sharing})
    why = (
        f"{names} share the id {id} of {side.name}, and each load may decode it as a different one"
    )
    why += f"; so it is of {many:,} ids" if many > 1 else ""
    return Facet(DECODER, Outcome.UNKNOWN, why, (side.place("vocab", "vocab", id),))


def decoded_apart(
    left: Side,
    right: Side,
    pairs: Sequence[EncoderPair],
    rows: Sequence[Row],
    options: DecodeOptions = WHOLE,
) -> Evidence | None:
    """Return the first row that the two sides decode differently, in any encoder pair."""
    for pair in libraries_first(pairs):
        one = pair.left.decode([ours for ours, _ in rows], options)
        other = pair.right.decode([theirs for _, theirs in rows], options)
        for (ours, _), mine, its in zip(rows, map(text_of, one), map(text_of, other), strict=True):
            if mine != its:
                skipped = ", special tokens skipped" if options.skip_special_tokens else ""
                note = f"run by {pair.who}{skipped}"
                facts = {left.name: mine, right.name: its}
                return Evidence("ids", ids=tuple(ours), facts=facts, note=note)
    return None


def row_of(left: Side, right: Side, ids: Sequence[int]) -> Row | None:
    """Return the same tokens by the ids of each side; None if one is not shared."""
    theirs = _ids_by_value(right)
    found = [theirs.get(left.values[id]) if id in left.values else None for id in ids]
    known = [id for id in found if id is not None]
    return (list(ids), known) if len(known) == len(ids) else None


def _of_texts(left: Side, right: Side, trial: Trial) -> list[Row]:
    """Return the tokens of texts that decoder steps match, if both sides have them all."""
    steps = [acting_steps(side.spec, "decoder") for side in (left, right)]
    texts = [text for found in looked_for(*without_shared(*steps)) for text in (found, f"a{found}")]
    rows: list[Row | None] = []
    for pair in trial.pairs:
        with suppress(UpstreamTrouble, OutOfTime):
            rows += [row_of(left, right, each.ids) for each in pair.left.encode(texts) if each.ids]
    return [row for row in rows if row is not None]


def _ids_by_value(side: Side) -> dict[bytes, int]:
    """Map values to ids, without ids that decode to another entry at each load."""
    shared = {id for id, _ in side.spec.sharing}
    return {value: id for id, value in reversed(side.values.items()) if id not in shared}


def _shared_ids(left: Side, right: Side, most: int = 3_000) -> list[Row]:
    """Return every shared token alone, and some of them doubled and in pairs, by both ids."""
    theirs = _ids_by_value(right)
    both = [(id, theirs[value]) for id, value in left.values.items() if value in theirs]
    some = both[:: max(1, len(both) // most)]
    alone = [([a], [b]) for a, b in both]
    twice = [([a, a], [b, b]) for a, b in some]
    pairs = pairwise(some)
    return [*alone, *twice, *(([a, c], [b, d]) for (a, b), (c, d) in pairs)]
