"""`train --reproduce`: check if a folder's merges come from a corpus, or explain.

The corpus is cut into pre-tokens by the folder's own steps, and its merges are followed next to a
trainer's.  What could explain a difference is tried one by one: how equally frequent pairs are
chosen, how the text is handed over, whether special tokens end documents or are text, a limit on
the length of tokens, digits and scripts, a file left out, another split pattern.  What brings the
merges furthest is named; only equal merges are called reproduced, by each rule that gives them.

Up to the first merge that differs the text is merged as the folder has it, whatever the rule for
ties.  So where that merge occurs less often than another, no rule explains it, and none is tried.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from random import Random

from tokaudit.engine.corpus.documents import batches
from tokaudit.engine.opening import SubjectName, leniently_opened
from tokaudit.engine.options import Options
from tokaudit.engine.settings.keywords import keywords
from tokaudit.engine.settings.settings import BareFiles
from tokaudit.engine.workers import Workers
from tokaudit.foundation.errors import UnreadableError
from tokaudit.foundation.progress import OnStep, silently
from tokaudit.foundation.settings.places import NamedPath, path_of
from tokaudit.foundation.settings.setting import inherited
from tokaudit.foundation.settings.words import listed
from tokaudit.products.compare.work.prepared import prepared
from tokaudit.products.train.corpus import documents, files_of, text_of
from tokaudit.products.train.merges_of_folder import (
    ANY_SCRIPT,
    DIGITS_APART,
    ONE_SCRIPT,
    Followed,
    followed,
)
from tokaudit.products.train.recipe import split_patterns
from tokaudit.products.train.recipe_file import missing_files
from tokaudit.products.train.settings import TrainSettings
from tokaudit.runtimes.subject_requests import reference_request
from tokaudit.runtimes.worker.client import WorkerTokenizer
from tokaudit.subject.training_recipe import CorpusFile
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.text.published_patterns import PATTERNS
from tokaudit_reference.training.replay import FirstOther, Replay, byte_orders
from tokaudit_reference.training.tie_breaks import RULES, Value
from tokaudit_reference.training.words import cutter

MOST_LEFT_OUT = 20  # files that are left out one by one
LARGEST_DOCUMENT = 4_000_000  # characters that are handed to the tokenizer at once
CUT_AT = 100_000  # characters, after which a document is cut where that changes no pre-token
WHOLE, LINES, BARE = "each file whole", "line by line", "line by line without line ends"
LINE = re.compile(r"[^\n]*\n|[^\n]+")
LINE_END = re.compile(r"(?<=\S)\n(?=\S)")  # where a long document is cut
NO_LINES = "the counts of the first other merge differ by more than twice the number of lines"
PARTS, PART = 30, 10_000  # of the corpus, in bytes, which are looked at before the whole
LONGEST_SENTENCE = 4192  # bytes; SentencePiece leaves longer ones out
TRAINERS = {  # rule, order of the bytes, and whether only pieces are known
    ("lowest_id", "alphabet", False): "tokenizers",
    ("lowest_id", "raw", False): "rustbpe",
    ("lexicographic_max", "raw", False): "the assignment of CS336",
    ("first_seen", "raw", False): "minbpe",
    ("shortest", "raw", True): "SentencePiece",
}


@dataclass(frozen=True, kw_only=True)
class ReproduceSettings:
    """The settings of the search for how a corpus gives a folder's merges."""

    pattern: str | None = inherited(
        TrainSettings,
        "pattern",
        "the regular expression that splits text, for a rank file (.tiktoken); for other files, "
        "one more pattern to try",
        "what the folder states",
    )


@dataclass(frozen=True, kw_only=True)
class ReproduceCall(ReproduceSettings):
    """The settings of `reproduce`, and what only a program can give."""

    on_step: OnStep | None = None


@dataclass(frozen=True, slots=True)
class Attempt:
    """One way to train, in words, and the number of merges it gives in the folder's order."""

    way: str
    agreed: int
    first: FirstOther | None
    trainer: str = ""  # which breaks ties so, where one is known
    last: int = 0  # how often the last merge that agrees occurred
    after: int = 0  # how often the next pair would occur, after all merges
    not_tried: str = ""  # why nothing is known of this way, where that is so

    @property
    def is_tie(self) -> bool:
        """Return whether the first differing merge is tied with the corpus's own."""
        first = self.first
        return first is not None and bool(first.learned) and first.is_tie


@dataclass(frozen=True, slots=True)
class Reproduction:
    """The facts about a folder's merges and a corpus, with all attempts."""

    folder: str
    corpus: tuple[str, ...]
    merges: int
    best: Attempt
    plain: Attempt  # as this project trains, of which `best` is the explanation where it is better
    attempts: tuple[Attempt, ...]
    missing: tuple[CorpusFile, ...] = ()  # of the folder's own recipe, which this corpus lacks

    @property
    def trainers(self) -> tuple[str, ...]:
        """Return the known trainers that give all merges; several if ties do not decide."""
        full = (each.trainer for each in self.attempts if each.agreed == self.merges)
        return tuple(dict.fromkeys(filter(None, full)))

    @property
    def ok(self) -> bool:
        """Return whether all merges were reproduced."""
        return self.best.agreed == self.merges


@keywords(ReproduceCall)
def reproduce(
    folder: SubjectName, corpus: Sequence[NamedPath], asked: ReproduceCall
) -> Reproduction:
    """Compare a tokenizer's merges with those that a corpus gives, and explain a difference.

    `corpus` are text files or folders of them.  `pattern` is the name of a published pattern or a
    regular expression: that of a bare rank file, and of other folders one more to try.  Raises
    `UnreadableError` for a tokenizer that is no BPE with an order of merges, as only these can be
    followed.
    """
    files = files_of([path_of("corpus", path) for path in listed("corpus", corpus)])
    pattern = asked.pattern
    given = () if pattern is None else split_patterns(pattern)
    bare = BareFiles(pattern=given[0] if len(given) == 1 else None)
    workers = Workers(Options().limits())
    try:
        side = prepared(leniently_opened(folder, bare), workers, "0")
        if side.reference is None:
            raise UnreadableError(
                f"{side.side.name}: tokaudit's reference encoder cannot run this tokenizer"
            )
        merges = followed(side.side.name, side.side.spec)
        tried = {**PATTERNS, **({pattern: given} if pattern else {})}
        say = asked.on_step or silently
        bare_spec = replace(side.side.spec, added_tokens=())
        cutters = side.reference, workers.open("cuts text", reference_request(bare_spec))
        search = _Search(side.side.spec, merges, files, cutters, say, tried)
        attempts = search.run()
        return Reproduction(
            side.side.name,
            tuple(map(str, files)),
            len(merges.merges),
            best(attempts),
            attempts[0],
            tuple(attempts),
            tuple(missing_files(Path(side.side.name), files)),
        )
    finally:
        workers.close()


def best(attempts: Sequence[Attempt]) -> Attempt:
    """Return the attempt that agrees furthest; of equals, the earliest."""
    return max(attempts, key=lambda each: each.agreed)


@dataclass(frozen=True)
class _Part:
    """A file of the corpus, or a part of it."""

    file: Path
    start: int = 0
    length: int | None = None

    def text(self) -> str:
        """Read the text; a part in the middle of a file starts after a line end."""
        if self.length is None:
            return text_of(self.file)
        with self.file.open("rb") as opened:
            opened.seek(self.start)
            text = opened.read(self.length).decode(errors="ignore")
        return text[text.find("\n") + 1 :] if self.start else text


@dataclass(frozen=True)
class _Way:
    """A possible way to train."""

    rule: str
    order: str
    reading: str = WHOLE
    special_is_text: bool = False
    pattern: str = ""  # a published one in place of the folder's own
    without: Path | None = None
    longest: int | None = None
    digits: str = ONE_SCRIPT

    @property
    def words(self) -> str:
        """Describe the way for readers."""
        said = [f"ties by {self.rule}"]
        if self.rule == "lowest_id":
            said.append(f"bytes numbered {'by value' if self.order == 'raw' else 'as GPT-2 does'}")
        said.append(self.reading)
        said += ["special tokens taken for text"] if self.special_is_text else []
        said += [f"split by the pattern of {self.pattern}"] if self.pattern else []
        said += [self.digits] if self.digits else []
        said += [f"without {self.without}"] if self.without else []
        said += [f"no token above {self.longest}"] if self.longest else []
        return ", ".join(said)

    @property
    def input(self) -> tuple[object, ...]:
        """Return the form of the training text, which early ties may not show yet."""
        return self.reading, self.special_is_text


class _Search:
    """Tries ways to train, changing one thing at a time from the best of each form."""

    def __init__(
        self,
        spec: TokenizerSpec,
        merges: Followed,
        files: Sequence[Path],
        cutters: tuple[WorkerTokenizer, WorkerTokenizer],
        on_step: OnStep,
        patterns: Mapping[str, tuple[str, ...]],
    ) -> None:
        self.patterns = patterns
        self.merges, self.files = merges, files
        self.cutters = cutters  # with special tokens, and with all of it as text
        by_id = sorted(spec.added_tokens, key=lambda token: token.id)
        self.special = [token.content for token in by_id]
        self.on_step = on_step
        self._own = _published(spec)
        self._counts: dict[tuple[object, ...], Counter[str]] = {}
        self._tried: dict[_Way, Attempt] = {}

    def run(self) -> list[Attempt]:
        """Try the plain rules first, then single changes, until all merges agree."""
        if not self._try(self._by_rules(self._plain())) and not self._try(self._inputs()):
            for stage in (self._limits, _scripts, self._left_out, self._patterns):
                changed = [new for way in self._fronts() for new in stage(way)]
                if self._try(changed) or self._try(self._by_rules(self._furthest())):
                    break
        if self._is_done():
            self._try(_rules(self._furthest()), to_the_end=True)
        return list(self._tried.values())

    def _plain(self) -> _Way:
        if self.merges.pieces:
            return _Way("shortest", "raw", BARE)
        return _Way("lowest_id", "alphabet")

    def _inputs(self) -> Iterator[_Way]:
        """Yield other forms of the text, if lines could explain the difference."""
        for as_text in (False, True) if self._has_special() else (False,):
            for reading in (WHOLE, LINES, BARE):
                changed = replace(self._plain(), reading=reading, special_is_text=as_text)
                why = self._why_not(changed)
                if why:
                    self._tried[changed] = Attempt(changed.words, 0, None, not_tried=why)
                else:
                    yield from self._by_rules(changed)

    def _why_not(self, way: _Way) -> str:
        """Explain why another form of the text is not worth trying; empty if it is."""
        if way == self._plain():
            return ""
        if way.reading != self._plain().reading and not self._may_be_of_lines():
            return NO_LINES
        try:
            first = self._replayed(way, sampled=True).first
        except _NotCut as limit:
            return str(limit)
        is_later = first is None or first.number > self._tried[self._plain()].agreed + 1
        return "" if is_later else _doubt(first)

    def _may_be_of_lines(self) -> bool:
        """Return whether there are enough lines to explain the difference in counts."""
        first = self._tried[self._plain()].first
        if first is None or not first.learned:
            return True
        lines = sum(text_of(file).count("\n") + 1 for file in self.files)
        return first.learned_count - first.given_count <= 2 * lines

    def _has_special(self) -> bool:
        return any(token in text_of(file) for file in self.files for token in self.special if token)

    def _by_rules(self, way: _Way) -> Iterator[_Way]:
        """Yield a way, and other tie rules if its first differing merge is a tie."""
        yield way
        if self._tried[way].is_tie or self._tried[way].agreed == len(self.merges.merges):
            yield from _rules(way)

    def _is_done(self) -> bool:
        return any(each.agreed == len(self.merges.merges) for each in self._tried.values())

    def _try(self, ways: Iterable[_Way], *, to_the_end: bool = False) -> bool:
        for way in ways:
            if way not in self._tried:
                self._tried[way] = self._attempt(way, len(self._tried))
            if self._is_done() and not to_the_end:
                return True
        return False

    def _furthest(self) -> _Way:
        return max(self._tried, key=lambda way: self._tried[way].agreed)

    def _fronts(self) -> list[_Way]:
        """Return the best way for each form of the text, the best of all first."""
        found: dict[tuple[object, ...], _Way] = {}
        known = [way for way, attempt in self._tried.items() if not attempt.not_tried]
        for way in sorted(known, key=lambda way: -self._tried[way].agreed):
            found.setdefault(way.input, way)
        return list(found.values())

    def _known(self) -> str:
        """Describe how far the merges agree, at first in parts of the corpus."""
        every = f"of {len(self.merges.merges):,} merges agree"
        if self._tried:
            return f"{self._tried[self._furthest()].agreed:,} {every}; "
        if len(self._parts) < PARTS:
            return ""
        try:
            found = self._replayed(self._plain(), sampled=True)
        except _NotCut:
            return ""
        if doubt := _doubt(found.first):
            return f"{doubt}; {found.agreed:,} {every} in them; "
        return f"{found.agreed:,} {every} in {PARTS} parts of the corpus; "

    def _attempt(self, way: _Way, done: int) -> Attempt:
        self.on_step(f"{self._known()}trying: {way.words}", done, None)
        try:
            found = self._replayed(way)
        except _NotCut as limit:
            return Attempt(way.words, 0, None, not_tried=str(limit))
        trainer = TRAINERS.get((way.rule, way.order, self.merges.pieces), "")
        return Attempt(way.words, found.agreed, found.first, trainer, found.last, found.after)

    def _replayed(self, way: _Way, *, sampled: bool = False) -> Replay:
        """Follow the merges over the corpus, or over parts of it."""
        if sampled:
            parts = [self._counted(part, way) for part in self._parts]
        else:
            whole: Counter[str] = Counter()
            for file in self.files:
                if file != way.without:
                    whole.update(self._counted(_Part(file), way))
            parts = [whole]
        special = self.special if way.special_is_text else ()
        return self.merges.replay(parts, way.rule, way.order, way.longest, way.digits, special)

    @cached_property
    def _parts(self) -> list[_Part]:
        """Return the files of a small corpus, or a sampled part of each thirtieth."""
        sizes = [file.stat().st_size for file in self.files]
        ends = [*accumulate(sizes)]
        if ends[-1] <= PARTS * PART:
            return [*map(_Part, self.files)]
        found, draw, share = [], Random(0), ends[-1] // PARTS
        for number in range(PARTS):
            place = number * share + draw.randint(0, share - PART)
            at = bisect_right(ends, place)
            found.append(_Part(self.files[at], place - ends[at] + sizes[at], PART))
        return found

    def _counted(self, part: _Part, way: _Way) -> Counter[str]:
        """Count the pre-tokens of a part."""
        key = part, way.input, way.pattern
        if key not in self._counts:
            special = () if way.special_is_text else self.special
            texts = _texts(part, special, way.reading)
            if self.merges.pieces:
                texts = (text for text in texts if len(text.encode()) <= LONGEST_SENTENCE)
            cuts = self.patterns.get(way.pattern) if way.pattern else self._own
            by = _by_patterns(texts, cuts) if cuts else self._by_folder(texts, part.file, way)
            self._counts[key] = Counter(self.merges.words(by))
        return self._counts[key]

    def _by_folder(self, texts: Iterator[str], file: Path, way: _Way) -> Iterator[str]:
        """Yield the pre-tokens by the folder's own steps, run in a worker."""
        cutter = self.cutters[way.special_is_text]
        for batch in batches(texts):
            for found in cutter.pre_tokens(batch):
                if found is None:
                    raise _NotCut(f"the tokenizer's own steps do not cut the text of {file}")
                yield from found

    def _limits(self, way: _Way) -> Iterator[_Way]:
        """Yield a length limit as the folder's longest token, if the corpus gives longer ones."""
        first = self._tried[way].first
        if first and first.learned and sum(map(len, first.learned)) > self.merges.longest:
            yield replace(way, longest=self.merges.longest)

    def _left_out(self, way: _Way) -> Iterator[_Way]:
        if 1 < len(self.files) <= MOST_LEFT_OUT:
            yield from (replace(way, without=file) for file in self.files)

    def _patterns(self, way: _Way) -> Iterator[_Way]:
        """Yield other patterns that agree further in parts of the corpus."""
        if not self.merges.alphabet:
            yield from (replace(way, pattern=name) for name in self._promising)

    @cached_property
    def _promising(self) -> list[str]:
        """Return the patterns that agree further for the best way."""
        way = self._furthest()
        own = self._replayed(way, sampled=True).agreed
        further = []
        for name in self.patterns:
            changed = replace(way, pattern=name)
            if self._replayed(changed, sampled=True).agreed > own:
                further.append(name)
            else:
                why = f"{own:,} merges or fewer in parts of the corpus"
                self._tried[changed] = Attempt(changed.words, 0, None, not_tried=why)
        return further


def _rules(way: _Way) -> Iterator[_Way]:
    """Yield a way under each tie rule, its own first."""
    yield way
    for rule in RULES:
        for order in byte_orders() if rule == "lowest_id" else ("raw",):
            yield replace(way, rule=rule, order=order)


def _scripts(way: _Way) -> Iterator[_Way]:
    """Yield SentencePiece's other settings of digits and scripts; elsewhere steps decide."""
    if way.rule == "shortest":
        yield from (replace(way, digits=digits) for digits in (DIGITS_APART, ANY_SCRIPT))


class _NotCut(Exception):
    """Raised for a text that is too long to split into pre-tokens."""


def _doubt(first: FirstOther | None) -> str:
    """Explain what suggests another text at once; the whole corpus may disagree."""
    if first is None or not first.learned or first.in_parts < PARTS:
        return ""
    given, learned = (" + ".join(map(_shown, each)) for each in (first.given, first.learned))
    parts = f"in each of {PARTS} parts"
    return f"probably another text, where {learned} is more frequent than {given} {parts}"


def _shown(value: Value) -> str:
    return repr(value.decode(errors="backslashreplace") if isinstance(value, bytes) else value)


def _texts(part: _Part, special: Sequence[str], reading: str) -> Iterator[str]:
    """Yield the documents of a part, whole or by line; raise `_NotCut` if impossible."""
    for document in documents(part.text(), special):
        texts = [document] if reading == WHOLE else LINE.findall(document)
        texts = [text.rstrip("\r\n") for text in texts] if reading == BARE else texts
        for text in texts:
            yield from _in_parts(text, part.file) if len(text) > CUT_AT else (text,)


def _in_parts(text: str, file: Path) -> Iterator[str]:
    """Split a long document after line ends between non-space characters."""
    start = 0
    while len(text) - start > CUT_AT:
        found = LINE_END.search(text, start + CUT_AT)
        end = found.end() if found else len(text)
        if end - start > LARGEST_DOCUMENT:
            raise _NotCut(
                f"{file} has a document of {len(text):,} characters, of which {end - start:,} have "
                f"no line end to cut at; at most {LARGEST_DOCUMENT:,} are taken at once"
            )
        yield text[start:end]
        start = end
    if start < len(text):
        yield text[start:]


def _published(spec: TokenizerSpec) -> tuple[str, ...]:
    """Return the patterns of a folder's steps, if published and nothing else is done.

    Only such patterns are run outside of a worker.
    """
    effects = [step.effects for step in spec.pre_tokenizer.steps]
    if spec.normalizer.steps or any(each.writes_bytes for each in effects[:-1]):
        return ()
    if any(each.splits is None for each in effects):
        return ()
    cuts = [cut for each in effects for cut in each.splits or ()]
    plain = ("Isolated", False, False, False, True)
    for cut in cuts:
        if (cut.behavior, cut.invert, cut.rust, cut.python, cut.pattern.is_regex) != plain:
            return ()
    texts = tuple(cut.pattern.text for cut in cuts)
    return texts if texts in PATTERNS.values() else ()


def _by_patterns(texts: Iterator[str], patterns: Sequence[str]) -> Iterator[str]:
    """Yield the pre-tokens by patterns, each splitting the pieces of the one before."""
    cut = cutter(patterns)
    for text in texts:
        yield from cut(text)
