"""The tokenizer as its class builds it, where that is another one than tokenizer.json states."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tokaudit.engine.canonical_steps import acting_steps
from tokaudit.plugin import (
    Fact,
    NotApplicable,
    Probes,
    Reference,
    Samples,
    Skip,
    Subject,
    Tokenizer,
    Workers,
    need,
    need_from_worker,
    reference_request,
)
from tokaudit.runtimes.worker.client import UpstreamRefused, WorkerCrashed
from tokaudit.subject.formats.common.implied import stated_in
from tokaudit.subject.formats.common.settings import setting
from tokaudit.subject.upstream.model_type import known_type
from tokaudit.subject.upstream.own_code import KEY as CODE
from tokaudit.subject.upstream.pipeline import family, in_five
from tokaudit.subject.upstream.tokenizer_class import class_named
from tokaudit_reference.spec import Component, Standing, TokenizerSpec

WHOLE_FILE = "tokenizer.json"
STAGES = ("normalizer", "pre_tokenizer")


@dataclass(frozen=True)
class Rebuilt:
    """The class, who names it, and the spec with the components that the class builds.

    `certain` is whether the kind of the model is known, which may have the file loaded as it is.
    """

    name: str
    fact: Fact
    spec: TokenizerSpec
    certain: bool


@dataclass(frozen=True)
class RebuiltReference:
    """The reference that runs the rebuilt tokenizer, in a worker."""

    tokenizer: Tokenizer


@need
def rebuilt(subject: Subject, spec: TokenizerSpec) -> Rebuilt:
    """What the class builds; not applicable where the file is loaded as it is."""
    if spec.format != WHOLE_FILE:
        raise NotApplicable("there is no tokenizer.json that a class could contradict")
    fact = class_that_builds(subject)
    known = None if fact is None else class_named(str(fact.value))
    if fact is None or known is None or not known.pipelines.in_five:
        raise NotApplicable("no class is named that builds its own pipeline")
    if known.pipelines.leaves_bytes and spec.byte_level:
        raise NotApplicable("a vocabulary of bytes of this class is loaded as it is")
    found = family(known.pipelines.in_five)
    stages = in_five(found, known, stated_in(subject))
    maps = [s.to_json() for s in spec.normalizer.steps if s.effects.by_charsmap]
    normalizer = next(iter(maps), None) if found.keeps_charsmap else stages.normalizer
    made = replace(
        spec,
        normalizer=Component(normalizer, Standing.IMPLIED, known.name),
        pre_tokenizer=Component(stages.pre_tokenizer, Standing.IMPLIED, known.name),
    )
    if all(acting_steps(made, stage) == acting_steps(spec, stage) for stage in STAGES):
        raise NotApplicable(f"{known.name} builds what tokenizer.json states")
    return Rebuilt(known.name, fact, made, _model(subject) is not None)


def class_that_builds(subject: Subject) -> Fact | None:
    """Who decides the class: the name in the files, or the kind of the model."""
    if any(isinstance(f.value, list) or CODE in f.value for f in subject.facts_named("auto_map")):
        return None  # code of the checkpoint, which files/remote-code says
    named, model = setting(subject, "tokenizer_class"), _model(subject)
    known = None if model is None else known_type(str(model.value))
    if model is None or known is None:
        return named
    if known.as_the_file_is:
        return None
    own = known.tokenizers[1]
    if own and (named is None or known.decides_class):
        return replace(model, value=own)
    return named


def _model(subject: Subject) -> Fact | None:
    """The kind of the whole model, not of a part of it."""
    facts = subject.facts_named("model_type")
    return next((fact for fact in facts if fact.pointer == "/model_type"), None)


@dataclass(frozen=True)
class RebuiltRuns:
    """The rebuilt tokenizer, its reference and the file's, and the texts that both are given."""

    rebuilt: Rebuilt
    built: RebuiltReference
    file: Reference
    samples: Samples
    probes: Probes


@need
def rebuilt_runs(
    rebuilt: Rebuilt, built: RebuiltReference, file: Reference, samples: Samples, probes: Probes
) -> RebuiltRuns:
    """All of it; not applicable where the class builds what the file states."""
    return RebuiltRuns(rebuilt, built, file, samples, probes)


@need_from_worker
def rebuilt_reference(rebuilt: Rebuilt, workers: Workers) -> RebuiltReference:
    """A worker that runs the vocabulary through the components of the class."""
    try:
        return RebuiltReference(workers.open("rebuilt", reference_request(rebuilt.spec)))
    except (UpstreamRefused, WorkerCrashed) as error:
        raise Skip(f"the reference does not run {rebuilt.name}: {error}") from error
