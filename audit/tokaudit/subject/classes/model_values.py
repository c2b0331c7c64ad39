"""What the class of a model takes for a key that its config leaves out.

`model_values.csv` was drawn from the configurations that transformers 4.57.6 and 5.23.0 make of
nothing, each `model_type` with the value of either version: `absent` where the version does not
have the kind, and nothing where it has the kind and no value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from tokaudit.subject.classes.table import lines_of

ABSENT = "absent"
VERSIONS = ("transformers 4.57.6", "transformers 5.23.0")


@dataclass(frozen=True, slots=True)
class ModelValue:
    """A key and what either version takes for it, as the table writes it."""

    key: str
    four: str
    five: str

    def by_version(self) -> Mapping[str, tuple[int, ...]]:
        """The numbers by the version, of those that have the kind; none where it has no value.

        >>> ModelValue("eos_token_id", "absent", "1 106").by_version()
        {'transformers 5.23.0': (1, 106)}
        """
        both = zip(VERSIONS, (self.four, self.five), strict=True)
        return {
            version: tuple(int(each) for each in said.split() if each.isdecimal())
            for version, said in both
            if said != ABSENT
        }

    def is_true(self) -> bool:
        """Whether a switch is on in a version."""
        return "true" in (self.four, self.five)


def value_of(kind: str, key: str) -> ModelValue | None:
    """What the class of a `model_type` takes for a key; None where the table has neither.

    >>> value_of("marian", "decoder_start_token_id")
    ModelValue(key='decoder_start_token_id', four='58100', five='58100')
    """
    return values().get((kind, key))


@cache
def values() -> Mapping[tuple[str, str], ModelValue]:
    """Every value of the table by the kind and the key."""
    return {
        (kind, key): ModelValue(key, four, five)
        for key, four, five, kinds in lines_of("model_values.csv")
        for kind in kinds.split()
    }
