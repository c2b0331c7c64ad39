"""The demands of mistral-common on a tekken.json: its version, and the tokens that it writes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache

from tokaudit.subject.upstream.records import MISTRAL, hand_written

MISTRAL_COMMON = "1.13.1"


@cache
def role_texts() -> Mapping[str, str]:
    """The text of each role's token.

    >>> role_texts()["bos"]
    '<s>'
    """
    found: Mapping[str, str] = hand_written(MISTRAL)["roles"]
    return found


@cache
def versions() -> tuple[str, ...]:
    """The versions that it knows, the oldest first."""
    return tuple(hand_written(MISTRAL)["versions"])


@cache
def listless() -> tuple[str, ...]:
    """The versions that need no list of special tokens."""
    return tuple(hand_written(MISTRAL)["listless"])


def tokens_needed(version: str) -> tuple[str, ...]:
    """The tokens without which a version does not load; those of the versions before it first."""
    needs = hand_written(MISTRAL)["needs"]
    own = versions()[: versions().index(version) + 1]
    return tuple(text for each in own for text in needs.get(each, ()))


def refused(version: str, tokens: Collection[str], has_list: bool) -> str:
    """The fault of a version: it is none, has no list, or lacks a token; else nothing."""
    if version not in versions():
        return f"there is no version {version}"
    if not has_list and version not in listless():
        return f"{version} needs its list of special tokens"
    lacking = next((text for text in tokens_needed(version) if text not in tokens), "")
    return f"{version} writes {lacking}, which is not there" if lacking else ""
