"""The tokenizer's class, and its effect on the ids of the files."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from tokaudit.plugin import (
    Basis,
    Finding,
    Harm,
    NotApplicable,
    Representations,
    Severity,
    Subject,
    check,
)
from tokaudit.subject.upstream.loading_class import NamedClass, class_of
from tokaudit.subject.upstream.model_type import every_type
from tokaudit.subject.upstream.own_code import own_class
from tokaudit.subject.upstream.tokenizer_class import every_class
from tokaudit.subject.upstream.versions import BOTH, FOUR_SHORT
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.stated_roles import place_of
from tokaudit_suites.shared.wording import quote

SLIP = 0.92  # how much alike two names are of which one is misspelled


@check(
    "files/tokenizer-class",
    title="The class that gives the ids is known",
    why="Some tokenizer classes do not use the ids in the tokenizer file: they put their own "
    "tokens first, or look ids up in another file. The model expects the ids that its tokenizer "
    "class produces; a library that reads only the tokenizer file produces other ids.",
    remedy="Load the file with its class. If the class is unknown, compare the ids with the "
    "model's own encoder (--against).",
    repair=person_decides("a class that is not known is code of somebody else"),
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=Basis.CROSS_FILE,
    incident="XLM-R's SentencePiece file used directly gives every id off by one "
    "(google/sentencepiece #1042); LLaMATokenizer, as a converter spelled it, is no class "
    "(huggingface/transformers #22222).",
)
def tokenizer_class(subject: Subject, representations: Representations) -> Iterator[Finding]:
    """Report an unknown class, and each file whose ids a class shifts."""
    named = class_of(subject)
    if named is None:
        raise NotApplicable("no file names a tokenizer class")
    if (meant := _meant(named, subject)) is not None:
        same = meant.lower() == named.name.lower()
        yield Finding(
            Severity.ERROR if same else Severity.WARNING,
            f"{named.fact.file} names the class {named.name}, which {BOTH} do not have; the "
            f"class {meant} is spelled differently. Loaders stop, or use another class.",
            (place_of(named.fact, "config"),),
            cause="misspelled",
        )
    elif named.known is None:
        yield Finding(
            Severity.INFO,
            f"{named.fact.file} names the class {named.name}, which transformers {FOUR_SHORT} and "
            "5 do not have: tokaudit uses the ids in the file, because it does not know the class.",
            (place_of(named.fact, "config"),),
            cause="unknown",
        )
    for _, spec in representations.parsed:
        if spec.piece_ids and (moved := _moved(spec)) is not None:
            place, id = moved
            value = spec.pieces[id].value
            yield Finding(
                Severity.INFO,
                f"{spec.ids_rule}, which gives the pieces of {spec.files[0]} its own ids: "
                f"{quote(value)}, piece {place}, is id {id}; a library that reads only the file "
                f"gives {place}.",
                (place_of(named.fact, "config"),),
                cause="moved",
            )


def _meant(named: NamedClass, subject: Subject) -> str | None:
    """Return the known class that a name misspells; another number means another class."""
    if named.known is not None or own_class(subject):
        return None
    if any(kind.tokenizer == named.name for kind in every_type().values()):
        return None
    digits = [c for c in named.name if c.isdecimal()]
    near = (each for each in every_class() if [c for c in each if c.isdecimal()] == digits)
    same = {each.lower(): each for each in near}
    found = get_close_matches(named.name.lower(), same, 1, SLIP)
    return same[found[0]] if found else None


def _moved(spec: TokenizerSpec) -> tuple[int, int] | None:
    """Return the last piece whose id differs from its index, past the class's own tokens."""
    places = reversed(list(enumerate(spec.piece_ids)))
    return next(((at, id) for at, id in places if at != id), None)
