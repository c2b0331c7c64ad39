"""Builds the needs of the core: one short function for each type that a check may ask for."""

from __future__ import annotations

from dataclasses import replace

from tokaudit.comparison.encoders import Side, compare
from tokaudit.comparison.evidence import token_names
from tokaudit.comparison.probes import draw, frozen_probes
from tokaudit.comparison.suspects import entry_texts
from tokaudit.engine.chat import (
    BaseChatRenderings,
    ChatIds,
    ChatRenderings,
    UntrimmedRenderings,
    render_all,
    render_untrimmed,
)
from tokaudit.engine.comparing import BaseTrial, by_reference, trial_of
from tokaudit.engine.costly import Costly
from tokaudit.engine.injection import BaseInjectionTrials, InjectionTrials, try_all
from tokaudit.engine.long_runs import LONG_RUNS, UpstreamRuns
from tokaudit.engine.needs import (
    Against,
    Base,
    Contents,
    Corpus,
    Options,
    Original,
    Others,
    Probes,
    Reference,
    ReferenceAnswers,
    ReferenceBehaviour,
    TimedUpstream,
    Traces,
    Upstream,
    UpstreamAnswers,
    UpstreamBehaviour,
    UpstreamLoad,
)
from tokaudit.engine.resolver import Needs, all_needs, need, need_from_worker
from tokaudit.engine.workers import Workers
from tokaudit.foundation.errors import NotApplicable, Skip, UnreadableError, UpstreamTrouble
from tokaudit.report.model import Comparison
from tokaudit.runtimes.request import LoadRequest
from tokaudit.runtimes.subject_requests import reference_request, upstream_request
from tokaudit.runtimes.unicode_tables import excuses
from tokaudit.runtimes.worker.client import UpstreamRefused, WorkerCrashed
from tokaudit.subject.content import Content
from tokaudit.subject.copies import Copies
from tokaudit.subject.material import SourceFile, Subject
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import Representation, Representations, parse_all
from tokaudit.subject.roles import Roles
from tokaudit.subject.weights import WeightHeaders, read_headers
from tokaudit_reference.models.bpe.effective import EffectiveMerges, effective_merges
from tokaudit_reference.spec import ModelType, TokenizerSpec

CODE_PREFIXES = {"call:": "call", "cmd:": "cmd"}


GIVEN = (Subject, Options, Workers, Others)
"""What there is before anything is built."""


def audit_needs(
    subject: Subject, options: Options, workers: Workers, others: Others = Others()
) -> Needs:
    """Everything that the checks of one audit may ask for, by every installed provider."""
    needs = Needs.of(all_needs(), subject, options, workers, others)
    return replace(needs, deadline=workers.limits.deadline)


@need
def representations(subject: Subject) -> Representations:
    """Every file of the tokenizer, parsed or with the reason why it does not parse."""
    return parse_all(subject)


@need
def representation(found: Representations) -> Representation:
    """The first that parses, which is the one that loaders use."""
    return _primary(found)[0]


@need
def tokenizer_spec(found: Representations) -> TokenizerSpec:
    """What the first that parses says."""
    return _primary(found)[1]


def _primary(found: Representations) -> tuple[Representation, TokenizerSpec]:
    if not found.parsed:
        raise Skip("no file of the tokenizer parses")
    return found.parsed[0]


@need
def effective(spec: TokenizerSpec) -> EffectiveMerges:
    """Which merges can ever fire."""
    if spec.model_type is not ModelType.BPE:
        raise NotApplicable(f"{spec.model_type} has no merges")
    return effective_merges(spec)


@need
def weight_headers(subject: Subject) -> WeightHeaders:
    """The tensors that the weight files name."""
    return read_headers(subject)


@need
def probes(
    spec: TokenizerSpec, options: Options, workers: Workers, upstream: Upstream | None
) -> Probes:
    """Texts without the code points on which the library's Unicode tables differ from ours."""
    drawn = draw(spec, options.tier, options.seed)
    characters = "".join(sorted(set().union(*drawn.texts)))
    left_out = _classed_otherwise(spec, workers, characters) if upstream else frozenset()
    texts = tuple(text for text in drawn.texts if left_out.isdisjoint(text))
    method = f"tier {options.tier}, seed {options.seed}, {len(texts):,} texts"
    if drawn.too_long:
        method += f", {drawn.too_long:,} too long ones left out"
    return Probes(texts, f"{method}, {len(left_out):,} characters of other Unicode tables left out")


def _classed_otherwise(spec: TokenizerSpec, workers: Workers, characters: str) -> frozenset[str]:
    try:
        return excuses(spec, workers.opened["upstream"], characters).all
    except (Skip, UpstreamTrouble):
        return frozenset()


@need_from_worker
def upstream_load(
    workers: Workers, subject: Subject, representation: Representation, spec: TokenizerSpec
) -> UpstreamLoad:
    """How the upstream library takes the first representation."""
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
def reference(workers: Workers, subject: Subject, representation: Representation) -> Reference:
    """The reference implementation, where it runs the file."""
    request = reference_request(subject, representation)
    try:
        return Reference(workers.open("reference", request))
    except (UpstreamRefused, WorkerCrashed) as error:
        raise Skip(f"{request.adapter} does not run this file: {error}") from error


@need
def traces(reference: Reference, workers: Workers) -> Traces:
    """The stages of texts, by the worker of the reference itself."""
    return Traces(workers.opened["reference"])


@need
def contents() -> Contents:
    """The way to the bytes of the subject's files."""
    return Contents()


@need
def corpus(options: Options) -> Corpus:
    """The files that `--corpus` names."""
    if not options.corpus:
        raise NotApplicable("no --corpus was named")
    copies = Copies()
    contents = [(path, Content(path, str(path), copies)) for path in options.corpus]
    return Corpus(tuple(SourceFile(c.name, path, 0, "corpus", content=c) for path, c in contents))


@need_from_worker
def upstream_runs(upstream: Upstream) -> UpstreamRuns:
    """The long runs as the upstream library encodes them."""
    return UpstreamRuns(tuple(upstream.encode([run.text for run in LONG_RUNS])))


@need_from_worker
def upstream_answers(upstream: Upstream, probes: Probes, runs: UpstreamRuns) -> UpstreamAnswers:
    """The probe texts as the upstream library encodes them, when it has been asked the runs."""
    return UpstreamAnswers(probes.texts, tuple(upstream.encode(probes.texts)))


@need_from_worker
def reference_answers(reference: Reference, probes: Probes) -> ReferenceAnswers:
    """The probe texts as the reference encodes them."""
    return ReferenceAnswers(probes.texts, tuple(reference.encode(probes.texts)))


@need_from_worker
def upstream_behaviour(upstream: Upstream) -> UpstreamBehaviour:
    """The frozen probes as the upstream library encodes them."""
    return UpstreamBehaviour(upstream.info, tuple(upstream.encode(frozen_probes())))


@need_from_worker
def reference_behaviour(reference: Reference) -> ReferenceBehaviour:
    """The frozen probes as the reference encodes them."""
    return ReferenceBehaviour(tuple(reference.encode(frozen_probes())))


@need_from_worker
def chat_renderings(
    workers: Workers, subject: Subject, spec: TokenizerSpec | None, options: Options
) -> ChatRenderings:
    """Every chat template rendered, even where the tokenizer does not parse."""
    return render_all(subject, spec, workers.chat_renderer(), options.conversations)


@need_from_worker
def untrimmed_renderings(workers: Workers, renderings: ChatRenderings) -> UntrimmedRenderings:
    """Every chat template rendered once more, the white space beside its tags kept."""
    return render_untrimmed(renderings, workers.chat_renderer())


@need
def base_chat_renderings(workers: Workers, base: Base, options: Options) -> BaseChatRenderings:
    """Every chat template of the base, rendered."""
    renderer, more = workers.chat_renderer(), options.conversations
    return BaseChatRenderings(render_all(base.subject, base.spec, renderer, more))


@need
def chat_ids(reference: Reference) -> ChatIds:
    """Ids of rendered texts, by the reference."""
    return ChatIds(reference)


@need_from_worker
def injection_trials(
    workers: Workers, renderings: ChatRenderings, spec: TokenizerSpec, ids: ChatIds
) -> InjectionTrials:
    """Markers of the templates in the words of users and tools."""
    return try_all(renderings, spec, ids, workers.chat_renderer())


@need_from_worker
def base_injection_trials(
    workers: Workers, base: Base, renderings: BaseChatRenderings
) -> BaseInjectionTrials:
    """The same on the base, by the reference."""
    representation, spec = parse_all(base.subject).parsed[0]
    request = reference_request(base.subject, representation)
    try:
        tokenizer = workers.open("base", request)
    except (UpstreamRefused, WorkerCrashed) as error:
        raise Skip(f"{request.adapter} does not run the base: {error}") from error
    found = try_all(renderings.renderings, spec, ChatIds(tokenizer), workers.chat_renderer())
    return BaseInjectionTrials(found)


@need
def base(others: Others, audited: Subject) -> Base:
    """The subject that `--base` names, opened and parsed."""
    if others.base is None:
        raise Skip("no --base to compare it with")
    subject = open_subject(others.base, part=audited.part, roles=others.base_files)
    parsed = parse_all(subject).parsed
    if not parsed:
        raise UnreadableError(f"{others.base}: no file of the base's tokenizer parses")
    return Base(subject, parsed[0][1], parsed[0][0])


@need_from_worker
def base_trial(
    subject: Subject,
    representation: Representation,
    spec: TokenizerSpec,
    base: Base,
    workers: Workers,
) -> BaseTrial:
    """The base and the subject, each run by the reference."""
    before = by_reference(base.subject, base.representation, base.spec, workers, "base")
    now = by_reference(subject, representation, spec, workers, "this")
    return BaseTrial(trial_of(before, now, workers))


@need
def original(others: Others) -> Original:
    """The tokenizer that this one is a copy of, in the same repository."""
    if others.original is None:
        raise NotApplicable("the repository holds no tokenizer that this one is a copy of")
    parsed = parse_all(others.original).parsed
    if not parsed:
        raise Skip(f"no file of {others.original.part} parses")
    return Original(others.original, parsed[0][1])


@need_from_worker
def against(workers: Workers, others: Others) -> Against:
    """The encoder that `--against` names."""
    if others.against is None:
        raise Skip("no --against to compare ids with")
    try:
        request, spec = _against_request(others.against, others.against_files)
        return Against(workers.open("against", request), spec)
    except UpstreamTrouble as error:
        raise UnreadableError(f"--against {others.against}: cannot be used: {error}") from error


@need_from_worker
def comparison(
    against: Against,
    spec: TokenizerSpec,
    upstream: Upstream,
    answers: UpstreamAnswers,
    subject: Subject,
    others: Others,
) -> Comparison:
    """The subject's ids, as its library gives them, compared with those of the other encoder.

    Where the other states its vocabulary, every entry of both is run besides the probes.
    """
    extra: tuple[str, ...] = ()
    if against.spec is not None:
        known = set(answers.texts)
        extra = tuple(t for t in entry_texts(spec, against.spec) if t not in known)
    texts = (*answers.texts, *extra)
    given = (*answers.encodings, *upstream.encode(extra))
    mine = Side(subject.name, upstream, given, token_names(spec), next(iter(spec.files), ""))
    label = others.against or ""
    other = Side(label, against, against.encode(texts), against.names, against.file)
    return compare(texts, mine, other)


def _against_request(name: str, roles: Roles) -> tuple[LoadRequest, TokenizerSpec | None]:
    for prefix, adapter in CODE_PREFIXES.items():
        if name.startswith(prefix):
            return LoadRequest(adapter, name.removeprefix(prefix)), None
    subject = open_subject(name, roles=roles)
    parsed = parse_all(subject).parsed
    if not parsed:
        raise UnreadableError(f"{name}: no file of its tokenizer parses")
    return upstream_request(subject, *parsed[0]), parsed[0][1]
