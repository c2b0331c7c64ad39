"""Ids in a config that its model's class treats as something else, or never reads.

Published configs of these families all have them, so they are worth knowing and are no fault.
`treated.csv` has a row for each, with the source in transformers 4.57.6.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from tokaudit.subject.classes.table import lines_of
from tokaudit.subject.material import Fact, Subject


def treatment(subject: Subject, fact: Fact) -> str:
    """What the class does with an id that a config states; empty where it takes it as it is."""
    place = fact.pointer.rpartition("/")[0]
    types = (
        other.value
        for other in subject.facts_named("model_type")
        if other.file == fact.file and other.pointer.rpartition("/")[0] in (place, "")
    )
    rows = _rows()
    return next((rows[key] for kind in types if (key := (kind, fact.name, fact.value)) in rows), "")


@cache
def _rows() -> Mapping[tuple[str, str, int], str]:
    return {(kind, key, int(value)): does for kind, key, value, does, _ in lines_of("treated.csv")}
