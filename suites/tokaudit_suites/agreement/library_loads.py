"""Does the library that production would use load the file?"""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    Finding,
    Harm,
    Place,
    Representation,
    Representations,
    Severity,
    Subject,
    UpstreamLoad,
    check,
)
from tokaudit.subject.effective.readers.mistral_values import stated_tekken
from tokaudit.subject.safe_json import pointer
from tokaudit.subject.upstream.published.mistral_common import MISTRAL_COMMON, refused
from tokaudit_suites.shared.library_words import tokens_in
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.wording import about

TEKKEN = "tekken"


@check(
    "agreement/library-loads",
    title="The upstream library loads the file",
    why="If the library that reads a tokenizer file refuses the file, hangs or crashes, every "
    "service that loads the file goes down.",
    remedy="Load {file|the file} with the library version in the message, and correct what the "
    "error of the library names.",
    repair=person_decides("the library says what it refuses, and not what was meant there"),
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=Basis.INTRINSIC,
    incident="A library from before a change of the format stops with 'data did not match "
    "any variant of untagged enum ModelWrapper' (allenai/open-instruct #738).",
)
def upstream_loads(
    load: UpstreamLoad,
    representation: Representation,
    representations: Representations,
    subject: Subject,
) -> Iterator[Finding]:
    """Report the library's own error if it refuses the file or crashes on it.

    A tekken.json is run by tiktoken, and what mistral-common refuses of it is known by its rules;
    next to another file it is still what mistral-common and vLLM load.
    """
    for each, _ in representations.parsed:
        if each.format == TEKKEN:
            yield from _refused_tekken(subject, each.files[0])
    if load.tokenizer is not None:
        return
    how = "dies of" if load.crashed else "refuses"
    says = "crashes on" if load.crashed else how
    place = Place("tokenizer", representation.files[0])
    message = f"The library {load.adapter} {says} {representation.files[0]}: {load.error}"
    of = about(*tokens_in(load.error))
    yield Finding(Severity.ERROR, message, (place,), cause=how, about=of)


def _refused_tekken(subject: Subject, file: str) -> Iterator[Finding]:
    found = refused(stated_tekken(subject, file))
    if found is not None:
        message = f"mistral-common {MISTRAL_COMMON} refuses {file}: {found.says}."
        place = Place("tokenizer", file, pointer(*found.at))
        yield Finding(Severity.ERROR, message, (place,), cause="refused by mistral-common")
