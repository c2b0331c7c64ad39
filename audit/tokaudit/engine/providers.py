"""Builds each need of an audit: one short function for each type that a check may ask for."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from typing import Any

from tokaudit.comparison.encoders import compare_encoders
from tokaudit.comparison.evidence import token_names
from tokaudit.comparison.probes import draw
from tokaudit.engine.needs import (
    Against,
    Base,
    Needs,
    Options,
    Probes,
    Provider,
    Reference,
    Vendor,
    VendorLoad,
)
from tokaudit.errors import NotApplicable, Skip, UnreadableError, VendorTrouble
from tokaudit.report.model import Comparison
from tokaudit.runtimes.unicode_tables import excuses
from tokaudit.runtimes.worker.client import Source, VendorRefused, WorkerCrashed, WorkerTokenizer
from tokaudit.subject.formats import all_formats
from tokaudit.subject.material import Subject
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import Representation, Representations, parse_all
from tokaudit.subject.weights import WeightHeaders, read_headers
from tokaudit_reference.models.bpe.effective import EffectiveMerges, effective_merges
from tokaudit_reference.spec import Family, Standing, TokenizerSpec
from tokaudit_reference.text.bytes_alphabet import to_characters

CODE_PREFIXES = {"call:": "call", "cmd:": "cmd"}


@dataclass
class Workers:
    """The worker processes of one audit, closed together."""

    timeout: float
    opened: dict[str, WorkerTokenizer] = field(default_factory=dict)
    _stack: ExitStack = field(default_factory=ExitStack)

    def open(self, role: str, source: Source) -> WorkerTokenizer:
        """A started worker that holds the source's tokenizer."""
        tokenizer = WorkerTokenizer(source, timeout=self.timeout)
        self._stack.callback(tokenizer.close)
        self.opened[role] = tokenizer
        _ = tokenizer.info  # starts and loads, so that a refusal shows here
        return tokenizer

    def close(self) -> None:
        """End every worker."""
        self._stack.close()


def providers(
    subject: Subject,
    options: Options,
    workers: Workers,
    base: str | None = None,
    against: str | None = None,
) -> Mapping[type, Provider]:
    """Type -> how to build it, for `Needs`."""
    return {
        Subject: lambda _: subject,
        Options: lambda _: options,
        Workers: lambda _: workers,
        Representations: lambda _: parse_all(subject),
        Representation: lambda needs: _primary(needs)[0],
        TokenizerSpec: lambda needs: _primary(needs)[1],
        EffectiveMerges: _effective,
        WeightHeaders: lambda _: read_headers(subject),
        Probes: lambda needs: _probes(needs, options, workers),
        VendorLoad: lambda needs: _vendor_load(workers, vendor_source(needs)),
        Vendor: _vendor,
        Reference: lambda needs: Reference(
            _loaded(workers, "reference", reference_source(subject, needs.get(Representation)))
        ),
        Base: lambda _: _base(base),
        Against: lambda _: Against(_against(workers, against)),
        Comparison: lambda needs: _comparison(needs, subject.name, against),
    }


def _primary(needs: Needs) -> tuple[Representation, TokenizerSpec]:
    parsed = needs.get(Representations).parsed
    if not parsed:
        raise Skip("no file of the tokenizer parses")
    first: tuple[Representation, TokenizerSpec] = parsed[0]
    return first


def _effective(needs: Needs) -> EffectiveMerges:
    spec: TokenizerSpec = needs.get(TokenizerSpec)
    if spec.family is not Family.BPE:
        raise NotApplicable(f"{spec.family} has no merges")
    return effective_merges(spec)


def _probes(needs: Needs, options: Options, workers: Workers) -> Probes:
    """Texts without the code points on which the vendor's Unicode tables differ from ours."""
    left_out = _classed_otherwise(needs, workers)
    drawn = draw(needs.get(TokenizerSpec), options.tier, options.seed)
    texts = tuple(text for text in drawn if left_out.isdisjoint(text))
    method = f"tier {options.tier}, seed {options.seed}, {len(texts):,} texts"
    return Probes(
        texts, f"{method}, {len(left_out):,} code points of other Unicode tables left out"
    )


def _classed_otherwise(needs: Needs, workers: Workers) -> frozenset[str]:
    try:
        needs.get(Vendor)
        return excuses(needs.get(TokenizerSpec), workers.opened["vendor"]).all
    except (Skip, VendorTrouble):
        return frozenset()


def vendor_source(needs: Needs) -> Source:
    """What the vendor's adapter is to load for the subject's first representation."""
    subject: Subject = needs.get(Subject)
    return source_of(subject, needs.get(Representation), needs.get(TokenizerSpec))


def source_of(subject: Subject, representation: Representation, spec: TokenizerSpec) -> Source:
    """The vendor's source for one representation of a subject."""
    adapter = next(f.adapter for f in all_formats() if f.name == representation.format)
    if not adapter:
        raise Skip(f"no vendor library is known for {representation.format} files")
    if spec.pre_tokenizer.standing is Standing.UNSTATED:
        text = "states no split pattern; give it with --pattern"
        raise Skip(f"{representation.files[0]} {text}")
    files = [subject.file(name) for name in representation.files]
    paths = {file.name.rsplit("/", 1)[-1]: str(file.path) for file in files if file}
    first = next(iter(paths.values()))
    return Source(adapter, first, _settings(representation, spec, paths))


def _settings(
    representation: Representation, spec: TokenizerSpec, paths: Mapping[str, str]
) -> dict[str, Any]:
    pattern = (spec.pre_tokenizer.options or {}).get("pattern", {})
    return {
        "format": representation.format,
        "files": dict(paths),
        "pattern": pattern.get("Regex") if isinstance(pattern, Mapping) else None,
        "special": {token.content: token.id for token in spec.added_tokens},
        "added_tokens": [asdict(token) for token in spec.added_tokens],
        "normalizer": spec.normalizer.options,
        "pre_tokenizer": spec.pre_tokenizer.options,
        "decoder": spec.decoder.options,
        "unknown": _unknown(spec),
        "word_end_suffix": spec.word_end_suffix,
    }


def _unknown(spec: TokenizerSpec) -> str | None:
    """The unknown token as files spell it."""
    piece = None if spec.unknown_id is None else spec.pieces.get(spec.unknown_id)
    if piece is None:
        return None
    return to_characters(piece.value) if isinstance(piece.value, bytes) else piece.value


def reference_source(subject: Subject, representation: Representation) -> Source:
    """What the reference adapter is to parse and run."""
    settings = {
        "file": representation.files[0],
        "format": representation.format,
        "subject_settings": dict(subject.settings),
    }
    return Source("reference", subject.name, settings)


def _loaded(workers: Workers, role: str, source: Source) -> WorkerTokenizer:
    try:
        return workers.open(role, source)
    except (VendorRefused, WorkerCrashed) as error:
        raise Skip(f"{source.adapter} does not run this file: {error}") from error


def _vendor_load(workers: Workers, source: Source) -> VendorLoad:
    try:
        return VendorLoad(source.adapter, workers.open("vendor", source))
    except VendorRefused as error:
        return VendorLoad(source.adapter, None, str(error))
    except WorkerCrashed as error:
        return VendorLoad(source.adapter, None, str(error), crashed=True)


def _vendor(needs: Needs) -> Vendor:
    load: VendorLoad = needs.get(VendorLoad)
    if load.tokenizer is None:
        raise Skip(f"{load.adapter} does not load this file: {load.error}")
    return Vendor(load.tokenizer)


def _base(name: str | None) -> Base:
    if name is None:
        raise Skip("no --base to hold it against")
    subject = open_subject(name)
    parsed = parse_all(subject).parsed
    if not parsed:
        raise UnreadableError(f"{name}: no file of the base's tokenizer parses")
    return Base(subject, parsed[0][1])


def _against(workers: Workers, name: str | None) -> WorkerTokenizer:
    if name is None:
        raise Skip("no --against to compare ids with")
    try:
        return workers.open("against", _against_source(name))
    except VendorTrouble as error:
        raise UnreadableError(f"--against {name}: cannot be used: {error}") from error


def _against_source(name: str) -> Source:
    for prefix, adapter in CODE_PREFIXES.items():
        if name.startswith(prefix):
            return Source(adapter, name.removeprefix(prefix))
    subject = open_subject(name)
    parsed = parse_all(subject).parsed
    if not parsed:
        raise UnreadableError(f"{name}: no file of its tokenizer parses")
    return source_of(subject, *parsed[0])


def _comparison(needs: Needs, subject: str, against: str | None) -> Comparison:
    """The subject's ids, as its vendor gives them, held against those of the other encoder."""
    other: Against = needs.get(Against)
    names = token_names(needs.get(TokenizerSpec))
    texts = needs.get(Probes).texts
    return compare_encoders(needs.get(Vendor), other, texts, names, (subject, against or ""))
