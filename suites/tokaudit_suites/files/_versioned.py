"""The tokenizer.json that settings name for versions of a loader, run next to the plain one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tokaudit.plugin import (
    NotApplicable,
    Skip,
    SourceFile,
    Subject,
    Tokenizer,
    Workers,
    need_from_worker,
    parse_all,
    reference_request,
)
from tokaudit.runtimes.worker.client import UpstreamRefused, WorkerCrashed
from tokaudit.subject.effective.class_choice import TOKENIZER
from tokaudit.subject.effective.settings_object import settings_object
from tokaudit.subject.effective.tokenizer_file import TOKENIZER_JSON, chosen_tokenizer_file
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_reference.spec import TokenizerSpec


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
