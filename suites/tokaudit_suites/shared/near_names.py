"""Suggest the token that a misspelled name means."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.vocab_entries import is_special, looks_like_marker, name_of

LEAST_LETTERS = 5  # of shorter names, two may be meant
TELLING = frozenset("/0123456789")  # what one of these makes of a marker is another marker
PLURAL = "s"


def nearest(text: str, tokens: Iterable[str]) -> str | None:
    """Return the only token one edit away from a marker, or None.

    >>> nearest("<|asssistant|>", ["<|assistant|>", "<|user|>"])
    '<|assistant|>'
    >>> nearest("</think>", ["<think>"]), nearest("<extra_id_1>", ["<extra_id_2>"])
    (None, None)
    >>> nearest("<tools>", ["<tool>"]), nearest("<eod>", ["<eos>"])
    (None, None)
    """
    if not looks_like_marker(text) or sum(map(str.isalpha, text)) < LEAST_LETTERS:
        return None
    found = [token for token in tokens if looks_like_marker(token) and _is_near(text, token)]
    return found[0] if len(found) == 1 else None


def nearest_key(key: str, known: Iterable[str]) -> str | None:
    """Return the only key one edit away from a misspelled one, or None.

    >>> nearest_key("eos_tokens_id", ["eos_token_id", "bos_token_id"]), nearest_key("a", ["b"])
    ('eos_token_id', None)
    >>> nearest_key("tokenizer2", ["tokenizer"])
    """
    if len(key) < LEAST_LETTERS:
        return None
    found = [each for each in known if (by := _changed(key, each)) and not {*by} & TELLING]
    return found[0] if len(found) == 1 else None


def markers_of(spec: TokenizerSpec) -> list[str]:
    """Return the tokens that a name may mean: added tokens and special entries."""
    added = [token.content for token in spec.added_tokens]
    entries = (name_of(spec, id) for id in spec.pieces if is_special(spec, id))
    return [*dict.fromkeys([*added, *(each for each in entries if isinstance(each, str))])]


def _is_near(one: str, other: str) -> bool:
    changed = _changed(one, other)
    return changed is not None and not {*changed} & TELLING and not _is_plural(one, other)


def _is_plural(one: str, other: str) -> bool:
    bare = [text.strip("<>[]|") for text in (one, other)]
    return bare[0] + PLURAL == bare[1] or bare[1] + PLURAL == bare[0]


def _changed(one: str, other: str) -> Collection[str] | None:
    """Return the characters of one insertion, deletion, replacement or swap of neighbours."""
    if abs(len(one) - len(other)) > 1 or one == other:
        return None
    start = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    start = min(len(one), len(other)) if start is None else start
    mine, theirs = one[start:], other[start:]
    if mine[1:] == theirs[1:]:
        return mine[:1] + theirs[:1]
    if mine[1:] == theirs:
        return mine[:1]
    if mine == theirs[1:]:
        return theirs[:1]
    if mine[:2] == theirs[1::-1] and mine[2:] == theirs[2:]:
        return mine[:2]
    return None
