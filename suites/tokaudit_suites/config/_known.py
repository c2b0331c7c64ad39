"""Which keys loaders know in each file of settings that has a list of them.

`known_keys.csv` has a row for each file, drawn from the sources that it names.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from tokaudit.engine.resolver import need
from tokaudit_suites.config._rows import rows_of

TABLE = "known_keys.csv"
ALIKE = {"video_preprocessor_config.json": "preprocessor_config.json"}
"""A file that has the keys of another."""


@dataclass(frozen=True)
class KnownKeys:
    """The keys that loaders know, by the file."""

    by_file: Mapping[str, frozenset[str]]


@need
def known_keys() -> KnownKeys:
    """The table, read once."""
    return KnownKeys(load())


@cache
def load() -> Mapping[str, frozenset[str]]:
    """The keys by the file, those of the table of rules among them."""
    text = resources.files(__package__).joinpath(TABLE).read_text("utf-8")
    _, *lines = csv.reader(text.splitlines())
    found: dict[str, frozenset[str]] = {}
    for file, _, keys in lines:
        ruled = {row.key for row in rows_of(file)}
        found[file] = frozenset({*keys.split(), *ruled})
    return found | {file: found[other] for file, other in ALIKE.items()}
