"""Search for a text on which two models differ, near their differences on paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product

from tokaudit.products.compare.proofs.merges.differences import Difference, differences
from tokaudit.products.compare.proofs.merges.model import MergeModel
from tokaudit.products.compare.proofs.merges.running import Runner
from tokaudit.products.compare.proofs.merges.texts import texts
from tokaudit.products.compare.proofs.merges.verdict import Witness
from tokaudit_reference.models.bpe.merge_table import Surface

DIFFERENCES = 2_000  # of the shortest text
DIRECT = 50_000  # texts of the differences
SMALL = 64  # pieces of a model whose pairs are all tried
NEIGHBOURS = 24  # pieces tried on each side of one that differs
MIXED = 1_000  # texts of one length made of a witness's characters
AT_ONCE = 512  # texts that are cut together
RUNS = 6_000  # texts around the differences


def search(a: MergeModel, b: MergeModel, runner: Runner) -> Witness | None:
    """Return the shortest text found on which the models differ."""
    suffix = a.spec.end_of_word_suffix or b.spec.end_of_word_suffix
    found = list(islice(_shortest(differences(a, b)), DIFFERENCES))
    direct = (text for difference in found for text in texts(difference.pieces, suffix))
    for tried in (islice(direct, DIRECT), islice(_around(a, b, found, suffix), RUNS)):
        witness = _first(sorted(dict.fromkeys(tried), key=len), runner)
        if witness is not None:
            return _shrunk(witness, runner)
    return None


def _first(texts: Sequence[str], runner: Runner) -> Witness | None:
    """Return the first of the texts on which the models differ, run in batches."""
    batches = (texts[at : at + AT_ONCE] for at in range(0, len(texts), AT_ONCE))
    return next((witness for batch in batches for witness in runner.run(batch)), None)


def _shortest(found: Iterable[Difference]) -> list[Difference]:
    return sorted(found, key=lambda d: (sum(map(len, d.pieces)), d.what))


def _shrunk(witness: Witness, runner: Runner) -> Witness:
    """Return the shortest part of the text that differs, or a shorter recombination."""
    texts = [t for t in dict.fromkeys(_shorter(witness.text)) if len(t) < len(witness.text)]
    return _first(texts, runner) or witness


def _shorter(text: str) -> Iterator[str]:
    """Yield parts of a text by length, and all short texts of its characters."""
    characters = sorted(set(text))
    for length in range(1, len(text)):
        yield from (text[start : start + length] for start in range(len(text) - length + 1))
        if len(characters) ** length <= MIXED:
            yield from map("".join, product(characters, repeat=length))


def _around(
    a: MergeModel, b: MergeModel, found: Iterable[Difference], suffix: str
) -> Iterator[str]:
    """Yield texts of two adjacent pieces.

    Two tables that make the same pieces differ if and only if some two pieces can stand next to
    each other in one and not in the other (the pair lemma).  So all pairs decide where there are
    few pieces; else a piece that differs is tried with what merges at its edges bring near it.
    """
    pieces = sorted(
        {*a.by_product, *b.by_product, *a.spelling.symbols, *b.spelling.symbols}, key=repr
    )
    if len(pieces) <= SMALL:
        for left in pieces:
            for right in pieces:
                yield from texts((left, right), suffix)
        return
    for difference in found:
        yield from _with_neighbours(a, difference, suffix)
        yield from _with_neighbours(b, difference, suffix)


def _with_neighbours(side: MergeModel, difference: Difference, suffix: str) -> Iterator[str]:
    first, last = difference.pieces[0], difference.pieces[-1]
    for edge in _edge(side, last, right=True):
        for merge in side.beginning_with.get(edge, ())[:NEIGHBOURS]:
            yield from texts((*difference.pieces, merge.right), suffix)
    for edge in _edge(side, first, right=False):
        for merge in side.ending_with.get(edge, ())[:NEIGHBOURS]:
            yield from texts((merge.left, *difference.pieces), suffix)


def _edge(side: MergeModel, piece: Surface, *, right: bool) -> Iterator[Surface]:
    """Yield a piece and its successive parts at the right or left edge."""
    yield piece
    while (merge := side.by_product.get(piece)) is not None:
        piece = merge.right if right else merge.left
        yield piece
