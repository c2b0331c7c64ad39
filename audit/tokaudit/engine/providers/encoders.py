"""The library and the reference, each in a worker, and what they answer to the probes."""

from __future__ import annotations

from collections.abc import Sequence

from tokaudit.engine.encoders.isolate_crash import Costly
from tokaudit.engine.encoders.long_runs import LONG_RUNS, UpstreamRuns
from tokaudit.engine.needs import (
    DrawnTexts,
    Options,
    Probes,
    Reference,
    ReferenceAnswers,
    ReferenceBehaviour,
    ReferenceEntries,
    TimedUpstream,
    Traces,
    Upstream,
    UpstreamAnswers,
    UpstreamBehaviour,
    UpstreamEntries,
    UpstreamLoad,
)
from tokaudit.engine.resolver import need, need_from_worker, without_files
from tokaudit.engine.texts.probes import draw, entry_texts, frozen_probes
from tokaudit.engine.workers import Workers
from tokaudit.foundation.errors import Skip, UpstreamTrouble
from tokaudit.runtimes.protocol import Encoding
from tokaudit.runtimes.subject_requests import reference_request, upstream_request
from tokaudit.runtimes.unicode_tables import excuses
from tokaudit.runtimes.worker.client import UpstreamRefused, WorkerCrashed
from tokaudit.subject.material import Subject
from tokaudit.subject.representations import Representation
from tokaudit_reference.spec import TokenizerSpec

ENTRIES_SHARE = 0.25  # of the processor time that an encoder has for all questions
ENTRIES_AT_ONCE = 4096


@need_from_worker
def upstream_load(
    workers: Workers, subject: Subject, representation: Representation, spec: TokenizerSpec
) -> UpstreamLoad:
    """Load the first representation with the upstream library."""
    request = upstream_request(subject, representation, spec)
    try:
        return UpstreamLoad(request.adapter, workers.open("upstream", request))
    except UpstreamRefused as error:
        return UpstreamLoad(request.adapter, None, str(error))
    except WorkerCrashed as error:
        return UpstreamLoad(request.adapter, None, str(error), crashed=True)


@need
def upstream(load: UpstreamLoad) -> Upstream:
    """The upstream library, where it loads the file."""
    if load.tokenizer is None:
        raise Skip(f"{load.adapter} does not load this file: {load.error}")
    return Upstream(load.tokenizer)


@need
def costly(spec: TokenizerSpec, workers: Workers) -> Costly:
    """The way to find which component costs the time, asked only where something hangs."""
    return Costly(spec, workers.limits)


@need
def timed_upstream(upstream: Upstream, workers: Workers) -> TimedUpstream:
    """The worker of the upstream library itself."""
    return TimedUpstream(workers.opened["upstream"])


@need_from_worker
def reference(workers: Workers, spec: TokenizerSpec) -> Reference:
    """The reference implementation, where it runs the file."""
    try:
        return Reference(workers.open("reference", reference_request(spec)))
    except (UpstreamRefused, WorkerCrashed) as error:
        why = str(error).removeprefix("Unsupported: ")
        raise Skip(f"tokaudit's reference encoder cannot run this file: {why}") from error


@need
def traces(reference: Reference, workers: Workers) -> Traces:
    """The stages of texts, by the worker of the reference itself."""
    return Traces(workers.opened["reference"])


@without_files
@need
def drawn_texts(spec: TokenizerSpec, options: Options) -> DrawnTexts:
    """The texts to ask about, by tier and seed."""
    drawn = draw(spec, options.tier, options.seed)
    return DrawnTexts(drawn, entry_texts(spec, options.tier, drawn.texts))


@without_files
@need
def probes(
    spec: TokenizerSpec,
    options: Options,
    drawn: DrawnTexts,
    workers: Workers,
    upstream: Upstream | None,
) -> Probes:
    """Texts without the code points on which the library's Unicode tables differ from ours."""
    left_out = _classed_otherwise(spec, workers, drawn.characters) if upstream else frozenset()
    texts = tuple(text for text in drawn.probes.texts if left_out.isdisjoint(text))
    others = tuple(text for text in drawn.entries.texts if left_out.isdisjoint(text))
    method = f"tier {options.tier}, seed {options.seed}, {len(texts):,} texts"
    if drawn.too_long:
        method += f", {drawn.too_long:,} too long ones left out"
    if left_out:
        method += f", {len(left_out):,} characters left out: measured now, tables of Unicode differ"
    return Probes(texts, method, others)


def _classed_otherwise(spec: TokenizerSpec, workers: Workers, characters: str) -> frozenset[str]:
    try:
        return excuses(spec, workers.opened["upstream"], characters).all
    except (Skip, UpstreamTrouble):
        return frozenset()


@without_files
@need_from_worker
def upstream_runs(upstream: Upstream) -> UpstreamRuns:
    """The long runs as the upstream library encodes them."""
    return UpstreamRuns.of(upstream, [run.text for run in LONG_RUNS])


@without_files
@need_from_worker
def upstream_answers(upstream: Upstream, probes: Probes, runs: UpstreamRuns) -> UpstreamAnswers:
    """The probe texts as the upstream library encodes them, when it has been asked the runs."""
    return UpstreamAnswers.of(upstream, probes.texts)


@without_files
@need_from_worker
def reference_answers(reference: Reference, probes: Probes) -> ReferenceAnswers:
    """The probe texts as the reference encodes them."""
    return ReferenceAnswers.of(reference, probes.texts)


@without_files
@need_from_worker
def upstream_entries(
    upstream: Upstream, workers: Workers, probes: Probes, answers: UpstreamAnswers
) -> UpstreamEntries:
    """The texts of the other entries as the upstream library encodes them."""
    return UpstreamEntries(probes.entries, _within_its_share(workers, "upstream", probes.entries))


@without_files
@need_from_worker
def reference_entries(
    reference: Reference, workers: Workers, probes: Probes, answers: ReferenceAnswers
) -> ReferenceEntries:
    """The texts of the other entries as the reference encodes them."""
    return ReferenceEntries(probes.entries, _within_its_share(workers, "reference", probes.entries))


def _within_its_share(workers: Workers, role: str, texts: Sequence[str]) -> tuple[Encoding, ...]:
    """Answers to the texts, up to where a slow encoder would have no time left for other checks."""
    encoder, found = workers.opened[role], list[Encoding]()
    most = encoder.stats.upstream_seconds + workers.limits.encoder * ENTRIES_SHARE
    for start in range(0, len(texts), ENTRIES_AT_ONCE):
        if encoder.stats.upstream_seconds > most:
            break
        try:
            found += encoder.encode(texts[start : start + ENTRIES_AT_ONCE])
        except UpstreamTrouble:
            break
    return tuple(found)


@without_files
@need_from_worker
def upstream_behaviour(upstream: Upstream) -> UpstreamBehaviour:
    """The frozen probes as the upstream library encodes them."""
    return UpstreamBehaviour.of(upstream, frozen_probes())


@without_files
@need_from_worker
def reference_behaviour(reference: Reference) -> ReferenceBehaviour:
    """The frozen probes as the reference encodes them."""
    return ReferenceBehaviour.of(reference, frozen_probes())
