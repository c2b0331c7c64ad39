"""Texts about added tokens: each with its flags in each context, and look-alikes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from tokaudit_reference.spec import AddedToken, TokenizerSpec

MOST = 60  # tokens in all contexts, of which no more than a few for each row of flags
OF_EACH_KIND = 3
BEFORE = ("", " ", "  ", "\n", "a", "a ", ".")
AFTER = ("", " ", "  ", "\n", "a", " a", ".")
FIRST = (("a", "a"), ("  ", "  "), ("", ""), ("\n", "\n"), ("a ", " a"))
AROUND = tuple(dict.fromkeys((*FIRST, *product(BEFORE, AFTER))))
"""What is before and after a token; those that most flags show in come first."""


def added_token_texts(spec: TokenizerSpec) -> Iterator[str]:
    """Yield some tokens of each set of flags between all neighbours, and every token once."""
    tokens = [token for token in spec.added_tokens if token.content]
    chosen = _of_each_kind(tokens)
    for one, other in AROUND:
        yield from (f"{one}{token.content}{other}" for token in chosen)
    for token in chosen:
        yield from _alike(token.content)
    for first, second in zip(chosen, [*chosen[1:], *chosen[:1]], strict=True):
        yield from (first.content * 2, first.content + second.content)
        yield from (f"{first.content} {second.content}", f"{first.content}\n{second.content}")
    yield from (f"a {token.content} b" for token in tokens)
    yield from (f"a{token.content}b" for token in tokens)


def _alike(content: str) -> Iterator[str]:
    """Yield the same in another case, a part of it, and an extension."""
    yield from (
        content.lower(),
        content.upper(),
        content[:-1],
        content[1:],
        f"{content[0]}{content}",
    )
    yield from (f"a{content}1", f"1{content}a", f"_{content}_", f"{content}{content[-1]}")


def _of_each_kind(tokens: Sequence[AddedToken]) -> list[AddedToken]:
    kinds: dict[tuple[bool, ...], list[AddedToken]] = {}
    for token in tokens:
        flags = (token.special, token.lstrip, token.rstrip, token.single_word, token.normalized)
        kinds.setdefault((*flags, token.content.isspace()), []).append(token)
    found = [token for kind in kinds.values() for token in kind[:OF_EACH_KIND]]
    return found[:MOST]
