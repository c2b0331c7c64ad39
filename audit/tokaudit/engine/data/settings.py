"""Which ids on disk are examined, and how they are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokaudit.foundation.settings.places import Data, Name, NamedPath
from tokaudit.foundation.settings.setting import setting
from tokaudit.foundation.settings.words import Text, Word

DTYPES = ("uint8", "uint16", "uint32", "uint64", "int16", "int32", "int64")


@dataclass(frozen=True, kw_only=True)
class ReadingData:
    """What the files of ids leave open, and where finished pieces are kept."""

    dtype: str | None = setting(
        None,
        "the type of ids in files that do not state it",
        Word("TYPE", DTYPES),
        "derived from the ids, and said to be",
    )
    resume: NamedPath | None = setting(
        None,
        "keep finished pieces of ids in this folder, and take those that are there already",
        Name("DIR"),
        "nothing is kept",
    )
    ray: str | None = setting(
        None,
        "read pieces of ids by Ray at this address, or local; needs tokaudit[ray]",
        Text("ADDRESS", "the address of a cluster, or local"),
        "by processes of this machine",
    )


@dataclass(frozen=True, kw_only=True)
class WithData(ReadingData):
    """The ids on disk that are examined with a tokenizer."""

    data: Sequence[NamedPath] = setting(
        (),
        "examine these ids on disk too: a file, folder, glob or URL; may be given again",
        Data(),
        "none",
    )
