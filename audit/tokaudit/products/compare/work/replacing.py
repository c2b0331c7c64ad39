"""Find which of several tokenizers is better, by one run each over the same documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby, islice
from pathlib import Path
from statistics import median

from tokaudit.engine.corpus.documents import documents, files_in
from tokaudit.engine.evidence import TokenRow
from tokaudit.engine.measure import interval
from tokaudit.engine.needs import Stopwatch
from tokaudit.engine.samples import Samples
from tokaudit.products.compare.replacing.counts import DocumentTokens, Sizes, Texts, TokenizerCounts
from tokaudit.products.compare.replacing.figures import DEFINITIONS, Documents, figures_of, parity
from tokaudit.products.compare.replacing.kinds import entry_kinds
from tokaudit.products.compare.replacing.shifts import Shift, habits, shifts, shown, worst
from tokaudit.products.compare.replacing.vocabulary import model_rows, vocabulary_use
from tokaudit.products.compare.work.counting import (
    BUILT_IN,
    CORPUS,
    OnBatch,
    Reading,
    counted,
    readings_of,
    runner,
    sizes_of,
    who,
)
from tokaudit.products.compare.work.prepared import Compared
from tokaudit.report.comparison import Rate
from tokaudit.report.replacement import PairedFigure, Replacement, ShiftedDocument
from tokaudit.runtimes.worker.client import WorkerTokenizer

SCRIPT = "script"
LANGUAGE = "language"
ROUNDS = 5  # of encoding the texts that are timed
SHARE = 3  # of which texts are timed: one of so many


@dataclass(frozen=True)
class FigureRequest:
    """Requested figures: the files, and the sizes of a model."""

    files: tuple[Path, ...] = ()
    width: int = 4096
    context: int = 8192
    language: str = "eng_Latn"  # that parity is against
    seed: int = 0
    yardstick: Stopwatch | None = None  # that times are measured against


@dataclass(frozen=True)
class Contestant:
    """A tokenizer, its encoder, and its counts on the documents."""

    compared: Compared
    encoder: WorkerTokenizer
    counted: TokenizerCounts

    def row(self, ids: Sequence[int]) -> TokenRow:
        """Return the tokens of a text, named by its own vocabulary."""
        return TokenRow(self.compared.side.name, ids, self.compared.side.names)


def replacements(
    sides: Sequence[Compared], samples: Samples, wanted: FigureRequest, on_batch: OnBatch
) -> list[Replacement]:
    """Compare the first tokenizer with each other one, by figures over the same documents."""
    readings = readings_of(wanted.files, samples)
    sizes = sizes_of(readings)
    with ExitStack() as open_workers:
        contestants = []
        for side in sides:
            encoder = open_workers.enter_context(runner(side))
            contestants.append(
                Contestant(side, encoder, counted(side, encoder, readings, on_batch))
            )
        timed = [each.encoder if each.compared.upstream else None for each in contestants]
        times = times_over(wanted.yardstick, timed, samples)
        first, *others = contestants
        return [
            replace(_replacement(first, other, readings, sizes, wanted), times=(times[0], time))
            for other, time in zip(others, times[1:], strict=True)
        ]


def _replacement(
    left: Contestant,
    right: Contestant,
    readings: Sequence[Reading],
    sizes: Mapping[str, Sizes],
    wanted: FigureRequest,
) -> Replacement:
    all_documents = [
        Documents(each.texts, sizes[key], *(side.counted.by_texts[key] for side in (left, right)))
        for each in readings
        for key in [each.texts.key]
    ]
    sides = left.compared.side, right.compared.side
    fewer, more = _shifted(left, right, readings)
    first, second = (
        vocabulary_use(len(side.values), each.counted.used)
        for side, each in zip(sides, (left, right), strict=True)
    )
    return Replacement(
        left=sides[0].name,
        right=sides[1].name,
        run_by=" and ".join(dict.fromkeys(who(each.encoder) for each in (left, right))),
        corpus=tuple(str(path) for path in wanted.files) or (BUILT_IN.name,),
        built_in=not wanted.files,
        context=wanted.context,
        definitions=DEFINITIONS,
        figures=tuple(_figures(all_documents, wanted)),
        uses=(first, second),
        kinds=(entry_kinds(sides[0].spec), entry_kinds(sides[1].spec)),
        rows=model_rows(*sides, wanted.width),
        fewer=fewer,
        more=more,
        habits=tuple(habits(partial(_rows, left, right))),
    )


def _figures(found: Sequence[Documents], wanted: FigureRequest) -> Iterator[PairedFigure]:
    bounds = partial(interval, seed=wanted.seed)
    chosen = next((each for each in found if each.texts.key == wanted.language), None)
    for each in found:
        yield from figures_of(each, wanted.context, bounds)
        if chosen is not None and each.texts.kind == LANGUAGE:
            against = parity(each, chosen, bounds)
            if against is not None:
                yield against
    languages = [each for each in found if each.texts.kind == LANGUAGE]
    for each in by_script(languages):
        yield from figures_of(each, wanted.context, bounds)


def _shifted(
    left: Contestant, right: Contestant, readings: Sequence[Reading]
) -> tuple[tuple[ShiftedDocument, ...], tuple[ShiftedDocument, ...]]:
    """Return the corpus documents that shift most, in both directions, over all files."""
    by_key = {each.texts.key: each for each in readings if each.texts.kind == CORPUS}
    found = [shifts(key, left.counted.by_texts[key], right.counted.by_texts[key]) for key in by_key]
    chosen = [
        worst([each for pair in found for each in pair[at]], sign) for at, sign in ((0, 1), (1, -1))
    ]
    rows = partial(_rows, left, right)
    fewer, more = (
        tuple(
            made
            for shift in part
            if (made := shown(*_located(by_key[shift.file], shift), rows)) is not None
        )
        for part in chosen
    )
    return fewer, more


def _located(reading: Reading, shift: Shift) -> tuple[Shift, str]:
    """Read a shifted document again, with its own file if the texts are a folder."""
    number = shift.number
    for file in files_in(Path(shift.file)) if reading.texts is not BUILT_IN else ():
        for at, text in enumerate(documents(file), start=1):
            if at == number:
                return replace(shift, file=str(file), number=at), text
        number -= at
    return shift, next(islice(reading.read(), shift.number - 1, None), "")


def _rows(
    left: Contestant, right: Contestant, texts: Sequence[str]
) -> Iterator[tuple[TokenRow, TokenRow] | None]:
    both = zip(left.encoder.encode(texts), right.encoder.encode(texts), strict=True)
    for one, other in both:
        refused = one.error is not None or other.error is not None
        yield None if refused else (left.row(one.ids), right.row(other.ids))


def script_of(language: str) -> str:
    """Return the script in a language key.

    >>> script_of("deu_Latn")
    'Latn'
    """
    return language.rpartition("_")[2]


def by_script(found: Sequence[Documents]) -> Iterator[Documents]:
    """Group documents of languages by script, in the order of script codes."""
    ordered = sorted(found, key=lambda each: script_of(each.texts.key))
    for code, group in groupby(ordered, key=lambda each: script_of(each.texts.key)):
        yield _together(code, list(group))


def _together(code: str, found: Sequence[Documents]) -> Documents:
    many = f"{len(found)} languages" if found[1:] else found[0].texts.name
    spaced = all(each.texts.spaced for each in found)
    sizes = Sizes()
    sides = DocumentTokens(), DocumentTokens()
    for each in found:
        sizes.bytes.extend(each.sizes.bytes)
        sizes.words.extend(each.sizes.words)
        for side, more in zip(sides, (each.left, each.right), strict=True):
            side.tokens.extend(more.tokens)
            side.parts.extend(more.parts)
            side.lost += more.lost
            side.characters += more.characters
    return Documents(Texts(SCRIPT, code, f"{code} ({many})", spaced), sizes, *sides)


def times_over(
    yardstick: Stopwatch | None, tokenizers: Sequence[Stopwatch | None], samples: Samples
) -> list[Rate | None]:
    """Return the median, least and greatest time ratio of alternating rounds, for each.

    It is processor time on one thread, inside the workers.  None where there is nothing to time:
    without the yardstick, or where no library runs a tokenizer.
    """
    if yardstick is None:
        return [None for _ in tokenizers]
    texts = [text for sample in samples.all for text in sample.sentences[::SHARE]]
    rounds = [_round(yardstick, tokenizers, texts) for _ in range(ROUNDS + 1)][1:]
    return [_middle([each[at] for each in rounds]) for at in range(len(tokenizers))]


def _round(
    yardstick: Stopwatch, tokenizers: Sequence[Stopwatch | None], texts: Sequence[str]
) -> list[float | None]:
    whole = yardstick.timed_encode(texts, 1)[0]
    times = [None if each is None else each.timed_encode(texts, 1)[0] for each in tokenizers]
    return [None if time is None or not whole else time / whole for time in times]


def _middle(ratios: Sequence[float | None]) -> Rate | None:
    known = [ratio for ratio in ratios if ratio is not None]
    return Rate(median(known), (min(known), max(known))) if len(known) == ROUNDS else None
