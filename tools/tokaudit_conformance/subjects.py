"""The tokenizers to compare: those of a folder, and all that installed packages ship.

Packages are searched, not listed: a file counts when a format recognises it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import distributions
from pathlib import Path, PurePosixPath

from tokaudit.foundation.errors import Skip, UnreadableError
from tokaudit.runtimes.request import LoadRequest
from tokaudit.runtimes.subject_requests import reference_request, upstream_request
from tokaudit.subject.content import Content
from tokaudit.subject.files import HEAD
from tokaudit.subject.formats import all_formats
from tokaudit.subject.material import Subject
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import Representation, parse_all
from tokaudit.subject.sniff import role_of
from tokaudit_reference.spec import TokenizerSpec

SMALLEST = 2_000  # bytes; a smaller file of a package is not a tokenizer
CODE = frozenset(
    [
        ".py",
        ".pyi",
        ".pyc",
        ".so",
        ".c",
        ".h",
        ".cpp",
        ".hpp",
        ".cu",
        ".js",
        ".ts",
        ".css",
        ".html",
        ".md",
        ".rst",
        ".png",
    ]
)
# Packages whose own Python encoder runs a format that no adapter runs.
OWN_ENCODERS = {"rwkv": "tokaudit_conformance.rwkv_world:TOKENIZER"}


@dataclass(frozen=True)
class LoadPair:
    """One representation of one tokenizer, as the library and as the reference are to load it."""

    name: str
    spec: TokenizerSpec
    upstream: LoadRequest
    reference: LoadRequest


def installed() -> list[str]:
    """The tokenizers that installed packages ship, each as it is named to tokaudit."""
    found: dict[PurePosixPath, list[tuple[str, str]]] = defaultdict(list)
    for distribution in distributions():
        for file in distribution.files or ():
            inside = len(file.parts) > 1 and file.parts[0].isidentifier()
            if inside and file.suffix not in CODE:
                role = _role(Path(str(distribution.locate_file(file))))
                if role:
                    found[PurePosixPath(file.parent)].append((file.name, role))
    return [
        f"pkg:{name}" for folder, files in sorted(found.items()) for name in _named(folder, files)
    ]


def in_folder(folder: Path) -> list[str]:
    """The tokenizers in the folders of a folder."""
    names: list[str] = []
    for path in sorted(filter(Path.is_dir, folder.iterdir())):
        files = [(file.name, _role(file)) for file in sorted(path.iterdir())]
        names += map(str, _named(PurePosixPath(path), [(n, role) for n, role in files if role]))
    return names


def pairs(name: str) -> Iterator[LoadPair]:
    """Every representation of a subject that an upstream library runs."""
    try:
        subject = open_subject(name)
    except UnreadableError:
        return
    for representation, spec in parse_all(subject).parsed:
        upstream = _upstream(subject, representation, spec)
        if upstream is not None:
            label = f"{_short(name)} ({representation.format})"
            yield LoadPair(label, spec, upstream, reference_request(spec))


def _upstream(
    subject: Subject, representation: Representation, spec: TokenizerSpec
) -> LoadRequest | None:
    if representation.format in OWN_ENCODERS:
        return LoadRequest("call", OWN_ENCODERS[representation.format])
    try:
        return upstream_request(subject, representation, spec)
    except Skip:
        return None


def _role(path: Path) -> str:
    """The format of a file, or nothing."""
    if not path.is_file() or path.stat().st_size < SMALLEST:
        return ""
    role = role_of(path.name, Content(path, path.name).head(HEAD))
    return role if role in {format.name for format in all_formats()} else ""


def _named(folder: PurePosixPath, files: Iterable[tuple[str, str]]) -> list[PurePosixPath]:
    """The folder, where its files are one tokenizer, else each file.

    >>> _named(PurePosixPath("m"), [("a.model", "sentencepiece"), ("b.model", "sentencepiece")])
    [PurePosixPath('m/a.model'), PurePosixPath('m/b.model')]
    >>> _named(PurePosixPath("m"), [("tokenizer.json", "tokenizer.json"), ("v", "vocab.txt")])
    [PurePosixPath('m')]
    """
    listed = sorted(files)
    if max(Counter(role for _, role in listed).values(), default=0) > 1:
        return [folder / name for name, _ in listed]
    return [folder] if listed else []


def _short(name: str) -> str:
    return name if name.startswith("pkg:") else "/".join(Path(name).parts[-1:])
