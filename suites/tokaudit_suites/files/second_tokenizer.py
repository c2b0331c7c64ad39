"""A second tokenizer in a folder that no loader uses."""

from __future__ import annotations

from collections.abc import Iterator

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
from tokaudit.subject.repository.extra_tokenizers import is_second
from tokaudit.subject.upstream.loading_class import class_of
from tokaudit_suites.shared.copies import Pair, copies, spelled_ids
from tokaudit_suites.shared.wording import plural


@check(
    "files/second-tokenizer",
    title="A folder holds one tokenizer for loaders",
    why="If a folder holds two tokenizer files of the same format, loaders read the file with the "
    "usual name. A second tokenizer file of the same format is another tokenizer or an older "
    "copy, and users who open this file get different ids. tokaudit audits the second tokenizer "
    "file without weights and configs, because no file says which of the two tokenizers the "
    "weights and configs belong to.",
    remedy="Move the other file into a folder with its own config.json.",
    severity=Severity.INFO,
    harm=Harm.STYLE,
    basis=Basis.CROSS_FILE,
    incident="Marian's source.spm and target.spm are two models for one vocab.json; loaded without "
    "it, the ids of both differ from its own (huggingface/transformers, models/marian).",
)
def second_tokenizer(subject: Subject, representations: Representations) -> Iterator[Finding]:
    """Report each file of another tokenizer, and whether the audit includes it."""
    taken = copies(representations)
    if not taken:
        raise NotApplicable("no tokenizer parses")
    main = taken[0][0].files[0]
    for file in subject.files:
        if is_second(file):
            yield _named(file.name, f"is {file.role}; loaders read {main}.", main)
    mine = {item.files[0] for item, _ in taken}
    for item, spec in representations.parsed:
        if item.files[0] not in mine and not _is_of_the_class(subject, item.files[0]):
            yield _finding(taken[0], (item, spec))


def _is_of_the_class(subject: Subject, name: str) -> bool:
    """Return whether the folder's class reads the file next to the first."""
    named, file = class_of(subject), subject.file(name)
    stated = named is not None and named.fact.pointer and named.known is not None
    return bool(stated and named and named.known and file and file.base in named.known.files)


def _finding(first: Pair, other: Pair) -> Finding:
    """Describe the second file by its entries."""
    one, two = spelled_ids(first[1]), spelled_ids(other[1])
    name, main = other[0].files[0], first[0].files[0]
    if one == two:
        what = f"lists the same vocabulary as {main}"
    else:
        shared = sum(one.get(text) == id for text, id in two.items())
        what = f"is another tokenizer: {shared:,} of its {plural(len(two), 'entry')} have "
        what += f"the same id as in {main}"
    end = f"loaders read {main} here, and tokaudit parsed {name} but did not run it."
    return _named(name, f"{what}; {end}", main)


def _named(name: str, what: str, main: str) -> Finding:
    places = (Place("vocab", name), Place("vocab", main))
    return Finding(Severity.INFO, f"{name} {what}", places, cause="second")
