"""Every representation of the tokenizer, with each encoder that can run it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from tokaudit.plugin import (
    LoadRequest,
    NotApplicable,
    Reference,
    Representation,
    Representations,
    Skip,
    Subject,
    Tokenizer,
    Traces,
    UpstreamLoad,
    UpstreamTrouble,
    Workers,
    need_from_worker,
    reference_request,
    token_names,
    upstream_request,
)
from tokaudit.subject.formats.gguf.as_meant import as_meant
from tokaudit.subject.formats.vocab_merges import FORMAT as TABLES
from tokaudit_reference.spec import Dialect, Standing, TokenizerSpec, TokenType
from tokaudit_suites.shared.copies import Pair, copies
from tokaudit_suites.shared.vocab_entries import entries, looks_like_marker, spelled

MOST = 4  # representations that are run; a folder with more has copies of copies
OURS = "the reference"


@dataclass(frozen=True)
class Runner:
    """One encoder of a representation, or the reason why there is none."""

    who: str
    tokenizer: Tokenizer | None = None
    why: str = ""


@dataclass(frozen=True)
class Copy:
    """A representation with its encoders: first the reference, then its upstream library."""

    representation: Representation
    spec: TokenizerSpec
    reference: Runner
    upstream: Runner
    traces: Traces | None = None
    meant: Tokenizer | None = None  # the reference without the rules of the engine that runs it

    def given(self, text: str) -> list[str]:
        """Return the pieces of a text that the reference gives to the model."""
        return self.traces.given(text) if self.traces is not None else []

    @property
    def pair(self) -> Pair:
        """Return the representation and its spec."""
        return self.representation, self.spec

    @property
    def file(self) -> str:
        """Return the file name for findings."""
        return self.representation.files[0]

    @cached_property
    def spellings(self) -> Mapping[int, str]:
        """Map ids to entries, in a spelling common to all formats."""
        found = {id: spelled(value) for id, _, value in entries(self.spec)}
        return found | {token.id: token.content for token in self.spec.added_tokens}

    @cached_property
    def types(self) -> Mapping[str, TokenType]:
        """Map each spelling to the type of its entry."""
        pieces = self.spec.pieces.items()
        return {self.spellings[id]: piece.token_type for id, piece in pieces}

    @cached_property
    def words(self) -> Mapping[str, None]:
        """Return the words: entries that are not special, not added and not placeholders."""
        added = {token.content for token in self.spec.added_tokens}
        plain = (text for text, type in self.types.items() if type is TokenType.ORDINARY)
        return dict.fromkeys(t for t in plain if t not in added and not looks_like_marker(t))

    @cached_property
    def names(self) -> dict[int, str]:
        """Map ids to tokens as readers see them."""
        return token_names(self.spec)


@dataclass(frozen=True)
class Copies:
    """Representations of one tokenizer, the preferred one first."""

    all: tuple[Copy, ...]


@need_from_worker
def run_copies(
    found: Representations,
    subject: Subject,
    workers: Workers,
    reference: Reference | None,
    load: UpstreamLoad | None,
    traces: Traces | None,
) -> Copies:
    """Start workers for each representation and encoder; the first has its workers already."""
    pairs = copies(found)[:MOST]
    if len(pairs) < 2:
        raise NotApplicable("the tokenizer is written down only once")
    first = Copy(
        *pairs[0],
        Runner(OURS, reference, "the reference does not run it"),
        _library(load),
        traces,
        _meant(workers, pairs[0][1]),
    )
    return Copies((first, *(_copy(subject, workers, pair) for pair in pairs[1:])))


def _library(load: UpstreamLoad | None) -> Runner:
    if load is None:
        return Runner("", None, "no upstream library is known for it")
    if load.tokenizer is None:
        return Runner(load.adapter, None, load.error)
    info = load.tokenizer.info
    return Runner(f"{info.package} {info.version}", load.tokenizer)


def _copy(subject: Subject, workers: Workers, pair: Pair) -> Copy:
    representation, spec = pair
    ours = theirs = Runner(OURS, None, "it does not state how to split text")
    traces = None
    if representation.format == TABLES.name:  # what is around them is a matter of the class
        return Copy(representation, spec, ours, theirs)
    if Standing.UNSTATED not in (spec.normalizer.standing, spec.pre_tokenizer.standing):
        ours, traces = _reference(workers, spec)
        try:
            request = upstream_request(subject, representation, spec)
            theirs = _opened(workers, request.adapter, request)
        except Skip as error:
            theirs = Runner("", None, str(error))
    return Copy(representation, spec, ours, theirs, traces, _meant(workers, spec))


def _meant(workers: Workers, spec: TokenizerSpec) -> Tokenizer | None:
    """Return the file as its converter meant it, if its engine has rules of its own."""
    if spec.dialect is Dialect.PUBLISHED or spec.pre_tokenizer.standing is Standing.UNSTATED:
        return None
    try:
        return workers.open(f"{spec.files[0]} as meant", reference_request(as_meant(spec)))
    except UpstreamTrouble:
        return None


def _reference(workers: Workers, spec: TokenizerSpec) -> tuple[Runner, Traces | None]:
    try:
        tokenizer = workers.open(f"reference of {spec.files[0]}", reference_request(spec))
    except UpstreamTrouble as error:
        return Runner(OURS, None, str(error)), None
    return Runner(OURS, tokenizer), Traces(tokenizer)


def _opened(workers: Workers, who: str, request: LoadRequest) -> Runner:
    try:
        tokenizer = workers.open(f"{who} of {request.path.rpartition('/')[2]}", request)
    except UpstreamTrouble as error:
        return Runner(who, None, str(error))
    return Runner(f"{tokenizer.info.package} {tokenizer.info.version}", tokenizer)
