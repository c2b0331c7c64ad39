"""Settings of a sentence encoder that sentence-transformers reads differently from the base's."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from tokaudit.plugin import (
    Base,
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
from tokaudit.report.recorded import LoaderValue
from tokaudit.subject.effective.readers.sentence_encoder import NAME, PROMPTS
from tokaudit.subject.effective.value_table import Parsed, value_table
from tokaudit_suites.shared.base_facets import of_base
from tokaudit_suites.shared.repairs import person_decides

LIBRARY = NAME.partition(" (")[0]


@check(
    "baseline/sentence-encoder",
    title="Sentence vectors are made as in the base",
    why="A sentence encoder's vectors depend on more than its tokenizer: the pooling, the text put "
    "before queries, the maximum length and the list of modules. If one of them differs from the "
    "base, a text gets another vector than from the base.",
    remedy="Copy the setting that is different from {other|the base model's file}, unless the "
    "difference is intended.",
    repair=person_decides("no file says which of the two settings this encoder expects"),
    severity=Severity.WARNING,
    harm=Harm.OTHER_PROMPT,
    milder="an encoder may be meant to take another setting than its base, and no file says so.",
    basis=Basis.BASELINE,
    incident="An encoder whose texts lacked the prompt of its training found other passages "
    "(QwenLM/Qwen3-Embedding #10).",
)
def sentence_encoder(subject: Subject, found: Representations, base: Base) -> Iterator[Finding]:
    """Compare the rows of the table of loaders that sentence-transformers has."""
    of_base_file = [] if base.representation is None else [(base.representation, base.spec)]
    mine, theirs = _cells(subject, found.parsed), _cells(base.subject, of_base_file)
    if not (mine and theirs):
        raise NotApplicable("this folder or its base lists no modules of a sentence encoder")
    for key in (key for key in mine if key in theirs):
        here, there = mine[key], theirs[key]
        if here.value != there.value:
            places = [_place(here), of_base(base, _place(there))]
            yield Finding(
                Severity.INFO if _adds_prompts(here, there) else Severity.WARNING,
                f"{LIBRARY} takes {key} as {here.shown()} here ({here.source}), and as "
                f"{there.shown()} in {base.called} ({there.source}).",
                tuple(place for place in places if place.file),
                cause=key,
            )


def _cells(subject: Subject, parsed: Parsed) -> Mapping[str, LoaderValue]:
    return {cell.key: cell for cell in value_table(subject, parsed) if cell.loader == NAME}


def _place(cell: LoaderValue) -> Place:
    return Place("config", cell.file, cell.pointer)


def _adds_prompts(here: LoaderValue, there: LoaderValue) -> bool:
    """Return whether all prompts of the base are here, and more."""
    if here.key != PROMPTS or "refused" in f"{here.value}{there.value}":
        return False
    own, given = json.loads(here.value), json.loads(there.value)
    return all(own.get(name) == text for name, text in given.items())
