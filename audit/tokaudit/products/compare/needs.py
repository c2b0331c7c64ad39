"""Other tokenizers of an audit: the base, the original of a copy, and the other encoder."""

from __future__ import annotations

from tokaudit.engine.evidence import token_names
from tokaudit.engine.needs import (
    Against,
    Base,
    BaseTrial,
    Original,
    Others,
    Upstream,
    UpstreamAnswers,
)
from tokaudit.engine.resolver import need, need_from_worker
from tokaudit.engine.texts.suspects import entry_texts
from tokaudit.engine.workers import Workers
from tokaudit.foundation.errors import (
    NotApplicable,
    NotGiven,
    Skip,
    UnreadableError,
    UpstreamTrouble,
)
from tokaudit.products.compare.encoders import NamedEncoder, compare
from tokaudit.report.comparison import Comparison
from tokaudit.runtimes.request import CODE_PREFIXES, LoadRequest
from tokaudit.runtimes.subject_requests import reference_request, upstream_request
from tokaudit.subject.material import Subject
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import Representation, parse_all
from tokaudit.subject.roles import Roles
from tokaudit_reference.spec import TokenizerSpec


@need
def base(others: Others, audited: Subject) -> Base:
    """Open and parse the subject that `--base` names."""
    if others.base is None:
        raise NotGiven("no --base")
    subject = open_subject(
        others.base,
        part=audited.part,
        roles=others.base_files,
        download=others.download,
        tokenizer=others.tokenizer,
    )
    parsed = parse_all(subject).parsed
    if not parsed:
        raise UnreadableError(
            f"{others.base}: no tokenizer file of the base tokenizer can be parsed"
        )
    return Base(subject, parsed[0][1], parsed[0][0])


@need_from_worker
def base_trial(
    subject: Subject,
    representation: Representation,
    spec: TokenizerSpec,
    base: Base,
    workers: Workers,
) -> BaseTrial:
    """Run the base and the subject, each by the reference."""
    from tokaudit.products.compare.work.prepared import by_reference
    from tokaudit.products.compare.work.subjects import trial_of

    before = by_reference(base.subject, base.representation, base.spec, workers, "base")
    now = by_reference(subject, representation, spec, workers, "this")
    return BaseTrial(trial_of(before, now, workers))


@need
def original(others: Others) -> Original:
    """Return the tokenizer of the same repository that this one copies."""
    if others.original is None:
        raise NotApplicable("this tokenizer is not a copy of another tokenizer in the repository")
    parsed = parse_all(others.original).parsed
    if not parsed:
        raise Skip(f"no tokenizer file in {others.original.part} can be parsed")
    return Original(others.original, parsed[0][1], parsed[0][0])


@need_from_worker
def against(workers: Workers, others: Others) -> Against:
    """Start the encoder that `--against` names."""
    if others.against is None:
        raise NotGiven("no --against")
    try:
        request, spec = _against_request(others.against, others.against_files, others.download)
        return Against(workers.open("against", request), spec)
    except UpstreamTrouble as error:
        raise UnreadableError(
            f"--against {others.against}: this encoder cannot be used: {error}"
        ) from error


@need_from_worker
def comparison(
    against: Against,
    spec: TokenizerSpec,
    upstream: Upstream,
    answers: UpstreamAnswers,
    subject: Subject,
    others: Others,
) -> Comparison:
    """Compare the subject's ids, from its library, with the other encoder's.

    Where the other states its vocabulary, every entry of both is run besides the probes.
    """
    extra: tuple[str, ...] = ()
    if against.spec is not None:
        known = set(answers.texts)
        extra = tuple(t for t in entry_texts(spec, against.spec) if t not in known)
    texts = (*answers.texts, *extra)
    given = (*answers.encodings, *upstream.encode(extra))
    mine = NamedEncoder(
        subject.name, upstream, given, token_names(spec), next(iter(spec.files), "")
    )
    label = others.against or ""
    other = NamedEncoder(label, against, against.encode(texts), against.names, against.file)
    return compare(texts, mine, other)


def _against_request(
    name: str, roles: Roles, download: bool
) -> tuple[LoadRequest, TokenizerSpec | None]:
    for prefix, adapter in CODE_PREFIXES.items():
        if name.startswith(prefix):
            return LoadRequest(adapter, name.removeprefix(prefix)), None
    subject = open_subject(name, roles=roles, download=download)
    parsed = parse_all(subject).parsed
    if not parsed:
        raise UnreadableError(f"{name}: none of its tokenizer files can be parsed")
    try:
        return upstream_request(subject, *parsed[0]), parsed[0][1]
    except Skip:  # a format that no upstream library reads
        return reference_request(parsed[0][1]), parsed[0][1]
