"""Encode a corpus with one tokenizer, decode it again and count."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from typing import Any

from tokaudit.engine.corpus.documents import batches, documents_of
from tokaudit.engine.corpus.ratio_sums import RatioSums
from tokaudit.engine.evidence import shown
from tokaudit.engine.texts.coming_back import ComingBack
from tokaudit.foundation.errors import UnreadableError, UpstreamTrouble
from tokaudit.runtimes.protocol import Tokenizer
from tokaudit.runtimes.request import LoadRequest, decoded, encoded, from_anywhere
from tokaudit.runtimes.worker.allowance import WorkerLimits
from tokaudit.runtimes.worker.client import WorkerTokenizer
from tokaudit.shards.work import Task, Work, packed
from tokaudit_reference.spec import Component

SHOWN = 3  # texts of a file that do not come back, the shortest first
LONGEST_SHOWN = 4_000  # characters
LIMITS = WorkerLimits(60.0, 60.0)


@dataclass(frozen=True)
class EncodingJob:
    """A tokenizer to load in another process, and its declared losses.

    `tokenizer` is a digest of it and names what runs it: paths in the request are of this run.
    """

    version: str
    tokenizer: str
    normalizer: Any
    exempt: tuple[str, ...]
    request: Mapping[str, Any] = field(default_factory=dict)

    def loading(self, request: LoadRequest) -> EncodingJob:
        """Return the job with a tokenizer, whose paths are made independent of the folder."""
        return replace(self, request=encoded(from_anywhere(request)))

    @property
    def settings(self) -> bytes:
        """Return the bytes that decide the result."""
        return packed(replace(self, request={}))


@dataclass(order=True, frozen=True)
class LostText:
    """A document that decoding changes: its length, its number from 1 on, and its beginning."""

    size: int
    number: int
    text: str


@dataclass
class EncodedPiece:
    """Counts of a piece; `unreadable` is the reason why it could not be read."""

    documents: int = 0
    refused: int = 0  # documents that are not encoded
    came_back: int = 0  # documents that were decoded again, as they were or not
    lost: int = 0  # of these, more than is declared
    bytes_per_token: RatioSums = field(default_factory=RatioSums)
    tokens_per_character: RatioSums = field(default_factory=RatioSums)
    tokens_per_word: RatioSums = field(default_factory=RatioSums)
    examples: list[LostText] = field(default_factory=list)
    unreadable: str = ""

    def take(self, text: str, tokens: int) -> None:
        """Count an encoded document."""
        self.bytes_per_token.take(len(text.encode("utf-8", "surrogatepass")), tokens)
        self.tokens_per_character.take(tokens, len(text))
        self.tokens_per_word.take(tokens, len(text.split()))

    def add(self, other: EncodedPiece) -> None:
        """Add the counts of the next piece."""
        moved = [replace(each, number=each.number + self.documents) for each in other.examples]
        self.examples = sorted([*self.examples, *moved])[:SHOWN]
        for each in fields(self):
            mine, theirs = getattr(self, each.name), getattr(other, each.name)
            if isinstance(mine, int):
                setattr(self, each.name, mine + theirs)
            elif isinstance(mine, RatioSums):
                mine.add(theirs)


def encoded_piece(task: Task, tokenizer: Tokenizer, promise: ComingBack) -> EncodedPiece:
    """Encode the documents of a piece, and decode their ids if the tokenizer can."""
    counted = EncodedPiece()
    try:
        for batch in batches(documents_of(task)):
            counted.add(_of_batch(batch, tokenizer, promise))
    except UnreadableError as error:
        return EncodedPiece(unreadable=str(error))
    return counted


def _of_batch(texts: Sequence[str], tokenizer: Tokenizer, promise: ComingBack) -> EncodedPiece:
    counted = EncodedPiece(documents=len(texts))
    encodings = tokenizer.encode(texts)
    outputs = iter(_outputs([each.ids for each in encodings if each.error is None], tokenizer))
    for number, (text, encoding) in enumerate(zip(texts, encodings, strict=True), 1):
        if encoding.error is not None:
            counted.refused += 1
            continue
        counted.take(text, len(encoding.ids))
        output = next(outputs)
        if output is None:
            continue
        counted.came_back += 1
        if promise.lost(text, output):
            counted.lost += 1
            counted.examples.append(LostText(len(text), number, text[:LONGEST_SHOWN]))
    counted.examples = sorted(counted.examples)[:SHOWN]
    return counted


def _outputs(ids: Sequence[Sequence[int]], tokenizer: Tokenizer) -> list[str | None]:
    """Return the text of each list of ids, or None without a decoder."""
    if not {"decode", "decode_bytes"} & tokenizer.capabilities:
        return [None] * len(ids)
    try:
        return [shown(each) for each in tokenizer.decode(ids)]
    except UpstreamTrouble:
        return [None] * len(ids)


@contextmanager
def encoding(job: EncodingJob) -> Iterator[Callable[[Task], EncodedPiece]]:
    """Yield a function that encodes a piece, with its own worker."""
    promise = ComingBack(Component(job.normalizer, stage="normalizer"), job.exempt)
    with WorkerTokenizer(decoded(job.request), limits=LIMITS) as tokenizer:
        yield lambda task: encoded_piece(task, tokenizer, promise)


WORK = Work("tokaudit.engine.corpus.encoding", EncodingJob, EncodedPiece, encoding)
