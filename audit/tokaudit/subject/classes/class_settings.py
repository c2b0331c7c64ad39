"""What a class takes for a setting that `tokenizer_config.json` leaves out.

`class_settings.csv` was drawn from the arguments of `__init__` and the attributes of each class in
transformers 4.57.6 and 5.23.0: `-` where the class has no such argument, `absent` where the version
has no such class, and nothing for none.  Of 4.57.6 it is the fast class, with the slow one's value
beside it where that is another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from tokaudit.subject.classes.table import lines_of


@dataclass(frozen=True, slots=True)
class ClassSetting:
    """A key and what the class takes for it in either version, as the table writes it."""

    key: str
    four: str
    five: str


def setting_of(name: str, key: str) -> ClassSetting | None:
    """What a class takes for a key; None where it has no such argument in either version.

    >>> setting_of("BertTokenizer", "do_lower_case")
    ClassSetting(key='do_lower_case', four='true', five='true')
    """
    return class_settings().get((name.removesuffix("Fast"), key))


@cache
def class_settings() -> Mapping[tuple[str, str], ClassSetting]:
    """Every setting of the table by the class and the key."""
    return {
        (name, key): ClassSetting(key, four, five)
        for key, four, five, names in lines_of("class_settings.csv")
        for name in names.split()
    }
