"""The tokenizer as its class rebuilds it, if it differs from tokenizer.json."""

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
from tokaudit.subject.effective.class_choice import KEY, MODEL, class_choice
from tokaudit.subject.effective.handed_settings import stated_to_five
from tokaudit.subject.effective.settings_object import settings_object
from tokaudit.subject.upstream.pipeline import family, in_five
from tokaudit.subject.upstream.tokenizer_class import AS_FILE, class_named
from tokaudit.subject.upstream.versions import FIVE
from tokaudit_reference.spec import Component, Standing, TokenizerSpec

WHOLE_FILE, NAMED = "tokenizer.json", f"/{KEY}"
STAGES = ("normalizer", "pre_tokenizer")


@dataclass(frozen=True)
class Rebuilt:
    """The class, its source, and the spec with the components that it builds.

    `certain` is whether the kind of the model is known, which may have the file loaded as it is.
    """

    name: str
    fact: Fact
    spec: TokenizerSpec
    certain: bool


@dataclass(frozen=True)
class RebuiltReference:
    """A reference that runs the rebuilt tokenizer in a worker."""

    tokenizer: Tokenizer


@need
def rebuilt(subject: Subject, spec: TokenizerSpec) -> Rebuilt:
    """Return the class's tokenizer; not applicable if the file is loaded unchanged."""
    if spec.format != WHOLE_FILE:
        raise NotApplicable("there is no tokenizer.json that a class could contradict")
    fact = class_that_builds(subject)
    known = None if fact is None else class_named(str(fact.value))
    if fact is None or known is None or not known.pipelines.in_five:
        raise NotApplicable("no class is named that builds its own pipeline")
    if known.pipelines.leaves_bytes and spec.byte_level:
        raise NotApplicable("a vocabulary of bytes of this class is loaded as it is")
    found = family(known.pipelines.in_five)
    stages = in_five(found, known, stated_to_five(subject, known))
    maps = [s.to_json() for s in spec.normalizer.steps if s.effects.by_charsmap]
    normalizer = next(iter(maps), None) if found.keeps_charsmap else stages.normalizer
    made = replace(
        spec,
        normalizer=Component(normalizer, Standing.IMPLIED, known.name),
        pre_tokenizer=Component(stages.pre_tokenizer, Standing.IMPLIED, known.name),
    )
    if all(acting_steps(made, stage) == acting_steps(spec, stage) for stage in STAGES):
        raise NotApplicable(f"{known.name} builds what tokenizer.json states")
    return Rebuilt(
        known.name, fact, made, settings_object(subject, MODEL).get("model_type") is not None
    )


def class_that_builds(subject: Subject) -> Fact | None:
    """Return the statement that selects version 5's class, even one ignored for bytes."""
    choice = class_choice(subject, FIVE)
    if choice is None or (choice.name == AS_FILE and not choice.passes_over):
        return None
    stated = choice.value if choice.pointer == NAMED else choice.name
    return Fact("tokenizer_class", stated, choice.file, choice.pointer)


@dataclass(frozen=True)
class RebuiltRuns:
    """The rebuilt tokenizer, references for it and the file, and the texts for both."""

    rebuilt: Rebuilt
    built: RebuiltReference
    file: Reference
    samples: Samples
    probes: Probes


@need
def rebuilt_runs(
    rebuilt: Rebuilt, built: RebuiltReference, file: Reference, samples: Samples, probes: Probes
) -> RebuiltRuns:
    """Collect the runs; not applicable if the class builds the file's own tokenizer."""
    return RebuiltRuns(rebuilt, built, file, samples, probes)


@need_from_worker
def rebuilt_reference(rebuilt: Rebuilt, workers: Workers) -> RebuiltReference:
    """Start a worker that runs the vocabulary with the class's components."""
    try:
        return RebuiltReference(workers.open("rebuilt", reference_request(rebuilt.spec)))
    except (UpstreamRefused, WorkerCrashed) as error:
        raise Skip(f"the reference does not run {rebuilt.name}: {error}") from error
