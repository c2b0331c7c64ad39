"""Names of the loaders that a folder may be meant for, as a user writes them."""

from __future__ import annotations

from dataclasses import dataclass

from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.settings.nearest import meant
from tokaudit.subject.upstream.versions import FIVE, FOUR

TRANSFORMERS = "transformers"
EMULATED = {TRANSFORMERS: (FOUR, FIVE)}
"""The libraries whose versions are known here without running them."""
LLAMA_CPP = "llama_cpp"
OTHERS = (LLAMA_CPP, "sentence-transformers", "sentencepiece", "tokenizers")
ALSO_CALLED = {"llama.cpp": LLAMA_CPP}


@dataclass(frozen=True, slots=True)
class Loader:
    """A library, an optional version, and an interpreter to run it."""

    library: str
    version: str = ""
    place: str = ""

    @property
    def name(self) -> str:
        """Name the library and its version, for sentences."""
        return f"{self.library} {self.version}".strip()

    @property
    def is_emulated(self) -> bool:
        """Return whether records of exactly this version exist."""
        return self.version in EMULATED.get(self.library, ())


CURRENT = tuple(Loader(TRANSFORMERS, version) for version in EMULATED[TRANSFORMERS])
"""What a folder is held to where nobody says what must load it."""


def loader_named(text: str) -> Loader:
    """Parse a loader: `NAME`, `NAME==VERSION`, either with `@/path/to/python`.

    Raises `UsageError` for a library that nobody knows.

    >>> loader_named("transformers==4.57.6@venv/bin/python")
    Loader(library='transformers', version='4.57.6', place='venv/bin/python')
    >>> loader_named("llama.cpp").name
    'llama_cpp'
    """
    named, _, place = text.partition("@")
    written, _, version = named.partition("==")
    library = ALSO_CALLED.get(written, written)
    known = (TRANSFORMERS, *OTHERS)
    if library not in known:
        near = meant(library, known)
        listing = f"{near} Known" if near else "; known"
        raise UsageError(f"{text!r} is not a known loader{listing} loaders: {', '.join(known)}")
    if "==" in named and not version:
        raise UsageError(f"{text!r} has no version after ==")
    return Loader(library, version, place)
