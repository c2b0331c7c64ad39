"""Settings files that are gone since the base model, or differ in keys no other check compares."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tokaudit.engine.facet_names import PADDING, ROLES
from tokaudit.engine.sides.side import Side
from tokaudit.plugin import (
    Base,
    BaseTrial,
    Basis,
    Finding,
    Harm,
    Place,
    Severity,
    SourceFile,
    Subject,
    check,
    located,
)
from tokaudit.products.compare.facets.stated import FACTS, stated_facets
from tokaudit.products.compare.settings.files import DifferingFile
from tokaudit.products.compare.settings.loaded import loaded_facets
from tokaudit.products.compare.settings.unspoken import unspoken_files
from tokaudit.subject.effective.readers.sentence_encoder import SentenceEncoder
from tokaudit.subject.facts import MODEL
from tokaudit_suites.baseline._key_changes import KeyChange, key_changes
from tokaudit_suites.shared.base_facets import of_base
from tokaudit_suites.shared.repairs import person_decides, repaired, taken
from tokaudit_suites.shared.uses import if_it_generates
from tokaudit_suites.shared.wording import some

ADAPTER = "adapter_config.json"
SHOWN = 60  # characters of a value
GENERATION = "generation_config.json"
OF_MODELS = (MODEL, GENERATION, "preprocessor_config.json", "processor_config.json")
"""Files that a folder with a model has, and one of a tokenizer alone does not need."""


@check(
    "baseline/settings-files",
    title="Settings files state what the base's do",
    why="A folder can lack one settings file, or differ in one key of it, although all its other "
    "files match the base model's. Loaders then use a default or another value: generation ends "
    "at another token, or images are given another size.",
    remedy="Copy {file|the file} from the base into this folder, or the key that is different.",
    repair=person_decides("no file says which of the two settings the model expects"),
    severity=Severity.WARNING,
    harm=Harm.OTHER_PROMPT,
    milder="a model may be meant to do without a setting of its base, and no file says so.",
    basis=Basis.BASELINE,
    incident="A merge left out the checkpoint's generation_config.json and with it one of its two "
    "stops (hiyouga/EasyR1 PR#11007).",
)
def settings_files(subject: Subject, base: Base, by: BaseTrial) -> Iterator[Finding]:
    """Report each missing file with its lost settings, then the files that differ."""
    left, right = by.trial.left, by.trial.right
    facets = [*stated_facets(left, right), *loaded_facets(by.trial)]
    own = {file.known for file in subject.files}
    compared = [place for side in (left, right) for place in _compared_elsewhere(side)]
    for each in unspoken_files(left, right, facets, compared):
        file = next((file for file in base.subject.files if file.known == each.name), None)
        if each.values:
            yield from _changed(each, subject, base, by)
        elif each.name in own:
            yield _differing(each, subject, base)
        elif file is not None and _counts(subject, each.name):
            gone = _gone(subject, base, file, each)
            of_texts = file.base == GENERATION
            yield from (if_it_generates(one, subject) if of_texts else one for one in gone)


def _compared_elsewhere(side: Side) -> Iterator[Place]:
    """Yield the places that the other baseline checks compare, including one-sided ones."""
    if side.subject is not None:
        for cell in SentenceEncoder(side.subject, None).cells():
            yield side.stated(cell.key, cell.file, cell.pointer, None)
    keys = [*FACTS[ROLES], *FACTS[PADDING], "eos_token_id", "chat_template"]
    for fact in side.subject.facts_named(*keys) if side.subject is not None else ():
        pointer = fact.pointer.removesuffix("/content")
        yield side.stated(fact.name, fact.file, pointer, None)


def _counts(subject: Subject, name: str) -> bool:
    """Return whether this kind of folder needs the file; an adapter needs no model files."""
    own = {file.base for file in subject.files}
    return name not in OF_MODELS or (MODEL in own and ADAPTER not in own)


def _gone(
    subject: Subject, base: Base, file: SourceFile, differing: DifferingFile
) -> Iterator[Finding]:
    """Report a missing file of the base whose settings no file here states."""
    lost = [key.removeprefix("/") for key in differing.keys]
    lost = [key for key in lost if not key or not subject.facts_named(key)]
    if not lost:
        return
    what = f" with the keys {some([key for key in lost if key])}" if any(lost) else ""
    there = of_base(base, Place("config", file.name))
    yield Finding(
        Severity.WARNING,
        f"This folder lacks {differing.name}, which {base.called} has{what}.",
        (there,),
        cause=f"{differing.name} gone",
        repair=repaired(taken(Place("config", file.name), there, from_base=True)),
    )


def _changed(
    differing: DifferingFile, subject: Subject, base: Base, by: BaseTrial
) -> Iterator[Finding]:
    """Report the keys that loaders act on differently, or else the file as it differs."""
    left, right = by.trial.left, by.trial.right
    changes = list(key_changes(differing, left, right))
    if not changes:
        yield _differing(differing, subject, base)
        return
    said = [_said(each, base) for each in changes]
    yield replace(
        _differing(differing, subject, base),
        severity=Severity.WARNING,
        message=f"Loaders take other settings from {differing.name} than from {base.called}: "
        f"{some(said)}.",
        cause=f"keys of {differing.name}",
    )


def _said(change: KeyChange, base: Base) -> str:
    key, here, there = change.pointer[1:], *map(_shown, (change.mine, change.theirs))
    if change.theirs is None:
        return f"{key} is {here}, and is not stated in {base.called}"
    if change.mine is None:
        return f"{key} is {there} in {base.called}, and is not stated here"
    return f"{key} is {here}, not {there}"


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def _differing(differing: DifferingFile, subject: Subject, base: Base) -> Finding:
    """Report keys without a known effect, for the user to check."""
    own = {located(subject.name, file.name): file.name for file in subject.files}
    here = [Place("config", own[p.file], p.pointer) for p in differing.places if p.file in own]
    there = [place for place in differing.places if place.file not in own]
    return Finding(
        Severity.INFO,
        f"{differing.name} {differing.why}, compared with {base.called}.",
        (*here, *there),
        cause=differing.name,
    )
