"""`train --reproduce`: whether the merges of a folder are those of a corpus, and else why not.

The corpus is cut into pre-tokens by the folder's own steps, and its merges are followed next to a
trainer's.  What could explain a difference is tried one by one: how equally frequent pairs are
chosen, how the text is handed over, a limit on the length of tokens, another split pattern, a file
left out.  What brings the merges furthest is named; only equal merges are called reproduced.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tokaudit.api.asked.settings import BareFiles
from tokaudit.api.opening import SubjectName, subject_of
from tokaudit.api.training.corpus import documents, files_of, text_of
from tokaudit.api.training.train import OnStep, silently
from tokaudit.comparison.corpus.comparing import batches
from tokaudit.comparison.evidence import bytes_of
from tokaudit.engine.comparing.prepared import prepared
from tokaudit.engine.options import Options
from tokaudit.engine.workers import Workers
from tokaudit.foundation.errors import UnreadableError
from tokaudit.foundation.settings.places import NamedPath
from tokaudit.foundation.settings.words import listed
from tokaudit.runtimes.worker.client import WorkerTokenizer
from tokaudit_reference.spec import ModelType, TokenizerSpec
from tokaudit_reference.text.published_patterns import PATTERNS
from tokaudit_reference.training.replay import FirstOther, byte_orders, replay
from tokaudit_reference.training.tie_breaks import RULES
from tokaudit_reference.training.words import cutter

MOST_LEFT_OUT = 20  # files that are left out one by one
LARGEST_DOCUMENT = 4_000_000  # characters that are handed to the tokenizer at once
WHOLE, LINES = "each file whole", "line by line"
LINE = re.compile(r"[^\n]*\n|[^\n]+")


@dataclass(frozen=True, slots=True)
class Attempt:
    """One way to train, in words, and how many merges it gives in the folder's order."""

    way: str
    agreed: int
    first: FirstOther | None


@dataclass(frozen=True, slots=True)
class Reproduction:
    """What is known of a folder's merges and a corpus; `attempts` are all that were tried."""

    folder: str
    corpus: tuple[str, ...]
    merges: int
    best: Attempt
    plain: Attempt  # as this project trains, of which `best` is the explanation where it is better
    attempts: tuple[Attempt, ...]

    @property
    def ok(self) -> bool:
        """Whether all merges were reproduced."""
        return self.best.agreed == self.merges


def reproduce(
    folder: SubjectName, corpus: Sequence[NamedPath], *, on_step: OnStep | None = None
) -> Reproduction:
    """Whether the merges of a tokenizer are those that a corpus gives, and else what explains it.

    `corpus` are text files or folders of them.  Raises `UnreadableError` for a tokenizer that is
    no byte-level BPE with merges, as only these can be followed.
    """
    files = files_of([Path(path) for path in listed("corpus", corpus)])
    workers = Workers(Options().limits())
    try:
        side = prepared(subject_of(folder, BareFiles()), workers, "0")
        if side.reference is None:
            raise UnreadableError(f"{side.side.name}: the reference cannot run it")
        merges = _merges(side.side.name, side.side.spec)
        search = _Search(side.side.spec, merges, files, side.reference, on_step or silently)
        attempts = search.run()
        return Reproduction(
            side.side.name,
            tuple(map(str, files)),
            len(merges),
            best(attempts),
            attempts[0],
            tuple(attempts),
        )
    finally:
        workers.close()


def best(attempts: Sequence[Attempt]) -> Attempt:
    """The attempt that agrees furthest; of equals the one that was tried first."""
    return max(attempts, key=lambda each: each.agreed)


def _merges(name: str, spec: TokenizerSpec) -> list[tuple[bytes, bytes]]:
    if spec.model_type is not ModelType.BPE or not spec.byte_level or not spec.merges:
        raise UnreadableError(
            f"{name}: is not a byte-level BPE with a list of merges; only these are reproduced"
        )
    return [(bytes_of(left), bytes_of(right)) for left, right in spec.merges]


@dataclass(frozen=True)
class _Way:
    """How a training may have been done."""

    rule: str
    order: str
    reading: str = WHOLE
    pattern: str = ""  # a published one in place of the folder's own
    without: Path | None = None
    longest: int | None = None

    @property
    def words(self) -> str:
        """The way as a reader of the result needs it."""
        said = [f"ties by {self.rule}"]
        if self.rule == "lowest_id":
            said.append(f"bytes numbered {'by value' if self.order == 'raw' else 'as GPT-2 does'}")
        said.append(self.reading)
        said += [f"split by the pattern of {self.pattern}"] if self.pattern else []
        said += [f"without {self.without}"] if self.without else []
        said += [f"no token above {self.longest} bytes"] if self.longest else []
        return ", ".join(said)


class _Search:
    """Tries ways to train, one change at a time from the best so far."""

    def __init__(
        self,
        spec: TokenizerSpec,
        merges: Sequence[tuple[bytes, bytes]],
        files: Sequence[Path],
        reference: WorkerTokenizer,
        on_step: OnStep,
    ) -> None:
        self.merges, self.files, self.reference = merges, files, reference
        self.special = [token.content for token in spec.added_tokens]
        self.on_step = on_step
        self._counts: dict[tuple[Path, str, str], Counter[str]] = {}

    def run(self) -> list[Attempt]:
        """The plain rules first; then one change at a time, until all merges agree."""
        tried: dict[_Way, Attempt] = {}
        for ways in (_rules, _readings, self._limits, _patterns, self._left_out):
            furthest = max(tried, key=lambda way: tried[way].agreed, default=None)
            for way in ways(furthest):
                tried.setdefault(way, self._attempt(way, len(tried)))
                if tried[way].agreed == len(self.merges):
                    return list(tried.values())
        return list(tried.values())

    def _attempt(self, way: _Way, done: int) -> Attempt:
        self.on_step(f"trying: {way.words}", done, None)
        words: Counter[str] = Counter()
        for file in self.files:
            if file != way.without:
                words.update(self._counted(file, way))
        order = byte_orders()[way.order]
        found = replay(words.items(), self.merges, way.rule, order, longest=way.longest)
        return Attempt(way.words, found.agreed, found.first)

    def _counted(self, file: Path, way: _Way) -> Counter[str]:
        key = file, way.reading, way.pattern
        if key not in self._counts:
            texts = _texts(file, self.special, way.reading)
            by = _by_pattern(texts, way.pattern) if way.pattern else self._by_folder(texts, file)
            self._counts[key] = Counter(by)
        return self._counts[key]

    def _by_folder(self, texts: Iterator[str], file: Path) -> Iterator[str]:
        """The pre-tokens by the folder's own steps, run in a worker."""
        for batch in batches(texts):
            for found in self.reference.pre_tokens(batch):
                if found is None:
                    raise UnreadableError(f"{file}: the tokenizer's own steps do not cut its text")
                yield from found

    def _limits(self, way: _Way | None) -> Iterator[_Way]:
        """A limit that is the longest token of the folder."""
        if way is not None:
            longest = max(len(left) + len(right) for left, right in self.merges)
            yield replace(way, longest=longest)

    def _left_out(self, way: _Way | None) -> Iterator[_Way]:
        if way is not None and 1 < len(self.files) <= MOST_LEFT_OUT:
            yield from (replace(way, without=file) for file in self.files)


def _rules(way: _Way | None) -> Iterator[_Way]:
    for rule in RULES:
        for order in byte_orders() if rule == "lowest_id" else ("raw",):
            yield _Way(rule, order)


def _readings(way: _Way | None) -> Iterator[_Way]:
    """Line by line, under every rule: which of them it was may not have shown yet."""
    yield from (replace(each, reading=LINES) for each in _rules(None))


def _patterns(way: _Way | None) -> Iterator[_Way]:
    if way is not None:
        yield from (replace(way, pattern=name) for name in PATTERNS)


def _texts(file: Path, special: Sequence[str], reading: str) -> Iterator[str]:
    """The documents of a file, whole or in lines; raises `UnreadableError` for one too long."""
    for text in documents(text_of(file), special):
        parts = LINE.findall(text) if reading == LINES else [text]
        for part in parts:
            if len(part) > LARGEST_DOCUMENT:
                raise UnreadableError(
                    f"{file}: a document has {len(part):,} characters, more than "
                    f"{LARGEST_DOCUMENT:,}; put a special token between documents"
                )
            yield part


def _by_pattern(texts: Iterator[str], name: str) -> Iterator[str]:
    """The pre-tokens by a published pattern."""
    cut = cutter(PATTERNS[name])
    for text in texts:
        yield from cut(text)
