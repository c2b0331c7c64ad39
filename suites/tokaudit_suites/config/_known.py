"""Keys that loaders know in each settings file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tokaudit.plugin import need
from tokaudit.subject.upstream import setting_key


@dataclass(frozen=True)
class KnownKeys:
    """Keys that loaders know, by file."""

    by_file: Mapping[str, frozenset[str]]


@need
def known_keys() -> KnownKeys:
    """Read the lists of known keys."""
    return KnownKeys(setting_key.known_keys())
