"""What the records say of the keys of settings files that no library is asked about."""

from __future__ import annotations

from dataclasses import fields

from recorded_answers import Said, name_of
from said_by_hand import as_json

from tokaudit.subject.upstream import setting_key
from tokaudit.subject.upstream.records import settings_files, settings_record
from tokaudit.subject.upstream.setting_key import (
    ALSO,
    IDLE,
    LISTED,
    OLDER,
    OTHERS,
    SOUNDING,
    SettingKey,
    every_setting,
    known_keys,
    of_other_vocabularies,
    sounds_like_ids,
    without_effect,
)

SOUNDS = (
    *("char_vocab_size", "vocabulary_map", "tokenizer", "my_tokenizer", "image_token_id", "tokens"),
    *("token_idx", "bos_index", "pad_ids", "mask_idx", "boson_index", "padding_id", "hidden_size"),
)
"""Keys that sound so, and keys that nearly do."""
READ = ("marker", "written_as", "of_model", "times", "writes", "needed_by")
"""The fields of a key that were read, where it has them."""
DEFAULTS = {each.name: each.default for each in fields(SettingKey) if each.name in READ}


def read_keys() -> list[str]:
    """The keys of which more was read than what they mean."""
    return [name_of(key) for key in every_setting() if said_of_fields(name_of(key))]


def said_of_fields(name: str) -> Said:
    """What was read of a key besides what it means and what is taken where it is left out."""
    key = next((key for key in every_setting() if name_of(key) == name), None)
    stated = {own: getattr(key, own, default) for own, default in DEFAULTS.items()}
    return as_json({own: said for own, said in stated.items() if said != DEFAULTS[own]})


def other_keys() -> list[str]:
    """The keys that are known for another reason than that a file's list has them."""
    lists = [settings_record(file).get(LISTED, {}) for file in settings_files()]
    maps = [key for each in lists for key in each.get(OTHERS, "").split()]
    return [
        *maps,
        *(key for each in lists for which in (OLDER, ALSO, IDLE) for key in each.get(which, ())),
    ]


def said_of_other(name: str) -> Said:
    """The files in which a key is known, whether it is one with keys, or the map of another."""
    known = known_keys()
    idle = [file for file, key in without_effect() if key == name]
    return as_json(
        {
            "files": [file for file, keys in known.items() if name in keys],
            "has keys": name in known,
            "another's": name in of_other_vocabularies(),
            **({"changes nothing in": idle} if idle else {}),
        }
    )


def said_of_sound(file: str) -> Said:
    """Which keys sound as if they decided ids, where a file's record says how such keys sound."""
    if SOUNDING not in setting_key.settings_record(file).get(LISTED, {}):
        return {}
    return {"sound so": [key for key in SOUNDS if sounds_like_ids(key)]}
