"""Records of settings keys: one file of `settings/` each, with a section for each key.

`known` of a file lists every key that loaders read there, which of them are maps of labels or of
vocabularies that are not the tokenizer's, which older versions wrote and none reads any more, which
change nothing, and the files that have the same keys.  A key has a section where it decides
ids, text, lengths, inputs or files; one that no check compares is known, and no file could
contradict it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from tokaudit.subject.upstream.records import (
    STATED,
    Record,
    hand_written,
    settings_files,
    settings_record,
)
from tokaudit.subject.upstream.tokenizer_class import every_class
from tokaudit.subject.upstream.versions import FIVE, FOUR, PEFT, SENTENCE_TRANSFORMERS, VERSIONS

TOKENIZER, ADDED, MODEL = "tokenizer_config.json", "added_tokens.json", "config.json"
BY_CLASS = "by class"
LISTED, OTHERS, ALSO, OLDER = "known", "of_other_vocabularies", "also_of", "of_older_versions"
IDLE = "without_effect"  # written by an earlier call, or of the file itself
SOUNDING = "sounding"
NULL = "null"  # the kind of a value that is none


class Decides(StrEnum):
    """The effect of a setting."""

    IDS = "ids"
    TEXT = "text"
    LENGTHS = "lengths"
    INPUTS = "inputs"
    FILES = "files"
    NOTHING = "nothing"  # of the tokenizer


@dataclass(frozen=True, slots=True)
class SettingKey:
    """A key of a settings file, its meaning, and the checks that compare it.

    `default` is what loaders take where the key is left out: a value, `4:` and `5:` the values of
    two versions, or `by class` and `by kind of model`, whose records are in this room.
    """

    file: str
    key: str
    decides: Decides
    means: str
    default: str
    source: str
    compared_by: tuple[str, ...] = ()
    marker: bool = False  # an id in whose place a picture, sound or a turn is put
    written_as: tuple[str, ...] = ()  # the tokens that models have there, most of them
    of_model: tuple[tuple[str, ...], ...] = ()  # the keys of a model's config that say the same
    times: int = 1  # how often those count
    writes: str = ""  # of a map from names to ids: how the token of a name is written
    needed_by: tuple[tuple[str, str], ...] = ()  # kinds of models, and what fails without the key

    @property
    def of_every_class(self) -> tuple[str, str]:
        """The default of loaders of either version, empty where only the class decides."""
        four, _, five = self.default.removeprefix("4: ").partition("; 5: ")
        return _of_every_class(four), _of_every_class(five or four)


@cache
def every_setting() -> tuple[SettingKey, ...]:
    """Return every key with a section, in the order of files."""
    return tuple(key for file in settings_files() for key in _of(file, settings_record(file)))


@cache
def compared_by(check: str) -> Mapping[tuple[str, str], SettingKey]:
    """Return the keys that a check compares, by file and key."""
    found = (key for key in every_setting() if check in key.compared_by)
    return {(key.file, key.key): key for key in found}


@cache
def defaults_of(key: str) -> tuple[str, str]:
    """Return the default of each version for a key that nothing states.

    It is empty where only the class decides.

    >>> defaults_of("truncation_side"), defaults_of("add_eos_token")
    (('right', 'right'), ('', 'false'))
    """
    return next((each.of_every_class for each in every_setting() if each.key == key), ("", ""))


def _of_every_class(default: str) -> str:
    return "" if default.startswith(BY_CLASS) else default.partition(", and by class")[0]


@cache
def forms_of_tokens() -> Mapping[str, str]:
    """Map keys of name-to-id maps to the spelling of their tokens.

    >>> forms_of_tokens()["task_to_id"].format("transcribe")
    '<|transcribe|>'
    """
    return {key.key: key.writes for key in every_setting() if key.writes}


@cache
def needed_by(kind: str) -> Mapping[SettingKey, str]:
    """Return the keys that generation of a model type requires, with the failures.

    >>> [key.key for key in needed_by("whisper")]
    ['no_timestamps_token_id']
    """
    return {
        key: dict(key.needed_by)[kind] for key in every_setting() if kind in dict(key.needed_by)
    }


@cache
def known_keys() -> Mapping[str, frozenset[str]]:
    """Return the keys that loaders read, by file; the tokenizer's by class too.

    >>> "langs" in known_keys()[TOKENIZER]
    True
    """
    found: dict[str, frozenset[str]] = {}
    for file in settings_files():
        record = settings_record(file)
        if LISTED in record:
            listed = (*listed_keys(file), *record[LISTED].get(OLDER, ()))
            every = frozenset({*listed, *record} - {LISTED})
            found |= dict.fromkeys((file, *record[LISTED].get(ALSO, ())), every)
    found[TOKENIZER] |= {key for known in every_class().values() for key in known.settings}
    return found


def sounds_like_ids(key: str) -> bool:
    """Return whether a model's config key sounds as if it affected ids.

    >>> sounds_like_ids("image_token_id"), sounds_like_ids("hidden_size")
    (True, False)
    """
    return _sounding().search(key) is not None


@cache
def _sounding() -> re.Pattern[str]:
    return re.compile(settings_record(MODEL)[LISTED][SOUNDING])


def listed_keys(file: str) -> tuple[str, ...]:
    """Return the keys without a section that loaders read in a file; empty without a list.

    >>> "use_cache" in listed_keys("generation_config.json"), listed_keys(ADDED)
    (True, ())
    """
    return tuple(settings_record(file).get(LISTED, {}).get("keys", "").split())


@cache
def of_other_vocabularies() -> frozenset[str]:
    """Return the maps between texts and ids that are not the tokenizer's.

    >>> "label2id" in of_other_vocabularies(), "lang_to_id" in of_other_vocabularies()
    (True, False)
    """
    listed = (settings_record(file).get(LISTED, {}) for file in settings_files())
    return frozenset(key for record in listed for key in record.get(OTHERS, "").split())


@cache
def without_effect() -> frozenset[tuple[str, str]]:
    """Return the keys, with their files, that have no effect in any loader.

    >>> ("tokenizer_config.json", "name_or_path") in without_effect()
    True
    """
    listed = ((file, settings_record(file).get(LISTED, {})) for file in settings_files())
    return frozenset((file, key) for file, each in listed for key in each.get(IDLE, ()))


def _of(file: str, record: Record) -> Iterator[SettingKey]:
    for key, stated in record.items():
        if key != LISTED:
            yield SettingKey(
                file=file,
                key=key,
                decides=Decides(stated["decides"]),
                means=stated["means"],
                default=stated["default"],
                source=_with_versions(stated["source"]),
                compared_by=tuple(stated.get("compared_by", ())),
                marker=stated.get("marker", False),
                written_as=tuple(stated.get("written_as", ())),
                of_model=tuple(map(tuple, stated.get("of_model", ()))),
                times=stated.get("times", 1),
                writes=stated.get("writes", ""),
                needed_by=tuple(stated.get("needed_by", {}).items()),
            )


def _with_versions(source: str) -> str:
    """Add the versions that a source was read in.

    >>> _with_versions("{five}, GenerationConfig")
    'transformers 5.24.0, GenerationConfig'
    """
    both = f"transformers {FOUR} and {FIVE}"
    return source.format(
        both=both,
        four=VERSIONS[0],
        five=VERSIONS[1],
        peft=f"peft {PEFT}",
        sentence_transformers=f"sentence-transformers {SENTENCE_TRANSFORMERS}",
    )


@cache
def taken_kinds() -> Mapping[str, tuple[str, ...]]:
    """Return the types that loaders accept, by key.

    >>> taken_kinds()["pad_token"], taken_kinds()["vocab_size"]
    (('text', 'object', 'null'), ('number',))
    """
    return {key: tuple(kinds) for key, kinds in hand_written(STATED)["takes"].items()}
