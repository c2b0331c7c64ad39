"""Lines of a vectors file: few texts that each cover several others.

Texts that must begin or end somewhere have one line each; the others are put together, with a
word between them, so that five hundred lines hold most of what covers a spec.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tokaudit.engine.vocabularies.piece_texts import own_texts
from tokaudit.products.engines.covering.deviations import deviations
from tokaudit.products.engines.covering.texts import covering_texts
from tokaudit_reference.spec import TokenizerSpec

MOST_LINES = 500  # those of ids to decode among them
MOST_DECODES = 40
BETWEEN = " of "  # parts of one line
TOGETHER, OF_ENTRIES = 360, 8_000  # characters of a line
ALONE: Mapping[str, int] = {
    "contexts": 34,
    "clean-up": 10,
    "edges": 30,
    "added tokens": 60,
    "splits": 30,
    "normalizer": 12,
    "Unicode versions": 12,
}
"""How many texts of a kind have one line each."""
BUNDLES: Mapping[str, int] = {
    "added tokens": 12,
    "edges": 8,
    "splits": 40,
    "normalizer": 16,
    "characters": 12,
    "merges": 24,
}
"""How many lines hold the other texts of a kind."""
MOST_OF_DEVIATION = 60  # lines


@dataclass(frozen=True)
class VectorText:
    """A text of a vectors file, and its subject."""

    about: str
    text: str


def vector_texts(spec: TokenizerSpec) -> list[VectorText]:
    """Return at most 460 texts that cover a spec, always the same.

    >>> from tokaudit_reference.spec import ModelType
    >>> found = vector_texts(TokenizerSpec(ModelType.BPE, {}))
    >>> len(found) <= MOST_LINES - MOST_DECODES, found[0].about
    (True, 'contractions')
    """
    kinds = covering_texts(spec)
    found = list(_of_deviations(spec))
    known = {each.text for each in found}
    for about, most in ALONE.items():
        texts = [text for text in kinds.get(about, ()) if text not in known]
        found += (VectorText(about, text) for text in _spread(texts, most))
    known = {each.text for each in found}
    for about, most in BUNDLES.items():
        rest = [text for text in kinds.get(about, ()) if text not in known]
        found += (VectorText(about, text) for text in _bundled(rest, most))
    room = MOST_LINES - MOST_DECODES - len(found)
    found += (VectorText("entries", text) for text in _entries(spec, room))
    return found[: MOST_LINES - MOST_DECODES]


def _of_deviations(spec: TokenizerSpec) -> Iterator[VectorText]:
    """Yield lines about deviations: one text each if its ends matter, else many in one."""
    for each in deviations(spec):
        parts = (f"{text}{BETWEEN}" for text in each.texts)
        lines = each.texts if each.at_ends else tuple(_joined(parts, TOGETHER))
        yield from (VectorText(each.about, text) for text in lines[:MOST_OF_DEVIATION])


def _spread(texts: Sequence[str], most: int) -> Sequence[str]:
    """Return `most` of the texts, half from the beginning and half evenly from the rest."""
    if len(texts) <= most:
        return texts
    first, rest = texts[: most // 2], texts[most // 2 :]
    left = most - len(first)
    return [*first, *(rest[at * len(rest) // left] for at in range(left))]


def _bundled(texts: Sequence[str], most: int) -> Iterator[str]:
    """Yield `most` lines of several texts each, evenly from all."""
    room = most * TOGETHER
    length = sum(len(text) + len(BETWEEN) for text in texts) or 1
    step = max(1, -(-length // room))
    yield from _joined((f"{text}{BETWEEN}" for text in texts[::step]), TOGETHER)


def _entries(spec: TokenizerSpec, most: int) -> Iterator[str]:
    """Yield entries after their own space or a line end, evenly from all."""
    own = [text if text.startswith(" ") else f"\n{text}" for text in own_texts(spec)]
    length = sum(map(len, own)) or 1
    step = max(1, -(-length // (max(1, most) * OF_ENTRIES)))
    yield from _joined(own[::step], OF_ENTRIES)


def _joined(texts: Iterable[str], size: int) -> Iterator[str]:
    line = ""
    for text in texts:
        if line and len(line) + len(text) > size:
            yield line
            line = ""
        line += text
    if line:
        yield line
