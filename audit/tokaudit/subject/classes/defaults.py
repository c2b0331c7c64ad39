"""The special tokens that a class takes where no file names one.

`defaults.csv` was drawn from the arguments of `__init__` of each class of the table in transformers
4.57.6; a role in which the slow and the fast class differ is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from tokaudit.subject.classes.named import NamedClass, class_of
from tokaudit.subject.classes.table import lines_of
from tokaudit.subject.material import Subject

ROLES = ("bos", "eos", "sep", "pad", "cls", "mask")


def defaults_of(subject: Subject) -> tuple[NamedClass, Mapping[str, str]] | None:
    """The class that loads a subject and its tokens by role, without those that a file states.

    A class that is used for any tokenizer, if a file names one, has no defaults.
    """
    named = class_of(subject)
    if named is None or named.name not in _rows():
        return None
    classes = subject.facts_named("tokenizer_class")
    if classes and named.fact not in classes:
        return None
    stated = {role for role in ROLES if subject.facts_named(f"{role}_token")}
    found = {role: text for role, text in _rows()[named.name].items() if role not in stated}
    return named, found


@cache
def _rows() -> Mapping[str, Mapping[str, str]]:
    return {
        name: {role: text for role, text in zip(ROLES, texts, strict=True) if text}
        for name, *texts in lines_of("defaults.csv")
    }
