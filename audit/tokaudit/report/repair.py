"""Remedies of findings as data: changes for a program, or who has to decide.

Everything here is frozen data and imports nothing of ours or of anybody else's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class ChangeKind(StrEnum):
    """The kind of a change that a repair makes."""

    SET = "set"  # the value at a pointer becomes another one
    ADD = "add"  # a key, an entry of a list (`/-`) or a line that is not there
    REMOVE = "remove"  # a key, an entry of a list or a line; without a pointer the whole file
    TAKE = "take"  # the value at a pointer, or the whole file, is copied from another file
    RUN = "run"  # a line to type in the folder of the subject


class Decider(StrEnum):
    """The authority that knows what is right, if the files do not."""

    PERSON = "person"
    BASE = "base"  # the tokenizer that this one was made from, by --base


@dataclass(frozen=True, slots=True)
class Change:
    """One change of one file, or a command; `pointer` has the file's form, as in a `Place`.

    A value is taken from `source_pointer` in `source`, which is a file of the base where it is
    `from_base`.
    """

    kind: ChangeKind
    file: str = ""
    pointer: str = ""
    now: Any = None
    wanted: Any = None
    source: str = ""
    source_pointer: str = ""
    from_base: bool = False
    command: str = ""


@dataclass(frozen=True, slots=True)
class Alternative:
    """One of several repairs, and who would want it."""

    wanted_by: str
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Repair:
    """Exactly one of: changes, a choice of alternatives, or a decision left to somebody.

    `warns_of` names in a sentence what the audit will say after the changes that it does not say
    now, such as what it could not look at before.

    >>> decision(Decider.BASE, "the list of merges does not say which one is missing").executable
    False
    """

    changes: tuple[Change, ...] = ()
    choice: tuple[Alternative, ...] = ()
    decided_by: Decider | None = None
    reason: str = ""
    warns_of: str = ""

    def __post_init__(self) -> None:
        """Refuse a repair with no content, or with several kinds of content."""
        said = (bool(self.changes), bool(self.choice), self.decided_by is not None)
        if sum(said) != 1 or (self.decided_by is not None and not self.reason):
            raise ValueError("a repair has changes, or a choice, or who decides and why")

    @property
    def executable(self) -> bool:
        """Return whether a program can apply it without asking."""
        return bool(self.changes)


def changing(changes: Iterable[Change], warns_of: str = "") -> Repair | None:
    """Build a repair of these changes; None if there are none."""
    found = tuple(changes)
    return Repair(found, warns_of=warns_of) if found else None


def choice(*alternatives: Alternative, warns_of: str = "") -> Repair:
    """Build a repair that needs a choice between alternatives."""
    return Repair(choice=alternatives, warns_of=warns_of)


def decision(by: Decider, reason: str) -> Repair:
    """Build a repair that the subject's files cannot decide."""
    return Repair(decided_by=by, reason=reason)
