"""The token that the decoder of a kind of model begins with, where its class decides that.

`starts.csv` has a row for each `model_type`: a role, or the token itself, and what another token is
worth: `error` whatever it is, `warning` whatever it is, or an error for the token of the role that
is named there and nothing for others, as some models of the kind were trained so.  The source is in
transformers 4.57.6.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from tokaudit.subject.classes.table import lines_of
from tokaudit.subject.material import Subject


@dataclass(frozen=True, slots=True)
class Start:
    """How the decoder of one kind of model begins."""

    kind: str
    begins_with: str  # a role, or the text of a token
    otherwise: str  # error, warning, or the role that alone is an error
    source: str

    @property
    def is_role(self) -> bool:
        """Whether a role is named, which a config gives its token."""
        return self.begins_with.isalpha()


def start_of(subject: Subject) -> Start | None:
    """How the decoder of the subject's model begins; None where its class does not decide it."""
    types = [f for f in subject.facts_named("model_type") if f.pointer == "/model_type"]
    return next((_rows()[fact.value] for fact in types if fact.value in _rows()), None)


@cache
def _rows() -> Mapping[str, Start]:
    return {row[0]: Start(*row) for row in lines_of("starts.csv")}
