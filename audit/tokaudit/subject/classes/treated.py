"""Ids in a config that its model's class treats as something else, or never reads.

Published configs of these families all have them, so they are worth knowing and are no fault.
`treated.csv` has a row for each, or one for several kinds of models and every value, with the
source in transformers 4.57.6.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import cache

from tokaudit.subject.classes.table import lines_of
from tokaudit.subject.material import Fact, Subject

ANY = "*"


def treatment(subject: Subject, fact: Fact) -> str:
    """What the class does with an id that a config states; empty where it takes it as it is."""
    place = fact.pointer.rpartition("/")[0]
    types = (
        other.value
        for other in subject.facts_named("model_type")
        if other.pointer.rpartition("/")[0] in ((place, "") if other.file == fact.file else ("",))
    )
    rows = _rows()
    keys = ((kind, fact.name, value) for kind in types for value in (fact.value, ANY))
    return next((rows[key] for key in keys if isinstance(key[2], Hashable) and key in rows), "")


@cache
def _rows() -> Mapping[tuple[str, str, int | str], str]:
    return {
        (kind, key, value if value == ANY else int(value)): does
        for kinds, key, value, does, _ in lines_of("treated.csv")
        for kind in kinds.split()
    }
