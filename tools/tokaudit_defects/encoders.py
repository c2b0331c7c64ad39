"""Encoders with a documented fault, for `--against`."""

from __future__ import annotations

from functools import cache

import sick

from tokaudit_reference.text.bytes_alphabet import to_characters


def left_to_right(text: str) -> list[int]:
    """The ids of the small vocabulary, with merges applied by position and not by rank."""
    ids, pairs = _small()
    parts = list(to_characters(text.encode()))
    at = 0
    while at < len(parts) - 1:
        if (parts[at], parts[at + 1]) in pairs:
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
            at = max(at - 1, 0)
        else:
            at += 1
    return [ids[part] for part in parts]


@cache
def _small() -> tuple[dict[str, int], set[tuple[str, str]]]:
    merges = sick.train()
    ids = {token: id for id, token in enumerate(sorted(sick.alphabet().values()))}
    for left, right in merges:
        ids.setdefault(left + right, len(ids))
    return ids, set(merges)
