"""Record of a model type: its tokenizer class, and the defaults of its config class.

Published configs leave values out, and state others that the class of the model never reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from tokaudit.subject.material import Fact, Subject
from tokaudit.subject.upstream.records import Record, type_names, type_record
from tokaudit.subject.upstream.tokenizer_class import ANY
from tokaudit.subject.upstream.versions import ABSENT, VERSIONS

TOKENIZER, TIES, FIELDS, FLOATS = "tokenizer", "ties", "fields", "floats"
SAID = (None, True, False)


@dataclass(frozen=True, slots=True)
class ModelValue:
    """A key with each version's default for a config without it.

    `absent` stands for a version without the model type, and an empty text for None.
    """

    key: str
    four: str
    five: str

    def by_version(self) -> Mapping[str, tuple[int, ...]]:
        """Return the default numbers by version; empty without a value.

        >>> ModelValue("eos_token_id", "absent", "1 106").by_version()
        {'transformers 5.24.0': (1, 106)}
        """
        both = zip(VERSIONS, (self.four, self.five), strict=True)
        return {
            version: tuple(int(each) for each in said.split() if each.isdecimal())
            for version, said in both
            if said != ABSENT
        }

    def is_true(self) -> bool:
        """Return whether a switch is on in a version."""
        return "true" in (self.four, self.five)


@dataclass(frozen=True, slots=True)
class DecoderStart:
    """The token that starts a decoder, if the model's class decides it.

    `otherwise` is what another token is worth: `error` or `warning` whatever it is, or the role of
    the one token that is an error, as some models of the type were trained with others.
    """

    kind: str  # the model type
    begins_with: str  # a role, or the text of a token
    otherwise: str
    source: str

    @property
    def is_role(self) -> bool:
        """Return whether it names a role, whose token the config states."""
        return self.begins_with.isalpha()


@dataclass(frozen=True, slots=True)
class Treatment:
    """The treatment of an id of the config by a model's class, if not as stated."""

    does: str
    source: str
    value: int | None = None  # which id; None for any


class Positions(StrEnum):
    """The kind of position limit, such as a table whose end is an index error."""

    OPEN = ""  # computed, so that they may be scaled up; or unknown
    LEARNED = "learned"
    AFTER_PAD = "after pad"  # learned, and counted from the id of padding on


@dataclass(frozen=True, slots=True)
class KnownModelType:
    """One `model_type` of transformers."""

    name: str
    tokenizers: tuple[str, str]  # of either version, where no file names one; empty where none
    misnamed: bool  # version 5 knows that published files of the type name a wrong class
    values: Mapping[str, ModelValue]
    ties: tuple[str, str]  # of either version, a letter for each of `SAID` and one of its text part
    fields: str  # a letter for each key of `config_fields`, of version 5
    floats: tuple[str, ...]  # its other fields that take no whole number, `?` behind a nullable one
    decoder_start: DecoderStart | None
    treats: Mapping[str, Treatment]
    begins_with_bos: bool  # its class does, whatever class for any tokenizer a file names
    positions: Positions

    @property
    def as_the_file_is(self) -> bool:
        """Return whether version 5 loads `tokenizer.json` unchanged, whatever class is named."""
        return self.tokenizers[1] in ANY

    @property
    def tokenizer(self) -> str:
        """Return the class of the first version with one for this type alone; else ""."""
        return next((name for name in self.tokenizers if name not in ("", *ANY)), "")


@cache
def known_type(name: str) -> KnownModelType | None:
    """Return the record of a model type; None if it is unknown."""
    record = type_record(name)
    return None if record is None else _of(name, record)


def every_type() -> Mapping[str, KnownModelType]:
    """Map names to model types with a record."""
    return {name: found for name in type_names() if (found := known_type(name)) is not None}


def value_of(kind: str, key: str) -> ModelValue | None:
    """Return a model class's default for a key; None if unknown.

    >>> value_of("marian", "decoder_start_token_id")
    ModelValue(key='decoder_start_token_id', four='58100', five='58100')
    """
    known = known_type(kind)
    return None if known is None else known.values.get(key)


def tied_by(kind: str, whole: bool | None, part: bool | None) -> Mapping[str, bool]:
    """Return for each version whether it ties embedding and head.

    It goes by a statement of the config, and one of its text part.

    Empty where the type has no text part; a version that does not have the type is left out.

    >>> tied_by("qwen3_vl", None, True)
    {'transformers 4.57.6': True, 'transformers 5.24.0': False}
    """
    known = known_type(kind)
    at = len(SAID) * SAID.index(whole) + SAID.index(part)
    both = zip(VERSIONS, ("", "") if known is None else known.ties, strict=True)
    return {version: said[at] == "t" for version, said in both if said}


def start_of(subject: Subject) -> DecoderStart | None:
    """Return the start of the subject's decoder; None if its class does not decide it."""
    types = (fact.value for fact in subject.facts_named("model_type") if _of_the_whole(fact))
    known = (known_type(name) for name in types if isinstance(name, str))
    return next((k.decoder_start for k in known if k and k.decoder_start), None)


def treatment(subject: Subject, fact: Fact) -> str:
    """Return how the class treats an id of a config; empty if it uses it as stated."""
    place = fact.pointer.rpartition("/")[0]
    types = (
        other.value
        for other in subject.facts_named("model_type")
        if other.pointer.rpartition("/")[0] in ((place, "") if other.file == fact.file else ("",))
    )
    known = (known_type(name) for name in types if isinstance(name, str))
    treats = (k.treats[fact.name] for k in known if k is not None and fact.name in k.treats)
    return next((each.does for each in treats if each.value in (None, fact.value)), "")


def _of_the_whole(fact: Fact) -> bool:
    return fact.pointer == "/model_type"


def _of(name: str, record: Record) -> KnownModelType:
    read = record.get("by_hand", {})
    start, treats = read.get("decoder_start"), read.get("treats", {})
    named = read.get(TOKENIZER)  # in a version whose environment lacks what the class needs
    own = (TOKENIZER, TIES)
    pairs = {k: v for k, v in record.items() if isinstance(v, list) and k not in own}
    return KnownModelType(
        name=name,
        tokenizers=(named, named) if named else tuple(record.get(TOKENIZER, ("", ""))),
        misnamed=record.get("misnamed", False),
        values={key: ModelValue(key, *pair) for key, pair in pairs.items()},
        ties=tuple(record.get(TIES, ("", ""))),
        fields=record.get(FIELDS, ""),
        floats=tuple(record.get(FLOATS, "").split()),
        decoder_start=None if start is None else DecoderStart(name, **start),
        treats={key: Treatment(**each) for key, each in treats.items()},
        begins_with_bos=read.get("begins_with_bos", False),
        positions=Positions(read.get("positions", "")),
    )
