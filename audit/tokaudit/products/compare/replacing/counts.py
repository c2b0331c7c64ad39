"""Counts of documents under one tokenizer, as a few integers each."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tokaudit.report.replacement import MOST_LOST

MOST_BLOCKS = 2000  # that are resampled; more documents are summed in so many blocks, in order
REFUSED = -1


@dataclass(frozen=True, slots=True)
class Texts:
    """Documents of one group: a file of a corpus, a language or a domain."""

    kind: str
    key: str
    name: str
    spaced: bool = True  # whether spaces part its words


@dataclass(slots=True)
class Sizes:
    """Sizes of documents, independent of the encoder."""

    bytes: array[int] = field(default_factory=lambda: array("q"))
    words: array[int] = field(default_factory=lambda: array("q"))

    def take(self, text: str) -> None:
        """Count another document."""
        self.bytes.append(len(text.encode("utf-8", "surrogatepass")))
        self.words.append(len(text.split()))


@dataclass(slots=True)
class DocumentTokens:
    """Token counts of one side for each document, `REFUSED` if it cannot be encoded.

    `parts` are the tokens that are not whole characters, or unknown.
    """

    tokens: array[int] = field(default_factory=lambda: array("q"))
    parts: array[int] = field(default_factory=lambda: array("q"))
    lost: float = 0.0  # characters
    characters: int = 0

    @property
    def loses(self) -> bool:
        """Return whether too much text is lost for the tokens to count as a cost."""
        return self.lost > MOST_LOST * max(self.characters, 1)


@dataclass(slots=True)
class TokenizerCounts:
    """One tokenizer's counts over all texts, and its uses of each id on a corpus."""

    by_texts: dict[str, DocumentTokens] = field(default_factory=dict)
    used: Counter[int] = field(default_factory=Counter)


def both_encoded(left: DocumentTokens, right: DocumentTokens) -> list[int]:
    """Return the indices of the documents that both sides encode.

    >>> both_encoded(DocumentTokens(array("q", [2, -1])), DocumentTokens(array("q", [3, 4])))
    [0]
    """
    pairs = enumerate(zip(left.tokens, right.tokens, strict=True))
    return [at for at, pair in pairs if REFUSED not in pair]


def blocks(values: Sequence[int], at: Sequence[int]) -> list[float]:
    """Sum the values at these indices in blocks of neighbours, if there are many.

    >>> blocks([1, 2, 3], [0, 2])
    [1.0, 3.0]
    """
    size = -(-len(at) // MOST_BLOCKS) or 1
    return [float(sum(values[i] for i in part)) for part in _chunks(at, size)]


def _chunks(at: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    yield from (at[start : start + size] for start in range(0, len(at), size))
