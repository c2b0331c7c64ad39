"""Pipelines that classes build, by family: one file of `pipelines/` each.

A stage is written as in `tokenizer.json`.  Where a setting decides a value, a table names it:
`{ setting = "do_lower_case", otherwise = true }` is a switch, `{ text = "..." }` is taken as it is,
`first_of` has the first value whose `when` holds, `published` names a pattern that is known here,
and `{ none = true }` is null, which TOML does not have.  What a class takes where no file states
the setting is in the class's record; `otherwise` is for classes without such an argument.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from tokaudit.subject.upstream.records import Record, pipeline_record
from tokaudit.subject.upstream.tokenizer_class import TokenizerClass
from tokaudit.subject.upstream.versions import ABSENT, FIVE, FOUR, NO_ARGUMENT
from tokaudit_reference.text import published_patterns

Options = Mapping[str, Any]
Stated = Callable[[str], Any]
"""What a subject's files state for a setting; None where they state nothing."""
STAGES = ("normalizer", "pre_tokenizer", "decoder")
SWITCHES = {"true": True, "false": False, "": None}


@dataclass(frozen=True, slots=True)
class Spelling:
    """The spelling of pieces in a vocabulary of the family."""

    bytes: bool = False  # in GPT-2's alphabet
    ends_words: str = ""  # the mark on pieces that end a word
    goes_on: str = ""  # the mark on those that do not, where the merges mark those that do
    whole_entries: bool = False  # entries of several characters are taken from text as they are


@dataclass(frozen=True, slots=True)
class Family:
    """A common way of classes to build the stages around a model."""

    name: str
    source: str
    spelling: Spelling
    special: tuple[str, ...]  # made special in every vocabulary of the family that has it
    unless: Mapping[str, bool]  # a switch under which no known step does what the class does
    keeps_charsmap: bool  # the normalizer is the charsmap of the file
    stages: Record

    @property
    def is_open(self) -> bool:
        """Return whether no known step does what the class does."""
        return not self.stages


@dataclass(frozen=True, slots=True)
class Stages:
    """The stages that a family builds for one subject, in the form of `tokenizer.json`."""

    normalizer: Options | None
    pre_tokenizer: Options | None
    decoder: Options | None


@cache
def family(name: str) -> Family:
    """Return the family of a name in a record."""
    record = pipeline_record(name)
    return Family(
        name=name,
        source=record["source"],
        spelling=Spelling(**record.get("spelling", {})),
        special=tuple(record.get("special", ())),
        unless=record.get("unless", {}),
        keeps_charsmap=record.get("keeps_charsmap", False),
        stages={stage: record[stage] for stage in STAGES if stage in record},
    )


def settings_of(found: Family) -> frozenset[str]:
    """Return the settings that affect a family's stages.

    >>> sorted(settings_of(family("bert")))
    ['do_lower_case', 'strip_accents', 'tokenize_chinese_chars']
    """
    return frozenset(_asked(found.stages))


def _asked(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield from (key for key in (value.get("setting"),) if isinstance(key, str))
        yield from value.get("when", ())
    inner = value.values() if isinstance(value, Mapping) else value
    for each in inner if isinstance(value, Mapping | list) else ():
        yield from _asked(each)


def refuses_null(known: TokenizerClass, key: str) -> bool:
    """Return whether version 5 of a class raises for a switch stated as null.

    It hands the value to a step that takes true or false, unless its own default is null too.

    >>> from tokaudit.subject.upstream.tokenizer_class import class_named
    >>> named = (class_named(f"{each}Tokenizer") for each in ("GPT2", "Qwen2"))
    >>> [refuses_null(each, "add_prefix_space") for each in named]
    [True, False]
    """
    name, own = known.pipelines.in_five, known.settings.get(key)
    if not name or own is None or SWITCHES.get(own.five) is None:
        return False
    return key in _never_null(family(name).stages)


def null_turns_off(known: TokenizerClass, key: str) -> bool:
    """Return whether version 5 of a class treats null as off, though its default is on.

    >>> from tokaudit.subject.upstream.tokenizer_class import class_named
    >>> named = (class_named(f"{each}Tokenizer") for each in ("XLMRoberta", "Llama", "GPT2"))
    >>> [null_turns_off(each, "add_prefix_space") for each in named]
    [True, False, False]
    """
    own = known.settings.get(key)
    return (
        own is not None and SWITCHES.get(own.taken(FIVE)) is True and not refuses_null(known, key)
    )


def _never_null(value: Any) -> Iterator[str]:
    """Yield the switches whose values are true or false wherever they are used."""
    match value:
        case {"setting": key, "otherwise": bool()}:
            yield key
        case Mapping():
            yield from (key for each in value.values() for key in _never_null(each))
        case list():
            yield from (key for each in value for key in _never_null(each))


def of_files(found: Family, known: TokenizerClass | None, stated: Stated) -> Stages:
    """Build a class's stages around its own files, by version 4 if it has the class."""
    return _built(found, Settings(known, False, stated))


def in_five(found: Family, known: TokenizerClass | None, stated: Stated) -> Stages:
    """Build the stages of version 5, whatever `tokenizer.json` states."""
    return _built(found, Settings(known, True, stated))


def is_unless(found: Family, known: TokenizerClass | None, stated: Stated) -> bool:
    """Return whether a setting makes the class do what no known step does."""
    settings = Settings(known, False, stated)
    return any(settings.switch(key) is on for key, on in found.unless.items())


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of one subject: as stated, or else the class's defaults."""

    known: TokenizerClass | None
    in_five: bool
    stated: Stated

    def switch(self, key: str) -> bool | None:
        """Return whether a switch is on; None if neither a file nor the class decides it."""
        value = None if self._passes_over(key) else self.stated(key)
        if value is None:
            value = SWITCHES.get(self._default(key))
        return None if value is None else bool(value)

    def _passes_over(self, key: str) -> bool:
        """Return whether version 5 of the class lacks an argument that version 4 has."""
        own = None if self.known is None else self.known.settings.get(key)
        return self.in_five and own is not None and own.taken(FIVE) == NO_ARGUMENT

    def text(self, key: str) -> str:
        """Return a text setting."""
        value = self.stated(key)
        return self._default(key) if value is None else str(value)

    def _default(self, key: str) -> str:
        """Return the fast class's default, else the slow one's; empty without the argument."""
        known = None if self.known is None else self.known.settings.get(key)
        if known is None:
            return ""
        found = known.taken(FIVE if self.in_five or known.four == ABSENT else FOUR)
        return "" if found in (ABSENT, NO_ARGUMENT) else found


def _built(found: Family, settings: Settings) -> Stages:
    made = {stage: _value(options, settings) for stage, options in found.stages.items()}
    return Stages(*(made.get(stage) for stage in STAGES))


def _value(written: Any, settings: Settings) -> Any:
    """Fill the settings into a record's value."""
    match written:
        case {"setting": key, **more}:
            found = settings.switch(key)
            return more.get("otherwise") if found is None else found
        case {"text": key}:
            return settings.text(key)
        case {"published": name}:
            return getattr(published_patterns, name)
        case {"none": True}:
            return None
        case {"first_of": choices}:
            return next(each["is"] for each in choices if _holds(each.get("when", {}), settings))
        case Mapping():
            return {key: _value(value, settings) for key, value in written.items()}
        case list():
            return [_value(value, settings) for value in written]
        case _:
            return written


def _holds(when: Mapping[str, bool], settings: Settings) -> bool:
    return all(settings.switch(key) is on for key, on in when.items())
