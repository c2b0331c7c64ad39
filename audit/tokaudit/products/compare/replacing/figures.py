"""Figures of two tokenizers over the same documents, with formulas and sources.

Intervals are paired: a resample draws documents, and both sides are counted on the same ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tokaudit.products.compare.replacing.counts import (
    DocumentTokens,
    Sizes,
    Texts,
    blocks,
    both_encoded,
)
from tokaudit.report.comparison import Rate
from tokaudit.report.replacement import Definition, PairedFigure

Interval = Callable[[Sequence[float], Sequence[float]], tuple[float, float] | None]
FERTILITY = "How Good is Your Tokenizer? (ACL 2021)"
TOKENS = Definition(
    "tokens", "Tokens", "tokens", "sum of the tokens of all documents", "counted here"
)
BYTES_PER_TOKEN = Definition(
    "bytes_per_token",
    "Bytes per token",
    "bytes/token",
    "UTF-8 bytes of all documents / tokens of all documents",
    "SuperBPE: Space Travel for Language Models (2025), encoding efficiency",
)
TOKENS_PER_WORD = Definition(
    "tokens_per_word",
    "Tokens per word",
    "tokens/word",
    "tokens of all documents / runs of characters that are no white space",
    FERTILITY,
)
PARTS = Definition(
    "part_tokens",
    "Tokens that are not whole characters",
    "share",
    "tokens that are one byte, part of a character or unknown / tokens of all documents",
    "counted here",
)
IN_CONTEXT = Definition(
    "bytes_in_context",
    "Bytes that fit the context",
    "bytes",
    "length of the context in tokens x bytes per token",
    "follows from bytes per token",
)
BITS_PER_BYTE = Definition(
    "bits_per_byte_of_one_nat",
    "Bits per byte of a loss of 1",
    "bits/byte",
    "tokens / (bytes x ln 2): multiply by a loss in nats per token",
    "The Pile (2020), bits per UTF-8 encoded byte",
)
PARITY = Definition(
    "parity",
    "Tokens against the chosen language",
    "ratio",
    "tokens of the aligned sentences of a language / tokens of those of the chosen language",
    "Language Model Tokenizers Introduce Unfairness Between Languages (NeurIPS 2023)",
)
DEFINITIONS = (
    *(TOKENS, BYTES_PER_TOKEN, TOKENS_PER_WORD, PARTS, IN_CONTEXT, BITS_PER_BYTE),
    PARITY,
)


@dataclass(frozen=True)
class Documents:
    """Documents with their sizes and both sides' token counts."""

    texts: Texts
    sizes: Sizes
    left: DocumentTokens
    right: DocumentTokens


def figures_of(found: Documents, context: int, interval: Interval) -> Iterator[PairedFigure]:
    """Yield every figure of these documents; none if no document was encoded by both."""
    at = both_encoded(found.left, found.right)
    if not at:
        return
    tokens = tuple(blocks(side.tokens, at) for side in (found.left, found.right))
    parts = tuple(blocks(side.parts, at) for side in (found.left, found.right))
    sizes, words = blocks(found.sizes.bytes, at), blocks(found.sizes.words, at)
    made = _Maker(found, len(at), interval)
    yield made.figure(TOKENS, [Rate(math.fsum(each)) for each in tokens], tokens)
    yield made.figure(BYTES_PER_TOKEN, [made.rate(sizes, each) for each in tokens], tokens[::-1])
    if found.texts.spaced and any(words):
        yield made.figure(TOKENS_PER_WORD, [made.rate(each, words) for each in tokens], tokens)
    shares = [made.rate(part, whole) for part, whole in zip(parts, tokens, strict=True)]
    yield made.figure(PARTS, shares, None)
    if found.texts.kind == "corpus":
        yield made.figure(
            IN_CONTEXT, [_times(made.rate(sizes, each), context) for each in tokens], tokens[::-1]
        )
        bits = [_times(made.rate(each, sizes), 1 / math.log(2)) for each in tokens]
        yield made.figure(BITS_PER_BYTE, bits, tokens)


def parity(found: Documents, chosen: Documents, interval: Interval) -> PairedFigure | None:
    """Compare a language's tokens with the chosen language's, sentence by sentence."""
    one, other = both_encoded(found.left, found.right), both_encoded(chosen.left, chosen.right)
    aligned = sorted({*one} & {*other})
    if not aligned or len(found.sizes.bytes) != len(chosen.sizes.bytes):
        return None
    made = _Maker(found, len(aligned), interval)
    sides = ((found.left, chosen.left), (found.right, chosen.right))
    rates = [made.rate(*(blocks(each.tokens, aligned) for each in pair)) for pair in sides]
    return made.figure(PARITY, rates, None)


@dataclass(frozen=True)
class _Maker:
    """Builds figures of one group of documents."""

    found: Documents
    documents: int
    interval: Interval

    def rate(self, tops: Sequence[float], bottoms: Sequence[float]) -> Rate | None:
        """Return a ratio of sums with its interval."""
        below = sum(bottoms)
        return Rate(sum(tops) / below, self.interval(tops, bottoms)) if below else None

    def figure(
        self,
        definition: Definition,
        rates: Sequence[Rate | None],
        counts: Sequence[Sequence[float]] | None,
    ) -> PairedFigure:
        """Build a figure with the ratio of the second side to the first."""
        loses = self.found.left.loses, self.found.right.loses
        left, right = (None if lost else rate for lost, rate in zip(loses, rates, strict=True))
        ratio = None
        if counts is not None and left is not None and right is not None:
            ratio = self.rate(counts[1], counts[0])
        texts = self.found.texts
        about = {"kind": texts.kind, "key": texts.key, "name": texts.name}
        return PairedFigure(definition.key, about, self.documents, left, right, ratio)


def _times(rate: Rate | None, factor: float) -> Rate | None:
    if rate is None:
        return None
    both = rate.interval and (rate.interval[0] * factor, rate.interval[1] * factor)
    return Rate(rate.value * factor, both)
