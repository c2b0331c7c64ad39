"""The library and the reference, each in a worker, and their encodings of the probes."""

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
    """Return the upstream library, if it loads the file."""
    if load.tokenizer is None:
        raise Skip(f"{load.adapter} does not load this file: {load.error}")
    return Upstream(load.tokenizer)


@need
def costly(spec: TokenizerSpec, workers: Workers) -> Costly:
    """Build a finder of the costly component, used only if something hangs."""
    return Costly(spec, workers.limits)


@need
def timed_upstream(upstream: Upstream, workers: Workers) -> TimedUpstream:
    """Return the upstream library's own worker, for timing."""
    return TimedUpstream(workers.opened["upstream"])


@need_from_worker
def reference(workers: Workers, spec: TokenizerSpec) -> Reference:
    """Start the reference implementation, if it supports the file."""
    try:
        return Reference(workers.open("reference", reference_request(spec)))
    except (UpstreamRefused, WorkerCrashed) as error:
        why = str(error).removeprefix("Unsupported: ")
        raise Skip(f"tokaudit's reference encoder cannot run this file: {why}") from error


@need
def traces(reference: Reference, workers: Workers) -> Traces:
    """Trace the stages of texts in the reference's own worker."""
    return Traces(workers.opened["reference"])


@without_files
@need
def drawn_texts(spec: TokenizerSpec, options: Options) -> DrawnTexts:
    """Draw texts by tier and seed."""
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
    """Return texts without code points on which the library's Unicode tables differ."""
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
    """Encode the long runs with the upstream library."""
    return UpstreamRuns.of(upstream, [run.text for run in LONG_RUNS])


@without_files
@need_from_worker
def upstream_answers(upstream: Upstream, probes: Probes, runs: UpstreamRuns) -> UpstreamAnswers:
    """Encode the probe texts with the upstream library, after the long runs."""
    return UpstreamAnswers.of(upstream, probes.texts)


@without_files
@need_from_worker
def reference_answers(reference: Reference, probes: Probes) -> ReferenceAnswers:
    """Encode the probe texts with the reference."""
    return ReferenceAnswers.of(reference, probes.texts)


@without_files
@need_from_worker
def upstream_entries(
    upstream: Upstream, workers: Workers, probes: Probes, answers: UpstreamAnswers
) -> UpstreamEntries:
    """Encode the texts of other entries with the upstream library."""
    return UpstreamEntries(probes.entries, _within_its_share(workers, "upstream", probes.entries))


@without_files
@need_from_worker
def reference_entries(
    reference: Reference, workers: Workers, probes: Probes, answers: ReferenceAnswers
) -> ReferenceEntries:
    """Encode the texts of other entries with the reference."""
    return ReferenceEntries(probes.entries, _within_its_share(workers, "reference", probes.entries))


def _within_its_share(workers: Workers, role: str, texts: Sequence[str]) -> tuple[Encoding, ...]:
    """Encode the texts until a slow encoder would leave no time for other checks."""
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
    """Encode the frozen probes with the upstream library."""
    return UpstreamBehaviour.of(upstream, frozen_probes())


@without_files
@need_from_worker
def reference_behaviour(reference: Reference) -> ReferenceBehaviour:
    """Encode the frozen probes with the reference."""
    return ReferenceBehaviour.of(reference, frozen_probes())
