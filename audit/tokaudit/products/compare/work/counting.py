"""Run one tokenizer over documents, and count its tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

from tokaudit.engine.corpus.documents import batches, documents
from tokaudit.engine.encoders.lost_text import lost_share
from tokaudit.engine.samples import Samples
from tokaudit.foundation.errors import UnreadableError
from tokaudit.products.compare.replacing.counts import (
    REFUSED,
    DocumentTokens,
    Sizes,
    Texts,
    TokenizerCounts,
)
from tokaudit.products.compare.work.prepared import Compared
from tokaudit.runtimes.protocol import EncodeOptions, Encoding
from tokaudit.runtimes.worker.allowance import WorkerLimits
from tokaudit.runtimes.worker.client import WorkerTokenizer
from tokaudit_reference.spec import TokenizerSpec, TokenType

CORPUS = "corpus"
BUILT_IN = Texts(CORPUS, "built-in samples", "the built-in samples", spaced=False)
OnBatch = Callable[[str, int, int | None], None]  # what is read, how much of it is done, of what


@dataclass(frozen=True)
class Reading:
    """Documents of one group, which are read again for each tokenizer."""

    texts: Texts
    read: Callable[[], Iterator[str]]


def readings_of(files: Sequence[Path], samples: Samples) -> list[Reading]:
    """Return the files of a corpus, or all samples in their place; then each sample."""
    found = [
        Reading(Texts(CORPUS, str(path), path.name), partial(documents, path)) for path in files
    ]
    if not files:
        every = [sample.sentences for sample in samples.all]
        found.append(Reading(BUILT_IN, lambda: chain.from_iterable(every)))
    for sample in samples.all:
        texts = Texts(sample.kind, sample.language, sample.name, sample.spaced)
        found.append(Reading(texts, partial(iter, sample.sentences)))
    return found


def sizes_of(readings: Sequence[Reading]) -> dict[str, Sizes]:
    """Return the sizes of all documents, by group."""
    found: dict[str, Sizes] = {}
    for reading in readings:
        sizes = found.setdefault(reading.texts.key, Sizes())
        for text in reading.read():
            sizes.take(text)
    return found


def runner(side: Compared) -> WorkerTokenizer:
    """Return a side's encoder without a time limit: its library, or the reference.

    Raises `UnreadableError` where nothing runs it.
    """
    found = side.upstream if side.upstream is not None else side.reference
    if found is None:
        raise UnreadableError(f"{side.side.name}: no installed library can run this tokenizer")
    return WorkerTokenizer(found.request, limits=WorkerLimits(60.0, 60.0))


def who(encoder: WorkerTokenizer) -> str:
    """Name a side's encoder, with its version.

    The reference is ours, whatever version it has.
    """
    info = encoder.info
    return f"{info.package} {info.version}"


def counted(
    side: Compared, encoder: WorkerTokenizer, readings: Sequence[Reading], on_batch: OnBatch
) -> TokenizerCounts:
    """Count the tokens of all documents with one tokenizer."""
    found = TokenizerCounts()
    parts = part_ids(side.side.spec)
    wanted = EncodeOptions(offsets="offsets" in encoder.capabilities)
    for reading in readings:
        encoded = found.by_texts.setdefault(reading.texts.key, DocumentTokens())
        for batch in batches(reading.read()):
            made = encoder.encode(batch, wanted)
            _take(encoded, batch, made, parts, side.side.spec.unk_id)
            if reading.texts.kind == CORPUS:
                found.used.update(chain.from_iterable(each.ids for each in made))
            on_batch(f"{side.side.name}: {reading.texts.name}", len(encoded.tokens), None)
    return found


def part_ids(spec: TokenizerSpec) -> frozenset[int]:
    """Return the ids that are not whole characters: bytes, partial characters, unknown."""
    return frozenset(
        id
        for id, piece in spec.each_entry()
        if piece.token_type in (TokenType.BYTE, TokenType.UNKNOWN) or _is_part(piece.value)
    )


def _is_part(value: bytes | str) -> bool:
    """Return whether bytes are part of a character.

    >>> _is_part(b"a"), _is_part(bytes([0xE2, 0x82])), _is_part("é")
    (False, True, False)
    """
    if isinstance(value, str):
        return False
    try:
        value.decode()
    except UnicodeDecodeError:
        return True
    return False


def _take(
    encoded: DocumentTokens,
    batch: Sequence[str],
    made: Sequence[Encoding],
    parts: frozenset[int],
    unknown: int | None,
) -> None:
    for encoding in made:
        encoded.tokens.append(REFUSED if encoding.error else len(encoding.ids))
        encoded.parts.append(sum(map(parts.__contains__, encoding.ids)))
    characters = sum(len(text) for text, each in zip(batch, made, strict=True) if not each.error)
    encoded.characters += characters
    encoded.lost += lost_share(batch, made, unknown) * characters
