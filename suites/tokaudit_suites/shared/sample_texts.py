"""The built-in sample: aligned sentences in many languages, and snippets of other domains."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files

from tokaudit.plugin import Sample, Samples, need

REFERENCE_LANGUAGE = "eng_Latn"


@cache
def load() -> tuple[Sample, ...]:
    """Load every built-in sample, sorted by key."""
    folder = files("tokaudit_suites.shared").joinpath("sample")
    entries = [entry for entry in folder.iterdir() if entry.name.endswith(".json")]
    read = (json.loads(entry.read_text(encoding="utf-8")) for entry in entries)
    samples = (Sample(**{**item, "sentences": tuple(item["sentences"])}) for item in read)
    return tuple(sorted(samples, key=lambda sample: sample.language))


LANGUAGE = re.compile(r"[a-z]{3}_[A-Z][a-z]{3}")


@cache
def keys(kind: str) -> tuple[str, ...]:
    """Return the keys of samples of one kind, by file names alone.

    >>> "deu_Latn" in keys("language"), "deu_Latn" in keys("domain"), "code_c" in keys("domain")
    (True, False, True)
    """
    folder = files("tokaudit_suites.shared").joinpath("sample")
    names = sorted(e.name.removesuffix(".json") for e in folder.iterdir() if ".json" in e.name)
    return tuple(n for n in names if (LANGUAGE.fullmatch(n) is not None) == (kind == "language"))


@need
def samples() -> Samples:
    """Load the built-in sample."""
    return Samples(load())
