"""Checks that every loader loads the folder."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tokaudit.engine.loaded import How, Loaded, LoadedBy
from tokaudit.plugin import (
    Basis,
    Decider,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Repair,
    Severity,
    Skip,
    Subject,
    check,
    decision,
)
from tokaudit.subject.effective.refused import CLASS, Refusal
from tokaudit.subject.effective.settings_object import settings_object
from tokaudit.subject.upstream.tokenizer_class import AS_STATED
from tokaudit_suites.shared.library_words import tokens_in
from tokaudit_suites.shared.repairs import person_decides, removed, repaired, set_to, setting
from tokaudit_suites.shared.wording import about

LONGEST = 120  # characters of a value or of the words of a library
EXTRA, ADDITIONAL = "extra_special_tokens", "additional_special_tokens"
WHOLE = "tokenizer.json"


@check(
    "loaders/loads",
    title="Every loader loads the folder",
    why="If one version of a library raises an error on one key of tokenizer_config.json, users "
    "of this version cannot load the model, although another version loads the same folder.",
    remedy="Write {pointer|the key} in {file|the file} in a form that all loaders accept, or name "
    "only the loaders that you support (--loader, or loaders in tokaudit.toml).",
    repair=person_decides("no file says what the value was meant to say"),
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=Basis.INTRINSIC,
    required=True,
    left_to_code=True,
    incident="transformers 5 writes a class that version 4 does not have "
    "(unslothai/unsloth #8444), and extra_special_tokens as a list, which it does not take "
    "(ml-explore/mlx-lm #661, modelscope/ms-swift #8186); it refuses a config with 12 in place of "
    "12.0 (huggingface/transformers #44877).",
)
def loads(subject: Subject, loaded: Loaded) -> Iterator[Finding]:
    """Report each value that makes a loader raise, and the loaders that still succeed."""
    refusing = [by for by in loaded.refusing() if loaded.stated or any(map(_is_meant, by.refusals))]
    for key in dict.fromkeys(each.key for by in refusing for each in by.refusals):
        yield _finding(subject, loaded, key)
    if silent := [by for by in loaded.all if by.how is How.NOT_RUN]:
        raise Skip("; ".join(f"{by.name}: {by.why}" for by in silent))
    if not refusing and not any(by.examined for by in loaded.all):
        raise NotApplicable("no file names a class or a kind of model that a loader would take")


def _is_meant(refusal: Refusal) -> bool:
    """Return whether the folder is meant for the loader: a class or model type is named."""
    return bool(refusal.pointer or refusal.key != CLASS)


def _finding(subject: Subject, loaded: Loaded, key: str) -> Finding:
    """Report loaders' refusals of a key; an error where one is named, or none loads it."""
    found = [(by, each) for by in loaded.all for each in by.refusals if each.key == key]
    others = [by for by in loaded.all if by not in [refusing for refusing, _ in found]]
    first = found[0][1]
    said = "; ".join(_raises(by, each) for by, each in found)
    known = [by.name for by in others if by.examined and by.how is not How.NOT_RUN]
    takes = f" {' and '.join(known)} {_takes(len(known))}." if known else ""
    severity = Severity.ERROR if loaded.stated or not others else Severity.WARNING
    return Finding(
        severity,
        f"{_states(first)}: {said}.{takes}",
        (Place("config", first.file, first.pointer, first.value),),
        cause=key or "refused",
        about=about(*tokens_in(first.says)),
        repair=_repair_of(subject, first),
    )


def _states(refusal: Refusal) -> str:
    if not refusal.key:
        return f"{refusal.file or 'The folder'} is refused"
    if not _is_meant(refusal):
        return f"{refusal.file} names no class and no kind of model"
    return f"{refusal.key} in {refusal.file} is {_short(refusal.value)}"


def _raises(by: LoadedBy, refusal: Refusal) -> str:
    when = "fails to encode a text" if refusal.encoding else "fails to load the folder"
    return f"{by.name} {when} ({_shortened(refusal.says).rstrip('.')})"


def _takes(count: int) -> str:
    return "load the folder" if count > 1 else "loads the folder"


def _short(value: object) -> str:
    plain = value is None or isinstance(value, bool)
    return json.dumps(value) if plain else _shortened(repr(value))


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def _repair_of(subject: Subject, refusal: Refusal) -> Repair | None:
    """Remove a null, rename a list of tokens to its common name, or set the class."""
    place = Place("config", refusal.file, refusal.pointer, refusal.value)
    value = refusal.value
    if refusal.key == CLASS and any(file.base == WHOLE for file in subject.files):
        return repaired(set_to(place, AS_STATED))
    if value is None and refusal.pointer:
        return repaired(removed(place))
    if refusal.key == EXTRA and isinstance(value, list):
        listed = settings_object(subject, refusal.file.rpartition("/")[2]).get(ADDITIONAL)
        both = [*listed, *value] if isinstance(listed, list) else value
        kept = [each for at, each in enumerate(both) if each not in both[:at]]
        if not kept:
            return repaired(removed(place))
        return repaired(removed(place), setting(refusal.file, ADDITIONAL, kept))
    return decision(Decider.PERSON, "no file says what the value was meant to say")
