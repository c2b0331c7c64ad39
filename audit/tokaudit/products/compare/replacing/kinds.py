"""Suspicious entries of a vocabulary, counted with examples."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from operator import itemgetter

from tokaudit.engine.vocabularies.piece_texts import piece_text
from tokaudit.report.replacement import EntryKinds
from tokaudit_reference.spec import TokenizerSpec

OVER_LONG = 24  # characters
SHOWN = 5
RESERVED = re.compile(r"reserved|unused|placeholder|extra_(?:token|id)|^<\|?dummy", re.IGNORECASE)
LONG, CASE, SPACE, KEPT_FREE = (
    "over-long",
    "same but for case",
    "same except for a space",
    "reserved",
)


def entry_kinds(spec: TokenizerSpec) -> EntryKinds:
    """Count the kinds of suspicious entries of a vocabulary, with the first examples.

    >>> from tokaudit_reference.spec import ModelType, Piece, TokenType
    >>> words = ("the", " the", "The", "x" * 30)
    >>> pieces = {id: Piece(TokenType.ORDINARY, word) for id, word in enumerate(words)}
    >>> found = entry_kinds(TokenizerSpec(ModelType.BPE, pieces))
    >>> dict(found.counts)
    {'over-long': 1, 'same but for case': 2, 'same except for a space': 2}
    """
    added = {token.id for token in spec.added_tokens}
    pieces = [
        piece for id, piece in sorted(spec.each_entry(), key=itemgetter(0)) if id not in added
    ]
    texts = list(dict.fromkeys(text for piece in pieces if (text := piece_text(piece))))
    found: Counter[str] = Counter()
    examples: dict[str, list[str]] = defaultdict(list)
    for kind, text in _sorted_out(spec, texts):
        found[kind] += 1
        if len(examples[kind]) < SHOWN:
            examples[kind].append(text)
    return EntryKinds(dict(found), {kind: tuple(shown) for kind, shown in examples.items()})


def _sorted_out(spec: TokenizerSpec, texts: list[str]) -> Iterator[tuple[str, str]]:
    yield from ((LONG, text) for text in sorted(texts, key=len, reverse=True) if _is_long(text))
    yield from ((CASE, text) for text in _alike(texts, str.casefold))
    yield from ((SPACE, text) for text in _alike(texts, _without_space))
    names = (token.content for token in spec.added_tokens)
    yield from ((KEPT_FREE, name) for name in names if RESERVED.search(name))


def _is_long(text: str) -> bool:
    return len(text) > OVER_LONG


def _without_space(text: str) -> str:
    return text[1:] if text[:1] in (" ", "▁") else text


def _alike(texts: Iterable[str], key: Callable[[str], str]) -> Iterator[str]:
    """Yield the entries with the same key as another one."""
    groups: dict[str, list[str]] = defaultdict(list)
    for text in texts:
        groups[key(text)].append(text)
    yield from (text for alike in groups.values() if alike[1:] for text in alike)
