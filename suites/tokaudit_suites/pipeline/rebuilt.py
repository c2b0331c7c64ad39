"""The tokenizer as its class builds it, where that is another one than tokenizer.json states."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tokaudit.comparison.acting import acting_steps
from tokaudit.engine.resolver import need, need_from_worker
from tokaudit.engine.workers import Workers
from tokaudit.foundation.errors import NotApplicable, Skip
from tokaudit.runtimes.protocol import Tokenizer
from tokaudit.runtimes.subject_requests import reference_request
from tokaudit.runtimes.worker.client import UpstreamRefused, WorkerCrashed
from tokaudit.subject.formats.common.settings import setting
from tokaudit.subject.material import Fact, Subject
from tokaudit.subject.upstream.model_type import known_type
from tokaudit_reference.spec import Component, Standing, TokenizerSpec
from tokaudit_suites.pipeline.class_pipelines import PIPELINES

WHOLE_FILE = "tokenizer.json"
MARKED = "Llama"  # a byte-level file of this class is loaded as it is
CODE = "AutoTokenizer"
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
    name = "" if fact is None else str(fact.value).removesuffix("Fast").removesuffix("Tokenizer")
    if fact is None or name not in PIPELINES or (name == MARKED and spec.byte_level):
        raise NotApplicable("no class is named that builds its own pipeline")
    pipeline = PIPELINES[name](subject, spec)
    by_class = f"{name}Tokenizer"
    made = replace(
        spec,
        normalizer=Component(pipeline.normalizer, Standing.IMPLIED, by_class),
        pre_tokenizer=Component(pipeline.pre_tokenizer, Standing.IMPLIED, by_class),
    )
    if all(acting_steps(made, stage) == acting_steps(spec, stage) for stage in STAGES):
        raise NotApplicable(f"{by_class} builds what tokenizer.json states")
    return Rebuilt(by_class, fact, made, _model(subject) is not None)


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


@need_from_worker
def rebuilt_reference(rebuilt: Rebuilt, workers: Workers) -> RebuiltReference:
    """A worker that runs the vocabulary through the components of the class."""
    try:
        return RebuiltReference(workers.open("rebuilt", reference_request(rebuilt.spec)))
    except (UpstreamRefused, WorkerCrashed) as error:
        raise Skip(f"the reference does not run {rebuilt.name}: {error}") from error
