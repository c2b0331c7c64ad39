"""Looks for what refutes a proof: a text or a row of ids of which the library makes two things."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

from tokaudit.engine.facet_names import (
    BATCH,
    DECIDE_IDS,
    DECODER,
    MERGES,
    NORMALIZER,
    POST_PROCESSOR,
)
from tokaudit.report.comparison import Proof
from tokaudit_reference.text.bytes_alphabet import to_characters
from tokaudit_soundness.claims import Claims
from tokaudit_soundness.library import PANICS, Described, Upstream, loaded
from tokaudit_soundness.making import BATCHES
from tokaudit_soundness.pairs import ChangedPair

ALL_IDS, SHORT_ID, NO_DRIFT = "ids of every text", "equal short id", "no drift"
FULL = ("ids", "type_ids", "special_tokens_mask", "attention_mask")
SECOND = 40  # texts that are run in pairs with another
IN_ROWS = 7  # ids of which rows of two and three are decoded
KEEP_OFFSETS = frozenset({Proof.EQUAL, Proof.ACTS_ALIKE, Proof.CUTS, Proof.MERGES, Proof.ENTRIES})


@dataclass(frozen=True)
class Refutation:
    """A claim, what refutes it, and what the library makes of it by either side."""

    claim: str
    what: str
    shown: Any
    first: Any
    second: Any


class Sides:
    """Both tokenizers as the library runs them; no text is encoded twice in the same way."""

    def __init__(self, first: Upstream, second: Upstream) -> None:
        self.both = first, second
        self._encoded: dict[tuple[bool, str | None], tuple[list[Any], list[Any]]] = {}

    def encoded(
        self, texts: Sequence[str], fields: Sequence[str], special: bool, second: str | None
    ) -> list[list[Any]]:
        """Some fields of the encodings of texts, by either side; the texts are always the same."""
        if (special, second) not in self._encoded:
            one, other = (side.encodings(texts, second, special) for side in self.both)
            self._encoded[special, second] = one, other
        found = self._encoded[special, second]
        return [[row(each, fields) for each in answers] for answers in found]

    def are_steady(self, pair: ChangedPair) -> bool:
        """Whether the library makes the same of a file each time that it loads it."""
        described = pair.first, pair.second
        return all(side.is_steady(each) for side, each in zip(self.both, described, strict=True))

    def asked(self, ask: Callable[[Upstream], list[Any]]) -> list[list[Any]]:
        """What either side answers."""
        return [ask(side) for side in self.both]


def differing(
    claim: str, what: str, inputs: Sequence[Any], answers: Sequence[Sequence[Any]]
) -> Iterator[Refutation]:
    """The first input with two answers."""
    for each, one, other in zip(inputs, *answers, strict=True):
        if one != other and PANICS not in (one, other):
            yield Refutation(claim, what, each, one, other)
            return


def refutations(
    pair: ChangedPair, sides: Sides, found: Claims, texts: Sequence[str]
) -> Iterator[Refutation]:
    """At most one refutation by the library for each claim, and those by the checkers of proofs."""
    for name, why in found.refused.items():
        yield Refutation(f"{name}: {found.proof(name)}", "the checker", why, "proved", "refused")
    if found.proof(NORMALIZER) and pair.first["normalizer"] != pair.second["normalizer"]:
        what = f"{NORMALIZER}: {found.proof(NORMALIZER)}"
        answers = sides.asked(lambda side: side.normalized(texts))
        yield from differing(what, "normalized text", texts, answers)
    if found.proof(MERGES) and pair.first["model"] != pair.second["model"]:
        what = f"{MERGES}: {found.proof(MERGES)}"
        inner = texts[1:]  # a model is never asked about nothing
        if found.in_bytes:
            inner = [to_characters(text.encode()) for text in inner]
        names: Literal["ids", "tokens"] = "ids" if shares_ids(pair) else "tokens"
        answers = sides.asked(lambda side: side.of_model(inner, names))
        yield from differing(what, f"{names} of the model", inner, answers)
    if found.ids:
        about_ids = list(_of_ids(sides, found, texts, named=not shares_ids(pair)))
        yield from about_ids
    for claim, made in ((SHORT_ID, found.same_id), (NO_DRIFT, found.no_drift)):
        if made:
            refuted = [
                *_encoded(sides, claim, texts, FULL, special=True),
                *_decoded(sides, claim, pair, shared=False),
            ]
            yield from refuted or _in_batches(pair, texts, f"{claim}, {BATCH}")
    if found.ids and found.proof(DECODER):
        yield from _decoded(sides, f"{DECODER}: {found.proof(DECODER)}", pair)
    if found.ids and found.proof(POST_PROCESSOR) and found.proof(BATCH) and not about_ids:
        yield from _in_batches(pair, texts, BATCH)


def _of_ids(
    sides: Sides, found: Claims, texts: Sequence[str], *, named: bool
) -> Iterator[Refutation]:
    """What proofs of all facets of ids promise, and with them that of what is put around.

    Offsets are trimmed by a token's name, which the library draws where entries share its id.
    """
    by = ", ".join(f"{name}: {found.proof(name)}" for name in DECIDE_IDS if _weak(found, name))
    claim = f"{ALL_IDS} ({by})" if by else ALL_IDS
    around = found.proof(POST_PROCESSOR)
    inside = {found.proof(name) for name in (*DECIDE_IDS, POST_PROCESSOR)} - {None}
    refuted = list(_encoded(sides, claim, texts, ("ids",), special=False))
    yield from refuted
    if around and not refuted:
        claim = f"{claim}, {POST_PROCESSOR}: {around}"
        fields = (*FULL, "offsets") if named and inside <= KEEP_OFFSETS else FULL
        yield from _encoded(sides, claim, texts, fields, special=True)


def _weak(found: Claims, name: str) -> bool:
    return found.proof(name) not in (None, Proof.EQUAL)


def _encoded(
    sides: Sides, claim: str, texts: Sequence[str], fields: Sequence[str], *, special: bool
) -> Iterator[Refutation]:
    what = ", ".join(fields) + (" with special tokens" if special else "")
    answers = sides.encoded(texts, fields, special, None)
    refuted = list(differing(claim, what, texts, answers))
    yield from refuted
    if special and not refuted:
        few = texts[:SECOND]
        for second in (texts[1], texts[-1]):
            with_second = f"{what}, with {second!r} as the second text"
            answers = sides.encoded(few, fields, special, second)
            yield from differing(claim, with_second, few, answers)


def row(encoding: Any, fields: Sequence[str]) -> Any:
    """Some fields of an encoding; a failure as it is."""
    return encoding if isinstance(encoding, str) else [getattr(encoding, name) for name in fields]


def _decoded(
    sides: Sides, claim: str, pair: ChangedPair, *, shared: bool = True
) -> Iterator[Refutation]:
    """Rows of ids: each alone, and the first and last ones in rows of two and three.

    An id that entries share is read back as any of them; no id says that it is not.
    """
    known = sides.both[0].tokenizer.get_vocab(True).values()
    left_out = set() if shared else shared_ids(pair.first) | shared_ids(pair.second)
    ids = sorted({*known} - left_out)
    few = [*ids[: IN_ROWS // 2 + 1], *ids[-(IN_ROWS // 2) :]]
    rows = [[id] for id in ids]
    rows += [list(row) for length in (2, 3) for row in product(few, repeat=length)]
    for skip in (False, True):
        what = "decoded text" + (", special tokens skipped" if skip else "")
        answers = [side.decoded(rows, skip) for side in sides.both]
        yield from differing(claim, what, rows, answers)


def shares_ids(pair: ChangedPair) -> bool:
    """Whether entries share an id on either side: which of them it is read as differs by load."""
    return bool(shared_ids(pair.first) | shared_ids(pair.second))


def shared_ids(described: Described) -> set[int]:
    """The ids that several entries of a vocabulary have."""
    vocab = described["model"]["vocab"]
    if isinstance(vocab, list):
        return set()
    return {id for id, many in Counter(vocab.values()).items() if many > 1}


def _in_batches(pair: ChangedPair, texts: Sequence[str], claim: str) -> Iterator[Refutation]:
    """Truncated and padded as the files ask for."""
    if not any(side[name] for side in (pair.first, pair.second) for name in BATCHES):
        return
    sides = Sides(loaded(pair.first, limits=True), loaded(pair.second, limits=True))
    yield from _encoded(sides, claim, texts[:300], FULL, special=True)
