"""Files next to the tokenizer that run code when opened."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from pathlib import PurePosixPath

from tokaudit.plugin import Contents, Finding, Place, Severity, SourceFile, Subject
from tokaudit_suites.shared.wording import plural, some

PROGRAMS = (".so", ".dll", ".dylib", ".exe", ".pyd", ".pyc", ".jar")
SOURCES = (".py", ".sh", ".bat", ".ps1", ".cpp", ".cu")
PICKLES = (".pkl", ".pickle", ".joblib", ".dill")
TORCH = (".bin", ".pt", ".pth", ".ckpt")  # a zip archive with a pickle in it, or one alone
BEGINNING = re.compile(rb"\x7fELF|MZ[^\0]{0,60}\0|[\xcf\xce]\xfa\xed\xfe|\xca\xfe\xba\xbe")
PICKLED, ZIPPED = re.compile(rb"\x80[\x02-\x05]"), b"PK\x03\x04"
WEIGHTS = re.compile(
    r"(pytorch|diffusion|adapter|open_clip|tf_|flax_)?_?(pytorch_)?"
    r"(model|adapter|consolidated|lora|weights|ema|unet|vae)\b.*|.*lora.*|model[-_.].*",
    re.IGNORECASE,
)
OF_A_TOKENIZER = re.compile(r"(.*[-_.])?(tokenizer|vocab|vocabulary|spiece|merges|bpe)\b.*", re.I)


class Runs(Enum):
    """An effect of opening a file: its severity and wording."""

    PROGRAM = Severity.WARNING, "hold a program for a machine, which no tokenizer needs"
    TOKENIZER = (
        Severity.WARNING,
        "are pickles under a tokenizer's name: who loads such a file runs its code",
    )
    PICKLE = Severity.INFO, "are pickles: loading one runs its code"
    SOURCE = Severity.INFO, "are code, which tokaudit neither reads nor runs"


def runs_code(subject: Subject, contents: Contents) -> Iterator[Finding]:
    """Report each kind with its files; weights in pickles are left to their readers.

    An installed package is code itself, so nothing of it is named.
    """
    if _is_package(subject):
        return
    found: dict[Runs, list[str]] = {}
    for file in subject.files:
        kind = kind_of(file, contents.beginning(file)) if file.regular else None
        if kind is not None:
            found.setdefault(kind, []).append(file.name)
    for kind in (kind for kind in Runs if kind in found):
        severity, said = kind.value
        names = found[kind]
        yield Finding(
            severity,
            f"{plural(len(names), 'file')} here {said if len(names) > 1 else _one(said)}: "
            f"{some(names)}.",
            tuple(Place("file", name) for name in names[:8]),
            cause=kind.name.lower(),
        )


def kind_of(file: SourceFile, head: bytes) -> Runs | None:
    """Return the effect of opening a file, by its first bytes and name; None if harmless."""
    path = PurePosixPath(file.name)
    suffix = path.suffix.lower()
    if BEGINNING.match(head) or suffix in PROGRAMS:
        return Runs.PROGRAM
    if suffix in PICKLES or _is_pickle(suffix, head):
        if OF_A_TOKENIZER.fullmatch(path.name):
            return Runs.TOKENIZER
        return None if WEIGHTS.fullmatch(path.name) else Runs.PICKLE
    return Runs.SOURCE if suffix in SOURCES else None


def _is_pickle(suffix: str, head: bytes) -> bool:
    """Return whether a file begins like a pickle; a safetensors length may look the same."""
    if suffix == ".safetensors":
        return False
    return PICKLED.match(head) is not None or (suffix in TORCH and head.startswith(ZIPPED))


def _is_package(subject: Subject) -> bool:
    return subject.name.startswith("pkg:") or subject.file("__init__.py") is not None


def _one(said: str) -> str:
    """Convert a plural phrase to the singular.

    >>> _one("are pickles: loading one runs its code")
    'is a pickle: who loads one runs what it says'
    """
    for many, one in (("are pickles", "is a pickle"), ("are code", "is code"), ("hold", "holds")):
        if said.startswith(many):
            return one + said.removeprefix(many)
    return said
