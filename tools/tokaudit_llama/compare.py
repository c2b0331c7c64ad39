"""Both sides on the same texts: ids, with specials read and as text, and what ids decode to."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice

from tokaudit.runtimes.adapters.llama_cpp import load
from tokaudit.runtimes.protocol import DecodeOptions, EncodeOptions, Tokenizer
from tokaudit.runtimes.request import LoadRequest
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_llama.splits import SPLIT
from tokaudit_llama.texts import drawn, entries, id_lists, scalars
from tokaudit_llama.vocabularies import Vocabulary
from tokaudit_reference.tokenizer import ReferenceTokenizer

AT_ONCE, SHOWN = 4096, 5
READ, AS_TEXT = EncodeOptions(), EncodeOptions(parse_special=False)
AROUND = EncodeOptions(add_special_tokens=True)


@dataclass(frozen=True)
class Amount:
    """How much is compared: each so many scalars, of those without a character, and drawn texts."""

    scalars: int
    others: int
    drawn: int


FEW = Amount(499, 9_973, 1_000)  # for each name of a split: there are about seventy
AMOUNTS = {
    "quick": Amount(199, 9_973, 500),
    "wide": Amount(1, 997, 20_000),
    "full": Amount(1, 1, 20_000),
}


@dataclass
class ComparedVocabulary:
    """One vocabulary: what was compared, how much differed, and the first examples."""

    name: str
    kind: str
    texts: int = 0
    ids: int = 0
    decoded: int = 0
    seconds: float = 0.0
    examples: list[str] = field(default_factory=list)

    @property
    def wrong(self) -> bool:
        """Whether anything differed, or nothing was compared."""
        return bool(self.ids or self.decoded or not self.texts)

    def note(self, example: str) -> None:
        """Keep one of the first differences."""
        self.examples = [*self.examples, example][:SHOWN]


def compare(vocabulary: Vocabulary, amount: Amount, seed: int) -> ComparedVocabulary:
    """Everything about one vocabulary."""
    started = time.perf_counter()
    row = ComparedVocabulary(vocabulary.name, vocabulary.kind)
    path = str(vocabulary.path)
    engine = load(LoadRequest("llama.cpp", path))
    [(_, spec)] = parse_all(open_subject(path)).parsed
    ours = ReferenceTokenizer(spec)
    hard = list(drawn(spec, amount.drawn, seed))
    own = entries(spec) if vocabulary.kind != SPLIT else ()
    for options, texts in (
        (READ, chain(own, scalars(amount.scalars, amount.others), hard)),
        (AS_TEXT, hard),
        (AROUND, hard[: amount.drawn // 10]),
    ):
        _ids(row, engine, ours, texts, options)
    lists = [[id] for id in spec.pieces] if vocabulary.kind != SPLIT else []
    lists += [ours.encode(text).ids for text in hard]
    lists += id_lists(spec, amount.drawn, seed)
    for skip in (False, True):
        _decoded(row, engine, ours, lists, DecodeOptions(skip))
    row.seconds = time.perf_counter() - started
    return row


def _ids(
    row: ComparedVocabulary,
    engine: Tokenizer,
    ours: ReferenceTokenizer,
    texts: Iterable[str],
    how: EncodeOptions,
) -> None:
    for batch in _batches(texts):
        for text, theirs in zip(batch, engine.encode(batch, how), strict=True):
            row.texts += 1
            found = ours.encode(
                text, parse_special=how.parse_special, add_special_tokens=how.add_special_tokens
            ).ids
            if theirs.error or tuple(found) != theirs.ids:
                row.ids += 1
                row.note(f"{text!r}: llama.cpp {theirs.error or list(theirs.ids)}, here {found}")


def _decoded(
    row: ComparedVocabulary,
    engine: Tokenizer,
    ours: ReferenceTokenizer,
    lists: list[list[int]],
    how: DecodeOptions,
) -> None:
    for ids, theirs in zip(lists, engine.decode(lists, how), strict=True):
        found = ours.decode(ids, skip_special_tokens=how.skip_special_tokens)
        if found != theirs:
            row.decoded += 1
            row.note(f"{ids}: llama.cpp {theirs!r}, here {found!r}")


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    rest = iter(texts)
    while batch := list(islice(rest, AT_ONCE)):
        yield batch
