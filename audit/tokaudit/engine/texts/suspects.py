"""Texts that show a difference of two tokenizers, if short texts show it at all.

They come before any sampling: every entry of either vocabulary, and what lies around added tokens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import get_args
from unicodedata import normalize

from tokaudit.engine.texts.probes import known_to_this_unicode
from tokaudit.engine.vocabularies.piece_texts import piece_text
from tokaudit_reference.spec import AddedToken, Piece, TokenizerSpec
from tokaudit_reference.steps.normalizers.unicode_forms import Form

MOST_ADDED = 400  # added tokens whose neighbourhood is written out
FORMS: frozenset[Form] = frozenset(get_args(Form))
NEIGHBOURS = ("", " ", "  ", "\n", "a", "A", ".", "\u00e9")  # what may come before or after one


def entry_texts(*specs: TokenizerSpec) -> tuple[str, ...]:
    """Return the text of every vocabulary entry: alone, after a space, and after a letter.

    >>> from tokaudit_reference.spec import ModelType, Piece, TokenType
    >>> entry_texts(TokenizerSpec(ModelType.BPE, {0: Piece(TokenType.ORDINARY, "\u2581ab")}))
    ('ab', ' ab', 'aab')
    """
    return texts_of(piece for spec in specs for piece in spec.every_piece())


def several_in_one(*specs: TokenizerSpec) -> tuple[str, ...]:
    """Return single characters that a normalizer decomposes into many tokens.

    >>> from tokaudit_reference.spec import ModelType
    >>> several_in_one(TokenizerSpec(ModelType.BPE, {}))
    ()
    """
    steps = [step.effects for spec in specs for step in spec.normalizer.steps]
    if not any(step.decomposes or step.strips_marks or step.tables & FORMS for step in steps):
        return ()
    found = (chr(code) for code in range(0xA0, 0x20000) if not 0xD800 <= code < 0xE000)
    return tuple(c for c in found if len(normalize("NFKD", c)) > 1)


def bare_texts(*specs: TokenizerSpec) -> tuple[str, ...]:
    """Return the text of every vocabulary entry, alone and as spelled, without duplicates."""
    texts = (piece_text(piece) for spec in specs for piece in spec.every_piece())
    return tuple(text for text in dict.fromkeys(texts) if text and known_to_this_unicode(text))


def texts_of(pieces: Iterable[Piece]) -> tuple[str, ...]:
    """Return the text of each piece: alone, after a space, and after a letter."""
    bare = dict.fromkeys((piece_text(piece) or "").removeprefix(" ") for piece in pieces)
    found = (text for entry in bare for text in (entry, f" {entry}", f"a{entry}") if entry)
    return tuple(text for text in dict.fromkeys(found) if known_to_this_unicode(text))


def added_token_texts(first: TokenizerSpec, second: TokenizerSpec) -> tuple[str, ...]:
    """Return every added token between neighbours, differing tokens of the two sides first.

    Where two sides have the same tokens only a few of those are written out.
    """
    ours, theirs = _by_content(first), _by_content(second)
    changed = [c for c in {**ours, **theirs} if ours.get(c) != theirs.get(c)]
    same = [c for c, token in ours.items() if theirs.get(c) == token]
    found: dict[str, None] = {}
    for content in changed[:MOST_ADDED]:
        found |= dict.fromkeys(_around(content))
    for content in same[: MOST_ADDED // 10]:
        found |= dict.fromkeys((content, f"a{content}a", f" {content} {content}"))
    return tuple(text for text in found if text)


def _around(content: str) -> Iterator[str]:
    yield from (content, content.lower(), content.upper())
    yield from (normalize(form, content) for form in sorted(FORMS))
    for before in NEIGHBOURS:
        for after in NEIGHBOURS:
            yield f"{before}{content}{after}"
    yield from (f"{content}{content}", f"a {content} a", f"a\n{content}\n a")


def _by_content(spec: TokenizerSpec) -> dict[str, AddedToken]:
    return {token.content: token for token in spec.added_tokens}
