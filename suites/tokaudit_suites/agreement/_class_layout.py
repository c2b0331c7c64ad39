"""Find the class whose own leading tokens shift every id of a copy."""

from __future__ import annotations

from tokaudit.plugin import Fact, Finding, Place, Severity, Subject
from tokaudit.subject.upstream.tokenizer_class import TokenizerClass, every_class
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.copies import Pair
from tokaudit_suites.shared.repairs import repaired, set_to, setting
from tokaudit_suites.shared.vocab_entries import entries
from tokaudit_suites.shared.wording import plural

PIECES, SETTINGS = "sentencepiece", "tokenizer_config.json"
NAME, KIND = "tokenizer_class", "model_type"


def of_another_class(
    subject: Subject, moved: list[tuple[str, int, int]], one: Pair, other: Pair
) -> Finding | None:
    """Report the class that would shift the ids this way, instead of reporting each moved id."""
    listed, pieces = (other, one) if one[0].format == PIECES else (one, other)
    if pieces[0].format != PIECES or listed[0].format == PIECES:
        return None
    known = _explaining(listed[1], pieces)
    if known is None:
        return None
    file, pieces_file = listed[0].files[0], pieces[0].files[0]
    named = _named(subject)
    wanted = setting(SETTINGS, NAME, known.name)
    places: tuple[Place, ...] = (Place("vocab", file),)
    says = "No file names a class"
    if named is not None:
        blamed = Place("config", named.file, named.pointer, named.value)
        says, places = (
            f"{named.file} states {named.name} {named.value}",
            (blamed, *places),
        )
        wanted = set_to(blamed, known.name) if named.name == NAME else wanted
    return Finding(
        Severity.ERROR,
        f"{says}, but the ids of {file} are those that {known.name} gives to the pieces of "
        f"{pieces_file}: the class puts its own tokens first, so {plural(len(moved), 'token')} of "
        f"{file} have other ids than their positions in {pieces_file}. Both files are right.",
        places,
        remedy=f"Name {known.name} as tokenizer_class in {SETTINGS}; keep both files.",
        cause="class",
        repair=repaired(wanted),
    )


def _explaining(listed: TokenizerSpec, pieces: Pair) -> TokenizerClass | None:
    """Return the file's most likely class, if its layout gives every piece the listed id."""
    base = pieces[0].files[0].rpartition("/")[2]
    of_file = (each for each in every_class().values() if base in each.loading.meant_by)
    known = next(of_file, None)
    if known is None or known.layout is None or pieces[1].ids_rule:
        return None
    ids = {surface: id for id, _, surface in entries(listed)}
    count = len(pieces[1].pieces)
    head = all(ids.get(token) == id for id, token in enumerate(known.layout.head))
    rest = all(
        ids.get(str(pieces[1].pieces[id].value)) == id + known.layout.offset
        for id in range(known.layout.dropped, count)
        if id != pieces[1].unk_id
    )
    return known if head and rest else None


def _named(subject: Subject) -> Fact | None:
    """Return the statement that chooses the class: its name, else the kind of the model."""
    named = subject.facts_named(NAME)
    kinds = [fact for fact in subject.facts_named(KIND) if fact.pointer == f"/{KIND}"]
    return next(iter((*named, *kinds)), None)
