"""Results of each loader for a subject: run by its library, or emulated from records."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tokaudit.runtimes.protocol import Tokenizer
from tokaudit.subject.effective.loaders import Loader
from tokaudit.subject.effective.refused import Refusal


class How(StrEnum):
    """The source of knowledge about a loader."""

    RUN = "run"
    EMULATED = "emulated"
    NOT_RUN = "not run"


@dataclass(frozen=True)
class LoadedBy:
    """One loader and its result for the subject; `why` is the reason why it was not run."""

    loader: Loader
    how: How
    refusals: tuple[Refusal, ...] = ()
    why: str = ""
    tokenizer: Tokenizer | None = None
    examined: bool = True  # an emulation of a folder that names no class examines nothing

    @property
    def name(self) -> str:
        """Name the loader, its version, and its source, for sentences."""
        return f"{self.loader.name} ({self.how})"


@dataclass(frozen=True)
class Loaded:
    """All loaders under consideration; `stated` if the user named them."""

    all: tuple[LoadedBy, ...]
    stated: bool

    def refusing(self) -> tuple[LoadedBy, ...]:
        """Return the loaders that refuse the subject, or raise on encoding a text."""
        return tuple(each for each in self.all if each.refusals)
