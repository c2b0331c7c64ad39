"""Runs pairs for a time of the processor, and counts what was proved and what refuted."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from tokaudit_soundness.claims import Claims, NotParsed, claims, side
from tokaudit_soundness.drawing import Draw
from tokaudit_soundness.gguf_pairs import GgufPair, claims_of, opened, refutations_of
from tokaudit_soundness.library import Refused, loaded
from tokaudit_soundness.pairs import ChangedPair, pairs
from tokaudit_soundness.refuting import Refutation, Sides, refutations
from tokaudit_soundness.texts import texts


@dataclass(frozen=True)
class Refuted:
    """A pair with a claim that is refuted; `number` is that of the pair in the run of its seed."""

    seed: int
    number: int
    pair: ChangedPair | GgufPair
    by: Refutation


@dataclass
class Tally:
    """What came of a run."""

    seed: int
    pairs: int = 0
    refused: int = 0  # by the library, not parsed, or not the same each time they are loaded
    all_ids: int = 0  # pairs of which all facets of ids are proved
    same_ids: int = 0  # pairs with the same ids by construction
    same_ids_proved: int = 0
    same_id: int = 0
    no_drift: int = 0
    texts: int = 0
    proofs: Counter[str] = field(default_factory=Counter)
    changes: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)  # of the pairs that are of one
    refuted: list[Refuted] = field(default_factory=list)
    seconds: float = 0.0


def run(
    seed: int, seconds: float, most: int | None = None, *, until_refuted: bool = False
) -> Tally:
    """Pairs of a seed until so many seconds of the processor are used, or so many pairs are run."""
    tally, started = Tally(seed), time.process_time()
    with TemporaryDirectory(prefix="tokaudit-soundness-") as place:
        for number, pair in enumerate(pairs(Draw(seed))):
            tally.seconds = time.process_time() - started
            if tally.seconds >= seconds or number == most:
                return tally
            tried = attempt if isinstance(pair, ChangedPair) else attempt_gguf
            for by in tried(pair, tally, Path(place)):  # type: ignore[arg-type]
                tally.refuted.append(Refuted(seed, number, pair, by))
            if tally.refuted and until_refuted:
                return tally
    raise AssertionError("pairs do not end")


def attempt(pair: ChangedPair, tally: Tally, place: Path) -> Iterator[Refutation]:
    """Count a pair, and refute what is claimed of it."""
    tally.pairs += 1
    try:
        sides = Sides(loaded(pair.first), loaded(pair.second))
        if not sides.are_steady(pair):
            raise Refused("two loads of one file may differ")
        found = claims(side("first", pair.first, place), side("second", pair.second, place))
    except (Refused, NotParsed):
        tally.refused += 1
        return
    count(tally, pair, found)
    tried = texts(pair)
    tally.texts += len(tried)
    yield from refutations(pair, sides, found, tried)


def attempt_gguf(pair: GgufPair, tally: Tally, place: Path) -> Iterator[Refutation]:
    """The same of two GGUF files, whose texts the reference runs."""
    tally.pairs += 1
    try:
        sides = opened("first", pair.first, place), opened("second", pair.second, place)
    except NotParsed:
        tally.refused += 1
        return
    found = claims_of(*sides)
    tally.changes.update(pair.changes)
    tally.kinds[pair.kind] += 1
    tally.all_ids += found.ids
    tally.same_id += found.same_id
    tally.no_drift += found.no_drift
    tally.proofs.update(f"{pair.kind}: for {each}" for each in found.passed)
    for claim, *rest in refutations_of(pair, sides, found):
        yield Refutation(f"{pair.kind}: {claim}", "the reference", *rest)


def count(tally: Tally, pair: ChangedPair, found: Claims) -> None:
    """Add what is proved of a pair."""
    tally.changes.update(pair.changes)
    tally.kinds[pair.kind] += bool(pair.kind)
    tally.all_ids += found.ids
    tally.same_ids += pair.same_ids
    tally.same_ids_proved += pair.same_ids and found.ids
    tally.same_id += found.same_id
    tally.no_drift += found.no_drift
    for name in found.proved:
        how = " (forged)" if name in found.forged else ""
        tally.proofs[f"{name}: {found.proof(name)}{how}"] += 1
