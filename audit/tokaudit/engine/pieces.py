"""Settings of work in pieces: processes, cluster, and checkpoints."""

from __future__ import annotations

from dataclasses import dataclass

from tokaudit.foundation.settings.numbers import Whole
from tokaudit.foundation.settings.places import Name, NamedPath
from tokaudit.foundation.settings.setting import setting
from tokaudit.foundation.settings.words import Text

MOST_JOBS = 64


@dataclass(frozen=True, kw_only=True)
class Pieces:
    """The cluster for pieces of ids or of a corpus, and the folder for finished ones."""

    GROUP = "large files"

    resume: NamedPath | None = setting(
        None,
        "save the result of each finished shard in this folder; the next run continues from these "
        "results",
        Name("DIR"),
        "no results are saved",
    )
    ray: str | None = setting(
        None,
        "the address of a Ray cluster that processes the shards, or `local` for Ray on this "
        "machine; needs the extra tokaudit[ray]",
        Text("ADDRESS", "the address of a cluster, or local"),
        "without Ray, in processes on this machine",
    )


@dataclass(frozen=True, kw_only=True)
class InPieces(Pieces):
    """Number of pieces that run at a time."""

    GROUP = "large files"

    jobs: int = setting(1, "pieces worked on in parallel", Whole(least=1, most=MOST_JOBS))
