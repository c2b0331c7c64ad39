"""The results of each loader for a subject: run by its library, or emulated from its records."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tokaudit.runtimes.protocol import Tokenizer
from tokaudit.subject.effective.loaders import Loader
from tokaudit.subject.effective.refused import Refusal


class How(StrEnum):
    """The source of what is known of a loader."""

    RUN = "run"
    EMULATED = "emulated"
    NOT_RUN = "not run"


@dataclass(frozen=True)
class LoadedBy:
    """One loader, and what it makes of the subject; `why` says why it was not run."""

    loader: Loader
    how: How
    refusals: tuple[Refusal, ...] = ()
    why: str = ""
    tokenizer: Tokenizer | None = None
    examined: bool = True  # an emulation of a folder that names no class examines nothing

    @property
    def name(self) -> str:
        """The loader with its version, and how it is known, as sentences name it."""
        return f"{self.loader.name} ({self.how})"


@dataclass(frozen=True)
class Loaded:
    """Every loader that is looked at; `stated` says that the user named them."""

    all: tuple[LoadedBy, ...]
    stated: bool

    def refusing(self) -> tuple[LoadedBy, ...]:
        """Those that do not load it, or raise once they encode a text."""
        return tuple(each for each in self.all if each.refusals)
