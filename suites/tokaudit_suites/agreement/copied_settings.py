"""A copy of the tokenizer elsewhere in the repository, with other settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tokaudit.plugin import (
    Basis,
    Evidence,
    Fact,
    Finding,
    Harm,
    NotApplicable,
    Original,
    Place,
    Severity,
    Subject,
    check,
)
from tokaudit_suites.shared.repairs import as_one_of_two
from tokaudit_suites.shared.stated_roles import ROLES, content_of, ids_in

TEMPLATE = "chat_template"
COMPARED: Mapping[str, str] = {
    **{f"{role}_token": "texts that begin, end or are padded differently" for role in ROLES},
    **{f"{role}_token_id": "generation that begins, stops or pads differently" for role in ROLES},
    "add_bos_token": "texts that begin with different tokens",
    "add_eos_token": "texts that end with different tokens",
    "add_prefix_space": "different ids for the first word",
    "clean_up_tokenization_spaces": "different spaces in decoded text",
    "do_lower_case": "different ids for capital letters",
    "padding_side": "batches that are padded on different sides",
    "split_special_tokens": "different ids for special tokens in a text",
    TEMPLATE: "different prompts for the same chat",
}
"""What a setting is called, and what another value does."""
SHOWN = 60


@check(
    "agreement/copied-settings",
    title="Copies in the repository have the same settings",
    why="An export or a checkpoint inside a repository has its own settings files. If the chat "
    "template, the end-of-text token or the padding side of an export or checkpoint differs from "
    "the repository's main settings, its users get other prompts than users of the main model.",
    remedy="Copy {other|the settings of the main tokenizer} over {file|the copy's}, or delete the "
    "setting from the copy.",
    repair=as_one_of_two,
    severity=Severity.WARNING,
    harm=Harm.OTHER_PROMPT,
    milder="a copy may be meant for another engine, and no file says which of the two is served.",
    basis=Basis.CROSS_FILE,
    incident="Engines found no template, or another one, where files state several "
    "(huggingface/text-generation-inference #3247).",
)
def copied_settings(subject: Subject, original: Original) -> Iterator[Finding]:
    """Compare each setting that both state in files of the same name; skip the others."""
    mine, its = _stated(subject), _stated(original.subject)
    both = mine.keys() & its.keys()
    if not both:
        raise NotApplicable("no setting is stated by the copy and by the main tokenizer")
    reported = set()
    for name, base in sorted(both):
        here, there = mine[name, base], its[name, base]
        if name not in reported and _value(here) != _value(there):
            reported.add(name)
            yield _finding(here, there)


def _stated(subject: Subject) -> dict[tuple[str, str], Fact]:
    """Return the first fact of each setting in each file, by setting and file name."""
    found: dict[tuple[str, str], Fact] = {}
    for fact in subject.facts:
        if fact.name in COMPARED and fact.value is not None and _is_outermost(fact):
            found.setdefault((fact.name, fact.file.rpartition("/")[2]), fact)
    return found


def _is_outermost(fact: Fact) -> bool:
    return fact.pointer.count("/") <= 1


def _value(fact: Fact) -> Any:
    """Return a fact's value in comparable form: ids as a set, a token by its text."""
    if fact.name.endswith("_token_id"):
        return frozenset(ids_in(fact.value))
    if fact.name == TEMPLATE:
        return str(fact.value).strip()
    return content_of(fact.value) or fact.value


def _finding(here: Fact, there: Fact) -> Finding:
    values = [repr(content_of(fact.value) or fact.value)[:SHOWN] for fact in (here, there)]
    said = f"is {values[0]} in {here.file} and {values[1]} in {there.file}"
    if here.name == TEMPLATE:
        said = f"of {here.file} is not that of {there.file}"
    return Finding(
        Severity.WARNING,
        f"The {here.name} {said}: users who load the two folders get {COMPARED[here.name]}.",
        tuple(Place("config", fact.file, fact.pointer, fact.value) for fact in (here, there)),
        (Evidence("facts", facts=dict(zip((here.file, there.file), values, strict=True))),),
        cause=here.name,
    )
