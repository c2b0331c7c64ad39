"""A tokenizer.json for versions of a loader, with other ids than the plain one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tokaudit.plugin import (
    Basis,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Probes,
    Reference,
    Samples,
    Severity,
    Skip,
    SourceFile,
    Subject,
    Tokenizer,
    Workers,
    check,
    need_from_worker,
    parse_all,
    reference_request,
    token_names,
)
from tokaudit.products.compare.encoders import NamedEncoder, compare
from tokaudit.runtimes.worker.client import UpstreamRefused, WorkerCrashed
from tokaudit.subject.effective.class_choice import TOKENIZER
from tokaudit.subject.effective.settings_object import settings_object
from tokaudit.subject.effective.tokenizer_file import TOKENIZER_JSON, chosen_tokenizer_file
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import person_decides

MOST = 300  # sentences


@dataclass(frozen=True)
class VersionedFile:
    """The file that versions of transformers take in place of tokenizer.json, and its ids."""

    versions: tuple[str, ...]
    file: SourceFile
    spec: TokenizerSpec
    tokenizer: Tokenizer


@need_from_worker
def versioned_file(subject: Subject, spec: TokenizerSpec, workers: Workers) -> VersionedFile:
    """The first file that a version takes and readers of tokenizer.json do not."""
    settings = settings_object(subject, TOKENIZER)
    chosen = {v: chosen_tokenizer_file(subject, v, settings) for v in (FOUR, FIVE)}
    others = {v: f for v, f in chosen.items() if f is not None and f.name not in spec.files}
    if not others or spec.format != TOKENIZER_JSON:
        raise NotApplicable(f"every version takes {TOKENIZER_JSON}")
    file = next(iter(others.values()))
    read = replace(file, role=TOKENIZER_JSON, read_as=TOKENIZER_JSON)
    parsed = parse_all(Subject(subject.name, subject.root, (read,))).parsed
    if not parsed:
        raise Skip(f"{file.name} does not parse")
    try:
        tokenizer = workers.open("versioned", reference_request(parsed[0][1]))
    except (UpstreamRefused, WorkerCrashed) as error:
        raise Skip(f"the reference does not run {file.name}: {error}") from error
    versions = tuple(version for version, each in others.items() if each == file)
    return VersionedFile(versions, file, parsed[0][1], tokenizer)


@check(
    "files/versioned-tokenizer",
    title="Files for loader versions give one tokenizer's ids",
    why="The key fast_tokenizer_files makes some versions of transformers load another file than "
    "tokenizer.json; other engines ignore the key. If the two files produce different ids, the "
    "same text gets other ids in transformers than in engines that read tokenizer.json.",
    remedy="Write tokenizer.json and the versioned file from the tokenizer that the model "
    "expects, or delete the versioned file and the key fast_tokenizer_files.",
    repair=person_decides("the weights belong to one of the two files"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.CROSS_FILE,
    incident="fast_tokenizer_files is read in every version, and versions are sorted as texts "
    "(huggingface/transformers #48836).",
)
def versioned_tokenizer(
    versioned: VersionedFile,
    spec: TokenizerSpec,
    reference: Reference,
    samples: Samples,
    probes: Probes,
) -> Iterator[Finding]:
    """Encode sentences and probes by both files."""
    whole = [text for sample in samples.all for text in sample.sentences]
    texts = tuple(dict.fromkeys((*whole[:: max(1, len(whole) // MOST)], *probes.texts)))
    main, other = spec.files[0], versioned.file.name
    left = NamedEncoder(main, reference, reference.encode(texts), token_names(spec))
    given = versioned.tokenizer.encode(texts)
    right = NamedEncoder(other, versioned.tokenizer, given, token_names(versioned.spec))
    found = compare(texts, left, right)
    if found.different:
        named = " and ".join(f"transformers {version}" for version in versioned.versions)
        yield Finding(
            Severity.ERROR,
            f"fast_tokenizer_files makes {named} load {other} instead of {main}; the ids of the "
            f"two differ for {found.different:,} of {found.texts:,} texts.",
            (Place("tokenizer", other), Place("tokenizer", main)),
            () if found.minimal is None else (found.minimal,),
            cause="versioned",
        )
