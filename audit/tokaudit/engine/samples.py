"""Built-in texts by language and domain, which the fertility suite provides."""

from __future__ import annotations

from dataclasses import dataclass

UNSPACED_SCRIPTS = ("Hans", "Hant", "Jpan", "Thai", "Khmr", "Mymr", "Laoo", "Tibt")


@dataclass(frozen=True, slots=True)
class Sample:
    """Texts of one language or domain, with their source and reviewer."""

    language: str
    name: str
    kind: str  # "language" or "domain"
    source: str
    review: str
    sentences: tuple[str, ...]

    @property
    def spaced(self) -> bool:
        """Return whether spaces separate words, so that tokens per word are meaningful."""
        return self.kind == "language" and is_spaced(self.language)


def is_spaced(language: str) -> bool:
    """Return whether the script of a language separates words by spaces.

    >>> is_spaced("deu_Latn"), is_spaced("tha_Thai")
    (True, False)
    """
    return not language.endswith(UNSPACED_SCRIPTS)


@dataclass(frozen=True, slots=True)
class Samples:
    """All built-in samples."""

    all: tuple[Sample, ...]

    def of_kind(self, kind: str) -> tuple[Sample, ...]:
        """Return the samples of one kind."""
        return tuple(sample for sample in self.all if sample.kind == kind)
