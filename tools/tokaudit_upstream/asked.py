"""What is asked of a version: about all that has a record, and each key that a class may decide."""

from __future__ import annotations

from collections.abc import Sequence

from tokaudit.subject.upstream.config_fields import FIELDS
from tokaudit.subject.upstream.model_type import every_type
from tokaudit.subject.upstream.setting_key import BY_CLASS, TOKENIZER, every_setting
from tokaudit.subject.upstream.tokenizer_class import ROLES, every_class

OF_ROLES = frozenset(f"{role}_token" for role in ROLES)
"""Keys that are asked for as the tokens of a class."""


def request() -> dict[str, Sequence[str]]:
    """The names of classes and model types, and the keys that each is asked for."""
    classes, types = every_class(), every_type()
    settings = {key for known in classes.values() for key in known.settings}
    return {
        "classes": sorted(classes),
        "settings": sorted(settings | _decided_by_class()),
        "types": sorted(types),
        "fields": FIELDS,
        "values": sorted({key for known in types.values() for key in known.values}),
    }


def _decided_by_class() -> frozenset[str]:
    stated = (key for key in every_setting() if key.file == TOKENIZER and BY_CLASS in key.default)
    return frozenset(key.key for key in stated) - OF_ROLES
