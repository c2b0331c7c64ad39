"""Settings for ids on disk: which ones, and how they are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tokaudit.engine.pieces import InPieces
from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.settings.nearest import meant
from tokaudit.foundation.settings.numbers import Whole
from tokaudit.foundation.settings.places import Data, NamedPath
from tokaudit.foundation.settings.setting import Argument, AsGiven, setting
from tokaudit.foundation.settings.toml_table import Table
from tokaudit.foundation.settings.words import Word, listed
from tokaudit.subject.id_columns import KNOWN

ROLES = tuple(KNOWN)
MOST_DOCUMENTS = 1_000_000_000
DTYPES = ("uint8", "uint16", "uint32", "uint64", "int16", "int32", "int64")


@dataclass(frozen=True)
class ColumnNames(AsGiven):
    """Column names by content, as `ids=tokens_v2`; a bare name means ids."""

    argument = Argument("ROLE=NAME", "append")

    def checked(self, name: str, given: Sequence[str]) -> tuple[str, ...]:
        """Return the texts, each with a known role and a name."""
        found = listed(name, given)
        for role, column in columns_of(found):
            if role not in ROLES:
                near = meant(role, ROLES)
                raise UsageError(
                    f"{name} {role!r}: is not one of the roles {', '.join(ROLES)}{near}"
                )
            if not column:
                raise UsageError(f"{name} {role!r}: the name after = is missing; write {role}=NAME")
        return found

    def from_toml(self, table: Table, key: str, folder: Path) -> tuple[str, ...]:
        """Read a list of texts."""
        return table.texts(key)


def columns_of(given: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the role and the name of each column.

    >>> columns_of(["tokens_v2", "labels=y"])
    (('ids', 'tokens_v2'), ('labels', 'y'))
    """
    parts = [each.partition("=") for each in given]
    return tuple((role, name) if equals else ("ids", role) for role, equals, name in parts)


@dataclass(frozen=True, kw_only=True)
class ReadingData(InPieces):
    """Settings to read files of ids, for what the files leave open."""

    GROUP = "ids on disk"

    dtype: str | None = setting(
        None,
        "the type of the token ids in data files that do not state a type, such as uint16",
        Word("TYPE", DTYPES),
        "the type is guessed from the ids, and reported as a guess",
    )
    column: Sequence[str] = setting(
        (),
        "the column of the data files that contains the ids (ids=NAME), the labels (labels=NAME) "
        "and so on; may be given again",
        ColumnNames(),
        "columns are found by their usual names",
    )
    sample: int | None = setting(
        None,
        "decode about this many documents, or parts of long documents",
        Whole(least=1, most=MOST_DOCUMENTS, what="documents"),
        "as many as --tier sets",
    )


@dataclass(frozen=True, kw_only=True)
class WithData(ReadingData):
    """Ids on disk to examine with a tokenizer."""

    GROUP = "ids on disk"

    data: Sequence[NamedPath] = setting(
        (),
        "also check these files of token ids: a file, folder, glob or URL; may be given again",
        Data(),
        "none",
    )
