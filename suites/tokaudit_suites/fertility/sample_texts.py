"""Reads the built-in sample: aligned sentences in many languages, and snippets of other domains."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from tokaudit.engine.resolver import need

REFERENCE_LANGUAGE = "eng_Latn"
UNSPACED_SCRIPTS = ("Hans", "Hant", "Jpan", "Thai", "Khmr", "Mymr", "Laoo", "Tibt")


@dataclass(frozen=True, slots=True)
class Sample:
    """The texts of one language or domain, with where they come from and who reviewed them."""

    language: str
    name: str
    kind: str  # "language" or "domain"
    source: str
    review: str
    sentences: tuple[str, ...]

    @property
    def spaced(self) -> bool:
        """Whether spaces part the words, so that tokens per word means something."""
        return self.kind == "language" and not self.language.endswith(UNSPACED_SCRIPTS)


@cache
def load() -> tuple[Sample, ...]:
    """Every built-in sample, sorted by its key."""
    folder = files("tokaudit_suites.fertility").joinpath("sample")
    entries = [entry for entry in folder.iterdir() if entry.name.endswith(".json")]
    read = (json.loads(entry.read_text(encoding="utf-8")) for entry in entries)
    samples = (Sample(**{**item, "sentences": tuple(item["sentences"])}) for item in read)
    return tuple(sorted(samples, key=lambda sample: sample.language))


@dataclass(frozen=True, slots=True)
class Samples:
    """Every built-in sample."""

    all: tuple[Sample, ...]

    def of_kind(self, kind: str) -> tuple[Sample, ...]:
        """The samples of one kind."""
        return tuple(sample for sample in self.all if sample.kind == kind)


@need
def samples() -> Samples:
    """The built-in sample, read once."""
    return Samples(load())
