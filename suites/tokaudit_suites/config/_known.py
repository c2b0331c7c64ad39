"""Which keys loaders know in each file of settings that has a list of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tokaudit.plugin import need
from tokaudit.subject.upstream import setting_key


@dataclass(frozen=True)
class KnownKeys:
    """The keys that loaders know, by the file."""

    by_file: Mapping[str, frozenset[str]]


@need
def known_keys() -> KnownKeys:
    """The lists of the records, read once."""
    return KnownKeys(setting_key.known_keys())
