"""`tokaudit.manifest` and `tokaudit.verify`: record a tokenizer, and check it later."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tokaudit.engine.opening import SubjectName, repository_of
from tokaudit.engine.settings.keywords import keywords
from tokaudit.engine.settings.settings import (
    AuditSettings,
    BareFiles,
    CompareSettings,
    ManifestSettings,
    VerifySettings,
    WithOriginal,
)
from tokaudit.foundation.errors import UnreadableError, UsageError
from tokaudit.foundation.settings.places import NamedPath, path_of
from tokaudit.foundation.settings.setting import part, values
from tokaudit.products.audit.auditing import requested
from tokaudit.products.audit.one_audit import carry_out
from tokaudit.products.data.api.stamping import drift_of
from tokaudit.products.data.data_stamp import stamp_in
from tokaudit.products.identity import envelope, statement
from tokaudit.products.identity.drift import Drift as Drift
from tokaudit.products.identity.drift import Drifts as Drifts
from tokaudit.products.identity.drift import differences, other_table
from tokaudit.products.identity.envelope import sealed
from tokaudit.products.identity.signing_keys import private_key, public_key
from tokaudit.report.report import Report
from tokaudit.subject.material import SourceFile
from tokaudit.subject.opening import Repository


@keywords(ManifestSettings)
def manifest(subject: SubjectName, asked: ManifestSettings) -> dict[str, Any]:
    """Return the in-toto Statement of a subject: plain data, to be written as JSON.

    Weights are known by their headers; `hash_weights` reads them whole to name their digests too.
    `facts` are what no file states, such as the padding side that a server uses.
    `sign` names a private key in PEM; then the result is the Statement's signed DSSE envelope.
    """
    key = None if asked.sign is None else private_key(Path(asked.sign))
    opened = repository_of(subject, asked)
    made = _derived(opened, asked.hash_weights, asked.facts, opened.files)
    return made if key is None else sealed(statement.write(made), key)


@dataclass(frozen=True, kw_only=True)
class VerifyCall(WithOriginal, VerifySettings):
    """The settings of `verify`."""


@keywords(VerifyCall)
def verify(
    subject: SubjectName,
    manifest: Mapping[str, Any] | str | os.PathLike[str],
    asked: VerifyCall,
) -> Drifts:
    """Return every difference between a manifest, or a file that holds one, and the subject.

    The result is a list, and `ok` where nothing in it counts.
    A `Drift` that is `gated` counts; an upstream library's changed digest only warns, and a file
    of other bytes, or a component that is written differently and proved the same, is only noted.
    That of `behaviour-v1` has as `evidence` the shortest probe whose ids changed.  A fact that the
    manifest was given counts where `facts` give it again.  Weights are hashed where the manifest
    names their digests.  `key` names a public key in PEM that must have signed the manifest;
    signatures that nobody checked are noted.  With `exact` every file of the folder counts: one
    that changed, was added or is gone is drift, whether or not the tokenizer is read from it.
    The stamp of ids on disk is verified by short id and sizes, and with `exact` by digests.
    `base` names what the manifest was made from: where something counts, `comparison` of the result
    is the whole comparison with it.
    Raises `UsageError` for what is not a manifest of tokaudit, and `UnreadableError` for one that
    the key has not signed, before the subject is opened.
    """
    found = _drifts(subject, manifest, asked)
    if asked.base is not None and found.gated:
        found.comparison = _compared(asked.base, subject, part(asked, BareFiles))
    return found


def _compared(base: NamedPath, subject: SubjectName, bare: BareFiles) -> Report:
    """Compare completely with the original of the manifest."""
    from tokaudit.products.compare.api.tokenizers import compared

    return compared((base, subject), CompareSettings(**values(replace(bare, files=None))))


def _drifts(
    subject: SubjectName,
    manifest: Mapping[str, Any] | str | os.PathLike[str],
    asked: VerifySettings,
) -> Drifts:
    """Return the drifts that `verify` finds without a comparison."""
    _refuse_exchanged(subject, manifest)
    checker = None if asked.key is None else public_key(Path(asked.key))
    if isinstance(manifest, Mapping):
        read = statement.checked_signed(dict(manifest), "manifest", checker)
    else:
        file = path_of("manifest", manifest)
        stamped = stamp_in(file)
        if stamped is not None:
            return Drifts(drift_of(stamped, file, subject, exact=asked.exact))
        read = statement.read_signed(file, checker)
    was: dict[str, Any] = read.value
    opened = repository_of(subject, asked)
    if asked.exact:
        _refuse_undecidable(was)
    whole = asked.exact or bool(statement.weight_digests(was))
    now = _derived(opened, whole, asked.facts, opened.files if asked.exact else ())
    drifts = differences(was, now, exact=asked.exact)
    unchecked = [Drift("unchecked", key_id, None, None) for key_id in read.unchecked]
    found = Drifts([*drifts, *unchecked])
    found.other_table = other_table(was, now)
    return found


def _refuse_exchanged(subject: object, manifest: object) -> None:
    """Refuse a folder as manifest, and show the right order if arguments are swapped."""
    if not isinstance(manifest, str | os.PathLike) or not Path(manifest).is_dir():
        return
    if isinstance(subject, str | os.PathLike) and Path(subject).suffix == ".json":
        raise UsageError(
            f"{manifest}: is a folder; write the tokenizer first and the manifest second: "
            f"tokaudit verify {manifest} {subject}"
        )


def manifest_text(made: Mapping[str, Any], *, signed: bool = False) -> str:
    """Format a manifest as the text of its file."""
    return envelope.write(made) if signed else statement.write(made)


def _refuse_undecidable(was: Mapping[str, Any]) -> None:
    """Refuse an exact check if the manifest lacks digests."""
    if names := statement.without_digest(was):
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        raise UsageError(
            f"exact: the manifest has no digest of {names[0]}{more}; write the manifest again with "
            "--hash-weights"
        )


def _derived(
    repository: Repository,
    hash_weights: bool,
    facts: Mapping[str, Any] | None,
    more_files: Sequence[SourceFile],
) -> dict[str, Any]:
    subject = repository.subjects[0]
    whole = carry_out(subject, requested(AuditSettings(), (), whole_identity=True))
    if whole.not_derived:  # what is absent then is not known to be
        raise UnreadableError(
            f"{subject.name}: the digest 'behaviour-v1' of its manifest cannot be computed: "
            f"{whole.not_derived}"
        )
    return statement.statement_of(
        whole, subject, hash_weights=hash_weights, given=facts, more_files=more_files
    )
