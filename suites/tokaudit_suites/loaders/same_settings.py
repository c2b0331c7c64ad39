"""Settings that the two current versions of transformers read differently."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tokaudit.plugin import (
    Basis,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Representations,
    Severity,
    Subject,
    check,
)
from tokaudit.report.recorded import LoaderValue, values_by_key
from tokaudit.subject.effective.loaders import CURRENT
from tokaudit.subject.effective.refused import refusals
from tokaudit.subject.effective.tokenizer_file import TOKENIZER_JSON
from tokaudit.subject.effective.tokens_added import tokens_added
from tokaudit.subject.effective.value_table import (
    AFTER,
    BEFORE,
    CLASS,
    STOPS,
    TEMPLATE,
    value_table,
)
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.wording import quote, some

SWITCH = {BEFORE: "add_bos_token", AFTER: "add_eos_token"}
"""Where one is stated, special_tokens/post-processor says which version follows it."""
WHATEVER = ("bos_token", "eos_token", "pad_token", BEFORE, AFTER, TEMPLATE, STOPS)
"""Keys whose value changes what a model gets or when it stops, though one version has none."""
IF_BOTH = ("unk_token", "sep_token", "cls_token", "mask_token")
"""Keys that matter only where both versions have a value."""


@check(
    "loaders/same-settings",
    title="Both versions of transformers take the same settings",
    why="If no file states a tokenizer setting, transformers uses the default of the tokenizer "
    "class. Some defaults differ between transformers 4 and 5: another end of text, another token "
    "before every text, no pad token. Where the defaults of two versions of transformers differ, "
    "their users get different prompts and stop tokens, without an error.",
    remedy="Write the setting into {file|tokenizer_config.json}, or set tokenizer_class to a class "
    "with which both versions of transformers follow tokenizer.json.",
    repair=person_decides("no file says which of the two the model expects"),
    severity=Severity.WARNING,
    harm=Harm.OTHER_PROMPT,
    milder="Either version alone does what it says; it harms those who use both.",
    basis=Basis.CROSS_FILE,
    left_to_code=True,
    incident="Version 5 takes another class than version 4 for the same folder, and tokens and "
    "roles of its own (huggingface/transformers #45701).",
)
def same_settings(subject: Subject, found: Representations) -> Iterator[Finding]:
    """Compare the values of both versions by key; one finding names all differences."""
    names = [f"{loader.name} (emulated)" for loader in CURRENT]
    if any(refusals(subject, loader.version) for loader in CURRENT):
        raise NotApplicable("a version does not load the folder: loaders/loads says why")
    rows = values_by_key(value_table(subject, found.parsed))
    differing = {
        key: (row[names[0]], row[names[1]])
        for key in (*WHATEVER, *IF_BOTH)
        if {*names} <= (row := rows.get(key, {})).keys()
        if _differ(subject, key, row[names[0]], row[names[1]])
    }
    said = [_said(key, *cells) for key, cells in differing.items()]
    said += _added(subject, found)
    if said:
        yield Finding(
            Severity.WARNING,
            f"{CURRENT[0].name} and {CURRENT[1].name} (emulated) use different settings for this "
            f"folder: {some(said)}.",
            tuple(_places([*differing.values(), [rows[CLASS][names[0]]]])),
            cause="versions",
        )


def _differ(subject: Subject, key: str, four: LoaderValue, five: LoaderValue) -> bool:
    if four.value == five.value or (key in SWITCH and subject.facts_named(SWITCH[key])):
        return False
    return key in WHATEVER or None not in (four.value, five.value)


def _said(key: str, four: LoaderValue, five: LoaderValue) -> str:
    first, second = (f"{cell.shown()} ({cell.source})" for cell in (four, five))
    return f"{key} is {first} in {CURRENT[0].version} and {second} in {CURRENT[1].version}"


def _added(subject: Subject, found: Representations) -> Iterator[str]:
    """Yield the tokens in settings that only one version adds."""
    for _, spec in found.parsed:
        both = [{*tokens_added(subject, spec, loader)} for loader in CURRENT]
        for loader, own, other in zip(CURRENT, both, reversed(both), strict=True):
            if alone := sorted(own - other):
                yield f"{loader.name} alone adds {some([quote(each) for each in alone])}"


def _places(rows: Iterable[Sequence[LoaderValue]]) -> Iterator[Place]:
    """Yield the places of the settings, and of the class that decides the others."""
    stated = ((cell.file, cell.pointer) for row in rows for cell in row if cell.file)
    for file, at in dict.fromkeys(stated):
        in_tokenizer = file.rpartition("/")[2] == TOKENIZER_JSON
        yield Place(at.split("/")[1] if in_tokenizer and at else "config", file, at)
