"""Compare one runtime with the reference of the file that it loads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tokaudit.engine.corpus.comparing import CorpusSide, compare_corpus
from tokaudit.engine.samples import Sample
from tokaudit.engine.sides.side import Side
from tokaudit.engine.workers import Workers
from tokaudit.foundation.deadline import Deadline
from tokaudit.foundation.errors import OutOfTime, Skip, UpstreamTrouble, UsageError
from tokaudit.products.engines.covering.texts import VERSIONS, covering_texts
from tokaudit.products.engines.referee.facets import facets_of, relation_of
from tokaudit.products.engines.referee.laws import LawBroken, Ruling
from tokaudit.products.engines.referee.long_texts import for_threads, long_texts
from tokaudit.products.engines.referee.match import Match
from tokaudit.products.engines.referee.referee import Rulings, RuntimeTexts, referee
from tokaudit.products.engines.referee.templates import rendered_alike
from tokaudit.products.engines.referee.unicode_version import UnicodeSeen, unicode_of
from tokaudit.products.engines.runtime_speed import speed_of
from tokaudit.report.comparison import Comparison, CorpusSlice, Facet, Outcome, Relation
from tokaudit.report.recorded import RuntimeRecord, RuntimeSpeed, RuntimeState
from tokaudit.runtimes.named_runtimes import NamedRuntime, RuntimeRequest, runtime_request
from tokaudit.runtimes.request import CODE_PREFIXES
from tokaudit.runtimes.subject_requests import reference_request, upstream_request
from tokaudit.runtimes.worker.client import UpstreamRefused, WorkerTokenizer
from tokaudit.subject.material import Subject
from tokaudit.subject.representations import Representations

MOST_OF_A_KIND = {"quick": 1_000, "default": 4_000, "full": 1_000_000}
THREADS = 4
LOAD = "load"
LATE = "no answer within"
OnRuntime = Callable[[str, int, int], None]  # its name, how many are done, and of how many


@dataclass(frozen=True)
class Refereeing:
    """Common input of all runtimes: the subject, real text, and amount of testing."""

    subject: Subject
    found: Representations
    workers: Workers
    tier: str
    samples: Sequence[Sample] = ()
    corpus: Sequence[Path] = ()


def all_refereed(
    asked: Refereeing, named: Sequence[NamedRuntime], on_runtime: OnRuntime = lambda *_: None
) -> Iterator[Comparison]:
    """Yield a comparison with each runtime, in equal shares of the time.

    What one does not use is for those that follow.
    """
    limits = asked.workers.limits
    for at, each in enumerate(named):
        on_runtime(each.name, at, len(named))
        part = Deadline(max(0.0, limits.deadline.left) / (len(named) - at))
        turn = Workers(replace(limits, deadline=part), opened=asked.workers.opened)
        try:
            yield refereed(replace(asked, workers=turn), each)
        finally:
            turn.close()


def refereed(asked: Refereeing, runtime: NamedRuntime) -> Comparison:
    """Compare with one runtime, recording a refusal, crash or hang."""
    try:
        wanted = runtime_request(asked.subject, asked.found, runtime)
    except Skip as absent:
        return _unrun(asked, runtime, RuntimeState.ABSENT, str(absent))
    try:
        return _compared(asked, runtime, wanted)
    except OutOfTime as late:
        part = " in its part of the time, which --timeout sets" if type(late) is OutOfTime else ""
        why = f"the time ended{part}: {late}"
        return _unrun(asked, runtime, RuntimeState.UNFINISHED, why, wanted)
    except UpstreamTrouble as trouble:
        return _unrun(asked, runtime, _state(trouble), str(trouble), wanted)


def _state(trouble: UpstreamTrouble) -> RuntimeState:
    words = str(trouble)
    if isinstance(trouble, UpstreamRefused):
        absent = words.startswith(UsageError.__name__)
        return RuntimeState.ABSENT if absent else RuntimeState.REFUSES
    return RuntimeState.HANGS if LATE in words else RuntimeState.CRASHES


def _unrun(
    asked: Refereeing,
    runtime: NamedRuntime,
    state: RuntimeState,
    why: str,
    wanted: RuntimeRequest | None = None,
) -> Comparison:
    """Build the comparison of a runtime without results, with the reason."""
    file = wanted.representation.files[0] if wanted else ""
    why = " ".join(why.removeprefix(f"{UsageError.__name__}: ").split())
    record = RuntimeRecord(runtime.name, state, why=why, file=file)
    facet = Facet(LOAD, Outcome.UNKNOWN, f"{runtime.name} {state}: {why}")
    return Comparison(
        asked.subject.name, runtime.name, 0, 0, Relation.UNKNOWN, facets=(facet,), runtime=record
    )


def _compared(asked: Refereeing, runtime: NamedRuntime, wanted: RuntimeRequest) -> Comparison:
    """Run all comparisons with a runtime that loads the file."""
    spec, workers = wanted.spec, asked.workers
    several = replace(wanted.request, threads=THREADS)
    with (
        WorkerTokenizer(reference_request(spec), limits=workers.limits) as reference,
        WorkerTokenizer(wanted.request, limits=workers.limits) as encoder,
        WorkerTokenizer(several, limits=workers.limits) as threaded,
    ):
        workers.opened[runtime.name] = encoder
        match = Match(spec, reference, encoder)
        _ = match.label  # starts and loads, so that a refusal shows here
        together = _encodes_in_threads(runtime, encoder)
        covering = covering_texts(spec, MOST_OF_A_KIND[asked.tier])
        texts = RuntimeTexts(
            _without_excused(asked, wanted, match, covering),
            long_texts(spec, asked.tier),
            for_threads(spec),
        )
        found = referee(match, texts, threaded if together else None)
        threaded.close()
        if runtime.adapter in CODE_PREFIXES.values():
            ruling = rendered_alike(asked.subject, spec, encoder, match.label, workers)
            found = replace(found, rulings=(*found.rulings, ruling))
        confirmed = _confirmed(asked, wanted, match, found)
        side = Side(asked.subject.name, spec, asked.subject)
        slices, speed = _further(asked, match, encoder, reference)
        record = RuntimeRecord(
            runtime.name,
            _state_by(found, match),
            match.label,
            why=_why(found, match),
            file=wanted.representation.files[0],
            abilities=tuple(sorted(encoder.capabilities)),
            notes=encoder.info.notes,
            refused=len(found.refused),
            unicode=str(_unicode(match)),
            speed=speed,
        )
        return Comparison(
            asked.subject.name,
            match.label,
            found.texts,
            found.different,
            relation_of(found),
            left_file=side.file,
            run_by=("the reference", match.label),
            facets=facets_of(confirmed, side),
            corpus=slices,
            refused=found.refused[:5],
            runtime=record,
        )


def _encodes_in_threads(runtime: NamedRuntime, encoder: WorkerTokenizer) -> bool:
    """Return whether threads are meaningful; a user's own program says so itself."""
    own = runtime.adapter in CODE_PREFIXES.values()
    return ("threads" if own else "batch") in encoder.capabilities


def _further(
    asked: Refereeing, match: Match, encoder: WorkerTokenizer, reference: WorkerTokenizer
) -> tuple[tuple[CorpusSlice, ...], RuntimeSpeed | None]:
    """Compare real text and measure speed, as far as there is time."""
    if match.late:
        return (), None
    slices: tuple[CorpusSlice, ...] = ()
    try:
        slices = tuple(_real_text(asked, match))
        return slices, speed_of(asked.samples, encoder, reference) if asked.samples else None
    except OutOfTime as late:
        match.late = str(late)
        return slices, None


def _why(found: Rulings, match: Match) -> str:
    """Explain what is left open: all texts refused, or no time left."""
    if not match.late:
        return found.why_refused if not found.texts else ""
    left = f"{found.unasked:,} more were" if found.unasked else "some of its laws were"
    return f"the time ended after {found.texts:,} texts, {left} not tried: {match.late}"


def _unicode(match: Match) -> UnicodeSeen:
    try:
        return unicode_of(match)
    except (UpstreamTrouble, OutOfTime):
        return UnicodeSeen()


def _state_by(found: Rulings, match: Match) -> RuntimeState:
    """Return the state by the results; a runtime that encodes nothing has its own."""
    match relation_of(found):
        case Relation.DIFFERENT:
            return RuntimeState.DIFFERS
        case Relation.UNKNOWN if LATE in found.why_refused:
            return RuntimeState.HANGS
        case Relation.UNKNOWN if found.refused:
            return RuntimeState.CRASHES if found.ended else RuntimeState.REFUSES
    return RuntimeState.UNFINISHED if match.late else RuntimeState.AGREES


def _without_excused(
    asked: Refereeing, wanted: RuntimeRequest, match: Match, covering: Mapping[str, Sequence[str]]
) -> Mapping[str, Sequence[str]]:
    """Drop letters whose Unicode class differs in the file's own library."""
    try:
        request = upstream_request(asked.subject, wanted.representation, wanted.spec)
        with WorkerTokenizer(request, limits=asked.workers.limits) as library:
            texts = covering[VERSIONS]
            both = zip(library.encode(texts), match.of(texts), strict=True)
            same = [one.ids == other.ids for one, (other, _) in both]
    except (Skip, UpstreamTrouble):
        return covering
    return {**covering, VERSIONS: [text for text, yes in zip(texts, same, strict=True) if yes]}


def _confirmed(asked: Refereeing, wanted: RuntimeRequest, match: Match, found: Rulings) -> Rulings:
    """Add the result of the file's own library to each minimal text."""
    try:
        request = upstream_request(asked.subject, wanted.representation, wanted.spec)
    except Skip:
        return found
    if request.adapter == wanted.request.adapter:
        return found
    with WorkerTokenizer(request, limits=asked.workers.limits) as library:
        try:
            rulings = tuple(_with_word(each, library, match) for each in found.rulings)
        except (UpstreamTrouble, OutOfTime):
            return found
    return replace(found, rulings=rulings)


def _with_word(ruling: Ruling, library: WorkerTokenizer, match: Match) -> Ruling:
    """Note whether the library agrees with the file on the text."""
    if not isinstance(ruling, LawBroken) or ruling.evidence.note or ruling.evidence.text is None:
        return ruling
    ids = library.encode([ruling.evidence.text])[0].ids
    who = f"{library.info.package} {library.info.version}"
    same = ids == match.expected(ruling.evidence.text)
    note = f"{who} gives {'the tokens of the file' if same else 'other tokens than the file'}"
    return replace(ruling, evidence=replace(ruling.evidence, note=note))


def _real_text(asked: Refereeing, match: Match) -> Iterator[CorpusSlice]:
    """Yield how much real text gets other ids: samples by language, and documents."""
    every = [_of_sample(sample, match) for sample in asked.samples]
    if every:
        yield _together(every)
    yield from (each for each in every if each.different or each.failed)
    left = CorpusSide("by the file", match.reference, match.names)  # type: ignore[arg-type]
    right = CorpusSide(match.label, match.runtime, match.names)  # type: ignore[arg-type]
    for path in asked.corpus:
        yield compare_corpus(path, left, right, match.label)


def _of_sample(sample: Sample, match: Match) -> CorpusSlice:
    both = match.of(sample.sentences)
    encoded = [(one, other) for one, other in both if one.error is None and other.error is None]
    return CorpusSlice(
        sample.name,
        len(both),
        sum(one.ids != other.ids for one, other in encoded),
        len(both) - len(encoded),
        sum(map(len, sample.sentences)),
        sum(len(one.ids) for one, _ in encoded),
        sum(len(other.ids) for _, other in encoded),
        match.label,
    )


def _together(slices: Sequence[CorpusSlice]) -> CorpusSlice:
    """Add up all languages, with the differing ones as details."""
    counts = ("documents", "different", "failed", "characters", "left_tokens", "right_tokens")
    total = {name: sum(getattr(each, name) for each in slices) for name in counts}
    return CorpusSlice(f"{len(slices)} languages, built in", run_by=slices[0].run_by, **total)
