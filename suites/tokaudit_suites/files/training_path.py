"""Training paths and settings that a SentencePiece trainer leaves in the model file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tokaudit.plugin import (
    Basis,
    Contents,
    Evidence,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Severity,
    SourceFile,
    Subject,
    UnreadableError,
    check,
)
from tokaudit.subject.formats.sentencepiece_model import FORMAT, training
from tokaudit_reference.spec import SpecError
from tokaudit_suites.shared.wording import plural, quote

PATHS = ("input", "model_prefix")


@check(
    "files/training-path",
    title="A SentencePiece model holds no private paths",
    why="A SentencePiece trainer writes its settings into the model file. If the settings of a "
    "SentencePiece trainer contain paths of corpus files, names of users, machines and projects "
    "are published with the model.",
    remedy="Clear input and model_prefix in trainer_spec before publishing, or train with relative "
    "paths; ids do not depend on them.",
    severity=Severity.INFO,
    harm=Harm.LEAK,
    milder="a path that is published may be meant to be.",
    basis=Basis.INTRINSIC,
    incident="A dump of any .model shows trainer_spec.input and model_prefix "
    "(google/sentencepiece #886).",
)
def training_path(subject: Subject, contents: Contents) -> Iterator[Finding]:
    """Report each model with all such settings, paths first."""
    files = [file for file in subject.files if file.role == FORMAT.name]
    if not files:
        raise NotApplicable("no SentencePiece model is here")
    for file in files:
        if stated := _stated(file, contents):
            yield _finding(file, stated)


def _stated(file: SourceFile, contents: Contents) -> Mapping[str, list[str]]:
    """Return the settings of a file; files/parse reports what does not parse."""
    try:
        return training(contents.whole(file), file.name)
    except (SpecError, UnreadableError):
        return {}


def _finding(file: SourceFile, stated: Mapping[str, list[str]]) -> Finding:
    paths = [(key, value) for key in PATHS for value in stated.get(key, ()) if _is_path(value)]
    named = [key for key in stated if key not in PATHS]
    said = f"{file.name} says how it was trained, by {plural(len(named), 'setting')}."
    if paths:
        key, value = paths[0]
        said = f"{file.name} says where it was trained: {key} is {quote(value[:120])}."
    places = tuple(Place("model", file.name, f"trainer_spec.{key}", value) for key, value in paths)
    facts = {key: values if len(values) > 1 else values[0] for key, values in stated.items()}
    return Finding(
        Severity.INFO,
        said,
        places or (Place("model", file.name, "trainer_spec"),),
        (Evidence("facts", facts=facts),),
        cause="path" if paths else "settings",
    )


def _is_path(value: str) -> bool:
    """Return whether a text is a path with a folder in it, on any system.

    >>> _is_path("/home/ann/corpus.txt"), _is_path("C:\\\\texts\\\\a.txt"), _is_path("corpus.txt")
    (True, True, False)
    """
    return "/" in value or "\\" in value
