"""Words of findings: places, quoted tokens and short lists of examples."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from tokaudit.plugin import About, Evidence, Place
from tokaudit.subject.origins import (
    ADDED,
    MERGES,
    VOCAB,
    origin_of,
    origin_of_added,
    origin_of_line,
    origin_of_merge,
)
from tokaudit_reference.spec import Origin, TokenizerSpec

LISTED, LONGEST = 20, 240  # tokens that a finding says it is about, and the bytes of one
EXAMPLES = 5  # how many tokens a message names before it only counts


def quote(value: bytes | str) -> str:
    """Quote a token for readers: text in quotes, other bytes escaped.

    >>> quote(b"caf\\xc3\\xa9"), quote(b"\\xff"), quote("a\\n")
    ("'café'", "b'\\\\xff'", "'a\\\\n'")
    """
    if isinstance(value, bytes):
        try:
            value = value.decode("utf-8")
        except UnicodeDecodeError:
            return repr(value)
    return repr(value)


def some(items: Sequence[str], limit: int = EXAMPLES) -> str:
    """Join the first few items, and count the rest.

    >>> some(["a", "b", "c"], 2)
    'a, b and 1 more'
    """
    return first_of(items[:limit], len(items))


def first_of(shown: Sequence[str], count: int) -> str:
    """Join the first items of a list of `count`, and count the rest."""
    listed, rest = ", ".join(shown), count - len(shown)
    return f"{listed} and {rest:,} more" if rest > 0 else listed


def plural(count: int, noun: str) -> str:
    """Format a count with its noun.

    >>> plural(1, "token"), plural(1200, "entry")
    ('1 token', '1,200 entries')
    """
    if count == 1:
        return f"1 {noun}"
    return f"{count:,} {noun[:-1]}ies" if noun.endswith("y") else f"{count:,} {noun}s"


VERBS = {"is": "are", "has": "have", "does": "do", "begins": "begin", "ends": "end"}


def in_words(who: str) -> str:
    """Name the runners of a text for a message.

    >>> in_words("tokenizers 0.23.1 and the reference")
    "tokenizers 0.23.1 and tokaudit's own encoder"
    """
    return who.replace("the reference", "tokaudit's own encoder")


def does(count: int, noun: str, verb: str) -> str:
    """Format a count with its noun and a verb that agrees.

    >>> does(1, "token", "has"), does(2, "token", "has")
    ('1 token has', '2 tokens have')
    """
    return f"{plural(count, noun)} {verb if count == 1 else VERBS[verb]}"


def main_file(spec: TokenizerSpec) -> str:
    """Return the file that the spec was read from, for reports."""
    return spec.files[0] if spec.files else ""


def in_vocab(spec: TokenizerSpec, value: Any = None, entry: bytes | str | None = None) -> Place:
    """Return the vocabulary of a spec as a place; for an entry in a file of lines, its line."""
    found = origin_of(spec, VOCAB) if entry is None else origin_of_line(spec, entry)
    return _place(VOCAB, found, value)


def in_merges(spec: TokenizerSpec, index: int | None = None, value: Any = None) -> Place:
    """Return the list of merges, or one of them, as a place."""
    found = origin_of(spec, MERGES) if index is None else origin_of_merge(spec, index)
    return _place(MERGES, found, value)


def in_added(spec: TokenizerSpec, content: str | None = None, value: Any = None) -> Place:
    """Return the list of added tokens, or one entry by content, as a place."""
    found = origin_of(spec, ADDED) if content is None else origin_of_added(spec, content)
    return _place(ADDED, found, value if value is not None else content)


def in_model(spec: TokenizerSpec, key: str, value: Any = None) -> Place:
    """Return a model setting as a place; the file may lack the key."""
    return _place("model", origin_of(spec, f"model/{key}"), value)


def count_of(spec: TokenizerSpec) -> Place:
    """Return the file's count of ids as a place."""
    return _place("vocab", origin_of(spec, "size"), spec.size())


def stage(spec: TokenizerSpec, name: str, value: Any = None) -> Place:
    """Return a component such as the normalizer as a place."""
    return _place(name, origin_of(spec, name), value)


def _place(component: str, at: Origin, value: Any) -> Place:
    return Place(component, at.file, at.pointer, value, implied_by=at.implied_by)


def about(*tokens: bytes | str, ids: Iterable[int] = ()) -> About:
    """Return the first tokens and ids of a finding, without long texts.

    >>> about("<s>", b"\\xff", "", ids=[1]).tokens
    ('<s>',)
    """
    texts = map(_short_text, tokens[:LISTED])
    return About(tuple(text for text in texts if text), tuple(islice(ids, LISTED)))


def _short_text(value: bytes | str) -> str:
    try:
        data = value.encode() if isinstance(value, str) else value
        return data.decode() if len(data) <= LONGEST else ""
    except UnicodeError:
        return ""


def ids_evidence(ids: Iterable[int], note: str = "") -> Evidence:
    """Return evidence that lists ids, at most a hundred."""
    return Evidence("ids", ids=tuple(ids)[:100], note=note)
