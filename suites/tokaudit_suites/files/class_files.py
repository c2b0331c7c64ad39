"""Files and settings that a class needs and the folder lacks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Place, Severity, Subject, check
from tokaudit.subject.upstream.loading_class import NamedClass, class_of
from tokaudit.subject.upstream.tokenizer_class import TokenizerClass
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit.subject.weights import weight_files
from tokaudit_suites.shared.repairs import base_decides
from tokaudit_suites.shared.stated_keys import StatedKeys
from tokaudit_suites.shared.stated_roles import place_of
from tokaudit_suites.shared.wording import quote

WHOLE = "tokenizer.json"
OWN_CODE, OTHER_REPOSITORY = "auto_map", "--"


@check(
    "files/class-files",
    title="Every file the class needs is present",
    why="A tokenizer class that needs several files fails if one file is missing, or works only "
    "in part: a Marian tokenizer, for example, needs target.spm for the target language and "
    "vocab.json for the ids.",
    remedy="Copy the missing file from the base model, or save the tokenizer again with its class.",
    repair=base_decides(
        "the missing file comes from the base, or from the person who saved the tokenizer"
    ),
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=Basis.CROSS_FILE,
    left_to_code=True,
    incident="Marian's conversion wrote one of source.spm and target.spm, and loading ended with "
    "'not a string' (transformers, models/marian/tokenization_marian.py).",
)
def class_files(subject: Subject, keys: StatedKeys) -> Iterator[Finding]:
    """Look for the files of the class if one of them exists, and for its settings."""
    if lost := [*_without_code(subject, keys)]:
        yield from lost
        return
    named = class_of(subject)
    if named is None or named.known is None or not named.fact.pointer:
        raise NotApplicable("no file names a class whose files are known")
    folder = named.fact.file.rpartition("/")[0]
    here = {
        base
        for file in subject.files
        if file.name.rpartition("/")[0] == folder
        for base in (file.base, file.name.rpartition("/")[2])
    }
    if not here.intersection(named.known.files):
        raise NotApplicable(f"the folder has no file of {named.name}")
    if WHOLE in here and _reads_the_whole(named.known):
        raise NotApplicable(f"{named.name} reads {WHOLE}")
    wanted = set(named.known.files) - set(named.known.loading.optional_files)
    for base in sorted(wanted - here):
        yield _missing(named, f"reads {base}, which the folder lacks", base)
    for key in named.known.loading.required_settings:
        if not any(each.key == key for each in keys.all):
            yield _missing(named, f"needs a {key}, which the folder lacks", key)


def _without_code(subject: Subject, keys: StatedKeys) -> Iterator[Finding]:
    """Report classes of the checkpoint's own code without their file, next to the weights.

    Source: `get_class_from_dynamic_module` in transformers 4.57.6, dynamic_module_utils.py.
    """
    if all(file.known.endswith(".gguf") for file in weight_files(subject)):
        return  # a copy for another engine, or of the tokenizer alone
    here = {file.name for file in subject.files}
    for stated in (key for key in keys.all if key.key == OWN_CODE):
        folder = stated.file.rpartition("/")[0]
        classes = {name: f"{name.partition('.')[0]}.py" for name in _texts(stated.value)}
        lost = {
            file: name
            for name, file in classes.items()
            if OTHER_REPOSITORY not in name and f"{folder}/{file}".lstrip("/") not in here
        }
        for file, name in lost.items():
            message = (
                f"{OWN_CODE} in {stated.file} names the class {quote(name)}, but the folder has no "
                f"{file}: transformers {FOUR} and {FIVE} stop with an error where code of the "
                "folder is allowed (trust_remote_code)."
            )
            remedy = f"Copy {file} from the base model, or remove {OWN_CODE} from {stated.file}."
            yield replace(stated.reported(Severity.WARNING, message), remedy=remedy, cause=file)


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for each in value.values():
                yield from _texts(each)
        case [*slow, fast]:  # loaders open one file: that of the fast class, if any
            yield from _texts(fast if fast is not None else slow)


def _reads_the_whole(row: TokenizerClass) -> bool:
    return "fast" in row.four or row.five.startswith("tokenizer")


def _missing(named: NamedClass, what: str, name: str) -> Finding:
    return Finding(
        Severity.ERROR,
        f"The class {named.name}, named in {named.fact.file}, {what}: loaders stop with an error.",
        (place_of(named.fact, "config"), Place("vocab", value=name)),
        cause=name,
    )
