"""Common repairs of findings: set a value, remove a key, copy a part of the base.

Those that take a finding are for `repair=` of a check, about the place that its findings blame;
those that take a place are for a finding whose check knows what is wanted.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from tokaudit.engine.lengths import MOST_CHANGES, NOT_LISTED, too_many
from tokaudit.plugin import (
    Alternative,
    Change,
    ChangeKind,
    Decider,
    Finding,
    Place,
    Repair,
    Repairing,
    changing,
    choice,
    decision,
)
from tokaudit.subject.safe_json import pointer
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.steps.decoders.word_piece import WordPiece
from tokaudit_suites.shared.wording import main_file

JSON, TOKENIZER, GGUF, TEMPLATE = ".json", "tokenizer.json", ".gguf", ".jinja"
GGUF_KEY = re.compile(r"tokenizer\.[a-z0-9_.]+")
MERGES_FILE = "merges.txt"
OTHER_COPIES = "further copies of the same part may differ then: write all from the same one"
UNDECIDED = "the weights belong to one of the two, and no file says to which"
WHOLE: Mapping[str, str] = {
    "vocab": "/model/vocab",
    "merges": "/model/merges",
    "added_tokens": "/added_tokens",
    "normalizer": "/normalizer",
    "pre_tokenizer": "/pre_tokenizer",
    "post_processor": "/post_processor",
    "decoder": "/decoder",
}
"""Where a tokenizer.json has each component."""
WARNINGS: Mapping[str, str] = {
    "vocab": "merges and added tokens of another vocabulary may not fit then: take those of the "
    "base too",
    "merges": "if the vocabulary does not fit these merges, take the base's vocabulary too",
}
"""What the audit may say after a component was taken from the base."""


def set_to(place: Place, wanted: Any) -> Change:
    """Set the value at a place, and add the key if it is missing."""
    return Change(ChangeKind.SET, place.file, place.pointer, place.value, wanted)


def word_decoder(spec: TokenizerSpec) -> Repair | None:
    """Return the decoder that joins the words of a WordPiece model."""
    wanted = WordPiece.stated(prefix=spec.continuing_subword_prefix, cleanup=True)
    return repaired(set_to(Place("decoder", main_file(spec), WHOLE["decoder"]), wanted))


def setting(file: str, key: str, wanted: Any) -> Change:
    """Set a top-level key of a settings file, whether it exists or not."""
    return Change(ChangeKind.SET, file, pointer(key), None, wanted)


def removed(place: Place) -> Change:
    """Remove the key or entry at a place."""
    return Change(ChangeKind.REMOVE, place.file, place.pointer, place.value)


def taken(place: Place, source: Place, *, from_base: bool = False) -> Change:
    """Copy the value from another place, in the same subject or in the base."""
    return Change(
        ChangeKind.TAKE,
        place.file,
        place.pointer,
        source=source.file,
        source_pointer=source.pointer,
        from_base=from_base,
    )


def typed(line: str) -> Change:
    """Run a command line in the folder of the subject."""
    return Change(ChangeKind.RUN, command=line)


def repaired_each(changes: Iterable[Change]) -> Repair | None:
    """Like `repaired`, but leave a part with too many changes to a person."""
    first = tuple(islice(changes, MOST_CHANGES + 1))
    return decision(Decider.PERSON, NOT_LISTED) if too_many(first) else repaired(*first)


def repaired(*changes: Change, warns_of: str = "") -> Repair | None:
    """Combine these changes; None if a program cannot change one of the places."""
    made = [_by_tool(each) if each.file.endswith(GGUF) else each for each in changes]
    return changing(made, warns_of) if all(map(_has_place, made)) else None


def either(*alternatives: tuple[str, Iterable[Change]], warns_of: str = "") -> Repair | None:
    """Offer a choice between alternatives; one without a place is left out."""
    found = [(who, tuple(changes)) for who, changes in alternatives]
    found = [(who, changes) for who, changes in found if changes and all(map(_has_place, changes))]
    made = [Alternative(*each) for each in found]
    return choice(*made, warns_of=warns_of) if made else None


def either_each(*alternatives: tuple[str, list[Change]]) -> Repair | None:
    """Like `either`, but leave a part with too many changes to a person."""
    if any(too_many(changes) for _, changes in alternatives):
        return decision(Decider.PERSON, NOT_LISTED)
    return either(*alternatives)


def blamed_set_to(wanted: Any, *, below: str = "") -> Repairing:
    """Set the blamed place, or a key below it, to a fixed value."""

    def repair(finding: Finding) -> Repair | None:
        place = _blamed(finding)
        if place is None:
            return None
        pointer = place.pointer + below
        return repaired(Change(ChangeKind.SET, place.file, pointer, None, wanted))

    return repair


def blamed_removed(finding: Finding) -> Repair | None:
    """Remove every place of the first file that the finding blames."""
    place = _blamed(finding)
    return repaired(removed(place)) if place is not None and place.pointer else None


def base_decides(reason: str) -> Repairing:
    """Leave the repair to a base: nothing in the folder shows what is right."""
    return lambda finding: decision(Decider.BASE, reason)


def person_decides(reason: str) -> Repairing:
    """Leave the repair to a person: no file shows what is right."""
    return lambda finding: decision(Decider.PERSON, reason)


def setting_to(file: str, key: str, wanted: Any) -> Repairing:
    """Set a key of one settings file, whatever the finding blames."""
    return lambda finding: repaired(setting(file, key, wanted))


def as_in_base(finding: Finding) -> Repair | None:
    """Copy the whole blamed component from the base."""
    place = _blamed(finding)
    source = next((each for each in finding.places if each.outside and each.file), None)
    if place is None or source is None:
        return decision(Decider.BASE, "the base states it in a form that is not copied by program")
    pointer = WHOLE.get(place.component, place.pointer or source.pointer)
    from_json = place.file.endswith(JSON) and source.file.endswith(JSON)
    if not from_json or not pointer:
        return decision(Decider.BASE, "the base states it in a form that is not copied by program")
    copied = taken(
        replace(place, pointer=pointer), replace(source, pointer=pointer), from_base=True
    )
    return repaired(copied, warns_of=WARNINGS.get(place.component, ""))


def as_one_of_two(finding: Finding) -> Repair | None:
    """Make two differing places equal, leaving open which one is right."""
    places = [each for each in finding.places if each.file and not each.outside][:2]
    if len(places) < 2 or places[0].file == places[1].file:
        return decision(Decider.PERSON, UNDECIDED)
    copy, record = (_whole(each) for each in places)
    repair = either(
        (f"a model that expects {record.file}", [taken(copy, record)]),
        (f"a model that expects {copy.file}", [taken(record, copy)]),
        warns_of=OTHER_COPIES,
    )
    both = repair is not None and len(repair.choice) == 2
    return repair if both else decision(Decider.PERSON, UNDECIDED)


def _whole(place: Place) -> Place:
    """Return the component around a place, or the file if it has nothing else."""
    if place.file.endswith(TOKENIZER) and place.component in WHOLE:
        return replace(place, pointer=WHOLE[place.component])
    if place.component in WHOLE:
        return replace(place, pointer="")
    return place


def _blamed(finding: Finding) -> Place | None:
    place = finding.places[0] if finding.places else None
    return place if place is not None and place.file and not place.outside else None


def _by_tool(change: Change) -> Change:
    """Set a key of a GGUF file with llama.cpp's tool, which takes numbers and switches alone.

    It makes a switch of a text, of which only the empty one is off.
    """
    key, wanted = change.pointer, change.wanted
    there = type(change.now) is type(wanted) and type(wanted) in (int, bool)
    if change.kind is not ChangeKind.SET or not there or not GGUF_KEY.fullmatch(key):
        return change
    text = ("1" if wanted else "''") if isinstance(wanted, bool) else str(wanted)
    return typed(f"gguf-set-metadata --force {shlex.quote(change.file)} {key} {text}")


def _has_place(change: Change) -> bool:
    if change.kind is ChangeKind.RUN:
        return True
    return bool(change.file) and (
        change.pointer.startswith("line ")
        or (change.file.endswith(MERGES_FILE) and change.kind is ChangeKind.TAKE)
        or (change.file.endswith(TEMPLATE) and change.kind is ChangeKind.SET)
        or (change.file.endswith(JSON) and (change.pointer.startswith("/") or not change.pointer))
    )


TEMPLATE_AS_TRAINED = person_decides(
    "what the template is to write there is what the model expects, which no file states"
)
ROWS_AS_TRAINED = person_decides("only who has the weights can add rows or save them again")
DATA_FROM_ITS_SOURCE = person_decides(
    "ids on disk are written again from their source, which is elsewhere"
)
ANOTHER_LIBRARY = person_decides(
    "the library does it, and another version or another call does not"
)
COMPONENT_OF_BASE = base_decides(
    "no file of this folder has the component that the vocabulary expects"
)
ENTRIES_OF_BASE = base_decides("no file here says which token each embedding row belongs to")
MERGES_OF_BASE = base_decides("the list does not say which merges the model expects")
