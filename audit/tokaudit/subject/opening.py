"""Open a subject by any name: a folder, a file, `pkg:`, `hf:` or `tiktoken:`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Any

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.facts import collect, of_a_part
from tokaudit.subject.files import listed, single
from tokaudit.subject.formats import all_formats
from tokaudit.subject.formats.bytes_alone import reads_nothing
from tokaudit.subject.formats.common.template_alone import ROLE, SUFFIX, template_alone
from tokaudit.subject.material import Fact, SourceFile, Subject
from tokaudit.subject.naming import locate
from tokaudit.subject.naming.known_others import what_it_is
from tokaudit.subject.repository.bounded_tree import bounded
from tokaudit.subject.repository.extra_tokenizers import with_extra_tokenizers
from tokaudit.subject.repository.sides import facts_of
from tokaudit.subject.repository.tree import Part, tree_of
from tokaudit.subject.roles import Roles, with_roles
from tokaudit.subject.traffic import Served

TOP = "."
LOADED = f"chat_template{SUFFIX}"
"""The name by which loaders find a template."""
OF_TEMPLATES = ("chat_template", "chat_template_name")
"""Facts that a template states."""

OF_SOURCE = ("pyproject.toml", "setup.py", "setup.cfg", "package.json", "Cargo.toml", "go.mod")


@dataclass(frozen=True, repr=False)
class Repository:
    """Every tokenizer at a name, the main one first, and the remaining files.

    `beyond` names those that nobody examines, as there are more than one audit takes.
    """

    name: str
    subjects: tuple[Subject, ...]
    others: tuple[SourceFile, ...] = ()
    beyond: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Return the name, and the number of tokenizers."""
        return f"<Repository {self.name!r}: {len(self.subjects)} subjects>"

    @property
    def files(self) -> tuple[SourceFile, ...]:
        """Return every listed file, by name."""
        held = (file for subject in self.subjects for file in subject.files)
        found = {file.name: file for file in (*self.others, *held)}
        return tuple(found[name] for name in sorted(found))


def open_subject(
    name: str | os.PathLike[str],
    *,
    allow_root: Path | None = None,
    settings: Mapping[str, Any] | None = None,
    part: str = "",
    roles: Roles = (),
    download: bool = False,
    tokenizer: str | None = None,
) -> Subject:
    """Open the subject called `name`, with every file listed and every fact collected.

    Of a repository of several tokenizers that is the one of `part`, or the main one.
    Raises `UnreadableError`, in one line, when there is nothing there that tokaudit reads.
    """
    found = open_repository(
        name,
        allow_root=allow_root,
        settings=settings,
        only=part,
        roles=roles,
        download=download,
        tokenizer=tokenizer,
    )
    return next((each for each in found.subjects if each.part == part), found.subjects[0])


def open_repository(
    name: str | os.PathLike[str],
    *,
    allow_root: Path | None = None,
    settings: Mapping[str, Any] | None = None,
    only: str | None = None,
    roles: Roles = (),
    download: bool = False,
    tokenizer: str | None = None,
) -> Repository:
    """Open every tokenizer at `name`, each as a subject with its own files.

    `only` names the part whose facts are wanted, "" the main one; the others are listed without.
    `roles` says of files whose names say nothing, or another thing, what they are.  With `download`
    a name may lead to a server, of which small files and ranges of large ones are read.
    `tokenizer` names that of a chat template alone; any other subject has its own.
    """
    text = os.fspath(name)
    if download and locate.is_remote(text):
        from tokaudit.subject.remote.opening import opened  # which takes the modules of a network

        remote = opened(text)
        files = with_roles(remote.files, Path(text), roles)
        return _of_files(text, Path(text), files, settings or {}, only, remote.served)
    found = locate.locate(text)
    given = {**found.settings, **(settings or {})}
    path = found.path
    if not path.is_dir():
        role = found.file_role or (ROLE if path.suffix == SUFFIX else "")
        (file,) = with_roles((single(path, allow_root, role),), path.parent, roles)
        alone = _subject(text, path.parent, (file,), given)
        if tokenizer is not None and template_alone(alone) is not None:
            of_tokenizer = open_subject(
                tokenizer, allow_root=allow_root, settings=settings, download=download
            )
            alone = _with_tokenizer(alone, of_tokenizer)
        return Repository(text, (alone,))
    files = with_roles(listed(path, allow_root), path, roles)
    return _of_files(text, path, files, given, only)


def _with_tokenizer(alone: Subject, tokenizer: Subject) -> Subject:
    """Combine a tokenizer's files and facts with a separate template."""
    (file,) = alone.files
    template = replace(file, read_as=LOADED)
    kept = [
        each for each in tokenizer.files if each.role != ROLE and LOADED != each.known != file.name
    ]
    facts = [fact for fact in tokenizer.facts if fact.name not in OF_TEMPLATES]
    return replace(
        tokenizer,
        name=alone.name,
        files=(*kept, template),
        facts=(*facts, *collect([template])),
    )


def _of_files(
    text: str,
    path: Path,
    files: tuple[SourceFile, ...],
    given: Mapping[str, Any],
    only: str | None,
    served: Served | None = None,
) -> Repository:
    """Find the tokenizers of a folder, local or on a server."""
    try:
        tree = with_extra_tokenizers(bounded(tree_of(files)))
    except UnreadableError as error:
        raise UnreadableError(f"{text}: {error}") from error
    if len(tree.parts) <= 1:
        mine = tree.parts[0].files if tree.parts else ()
        together = tuple(sorted((*mine, *tree.others), key=lambda file: file.name))
        return Repository(text, (_subject(text, path, together, given, served),))
    main = tree.parts[0].label or TOP
    wanted = main if only == "" else only
    subjects = tuple(
        _of_part(text, path, part, given, files, wanted, served) for part in tree.parts
    )
    return Repository(text, subjects, tree.others, tree.beyond)


def _of_part(
    name: str,
    root: Path,
    part: Part,
    given: Mapping[str, Any],
    files: Sequence[SourceFile],
    only: str | None,
    served: Served | None,
) -> Subject:
    label, original = part.label or TOP, part.original
    facts: tuple[Fact, ...] = ()
    if only in (None, label):
        facts = (*collect(part.files), *of_a_part(part.label, files))
    return Subject(
        name,
        root,
        part.files,
        tuple(facts_of(part.side, facts)),
        given,
        label,
        "" if original is None else original or TOP,
        part.side,
        served,
    )


def _subject(
    name: str,
    root: Path,
    files: tuple[SourceFile, ...],
    given: Mapping[str, Any],
    served: Served | None = None,
) -> Subject:
    subject = Subject(name, root, files, collect(files), given, served=served)
    _refuse_nothing(subject)
    return subject


def _refuse_nothing(subject: Subject) -> None:
    roles = {format.name for format in all_formats()}
    if any(file.role in roles for file in subject.files) or reads_nothing(subject) is not None:
        return
    if template_alone(subject) is not None:
        return
    if not subject.files:
        raise UnreadableError(f"{subject.name}: is empty; there is nothing to audit")
    if broken := [file for file in subject.files if _is_broken_tokenizer(file)]:
        said = "; ".join(f"{file.name} is {file.impostor}" for file in broken[:4])
        raise UnreadableError(f"{subject.name}: {said}")
    part = subject.files[0]
    of_checkpoint = part.role != "unread" and not part.impostor
    if of_checkpoint and PurePath(subject.name).name == part.name:
        raise UnreadableError(
            f"{subject.name}: is not a tokenizer but a part of a checkpoint ({part.role}); name "
            f"the folder of the tokenizer instead, such as {PurePath(subject.name).parent}"
        )
    if said := what_it_is(subject):
        raise UnreadableError(f"{subject.name}: {said}")
    if any(file.base in OF_SOURCE or file.name.endswith(".py") for file in subject.files):
        raise UnreadableError(
            f"{subject.name}: contains source code but no tokenizer file; name the folder with "
            "tokenizer.json, or pkg:PACKAGE for an installed package"
        )
    found = "; ".join(f"{file.name}: {_kind(file)}" for file in subject.files[:8])
    raise UnreadableError(
        f"{subject.name}: contains no tokenizer that tokaudit can read ({found}); "
        f"known formats: {', '.join(sorted(roles))}"
    )


def _kind(file: SourceFile) -> str:
    return "unknown format" if file.role == "unread" else file.role


def _is_broken_tokenizer(file: SourceFile) -> bool:
    """Return whether a file with a tokenizer's name holds a pointer, a page or an archive."""
    return bool(file.impostor) and any(f.recognise(file.name, b"") for f in all_formats())
