"""The words of findings: places, quoted tokens and short lists of examples."""

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
    """A token as a reader can tell it apart: text in quotes, other bytes escaped.

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
    """The first few items of a list, and how many more there are.

    >>> some(["a", "b", "c"], 2)
    'a, b and 1 more'
    """
    return first_of(items[:limit], len(items))


def first_of(shown: Sequence[str], count: int) -> str:
    """The first items of a list of so many, and how many more there are."""
    listed, rest = ", ".join(shown), count - len(shown)
    return f"{listed} and {rest:,} more" if rest > 0 else listed


def plural(count: int, noun: str) -> str:
    """A count with its noun.

    >>> plural(1, "token"), plural(1200, "entry")
    ('1 token', '1,200 entries')
    """
    if count == 1:
        return f"1 {noun}"
    return f"{count:,} {noun[:-1]}ies" if noun.endswith("y") else f"{count:,} {noun}s"


VERBS = {"is": "are", "has": "have", "does": "do", "begins": "begin", "ends": "end"}


def in_words(who: str) -> str:
    """The runners of a text in the words of a message, which names the reference encoder.

    >>> in_words("tokenizers 0.23.1 and the reference")
    "tokenizers 0.23.1 and tokaudit's own encoder"
    """
    return who.replace("the reference", "tokaudit's own encoder")


def does(count: int, noun: str, verb: str) -> str:
    """A count with its noun and the verb that fits.

    >>> does(1, "token", "has"), does(2, "token", "has")
    ('1 token has', '2 tokens have')
    """
    return f"{plural(count, noun)} {verb if count == 1 else VERBS[verb]}"


def main_file(spec: TokenizerSpec) -> str:
    """The file that the spec was read from, as reports name it."""
    return spec.files[0] if spec.files else ""


def in_vocab(spec: TokenizerSpec, value: Any = None, entry: bytes | str | None = None) -> Place:
    """The vocabulary of a spec as a place; in a file of lines, that of the entry."""
    found = origin_of(spec, VOCAB) if entry is None else origin_of_line(spec, entry)
    return _place(VOCAB, found, value)


def in_merges(spec: TokenizerSpec, index: int | None = None, value: Any = None) -> Place:
    """The list of merges, or one of them, as a place."""
    found = origin_of(spec, MERGES) if index is None else origin_of_merge(spec, index)
    return _place(MERGES, found, value)


def in_added(spec: TokenizerSpec, content: str | None = None, value: Any = None) -> Place:
    """The list of added tokens, or the entry with that content, as a place."""
    found = origin_of(spec, ADDED) if content is None else origin_of_added(spec, content)
    return _place(ADDED, found, value if value is not None else content)


def in_model(spec: TokenizerSpec, key: str, value: Any = None) -> Place:
    """A setting of the model as a place: whose key the file may leave out."""
    return _place("model", origin_of(spec, f"model/{key}"), value)


def count_of(spec: TokenizerSpec) -> Place:
    """The count of ids that a file states as a place."""
    return _place("vocab", origin_of(spec, "size"), spec.size())


def stage(spec: TokenizerSpec, name: str, value: Any = None) -> Place:
    """A component such as the normalizer as a place."""
    return _place(name, origin_of(spec, name), value)


def _place(component: str, at: Origin, value: Any) -> Place:
    return Place(component, at.file, at.pointer, value, implied_by=at.implied_by)


def about(*tokens: bytes | str, ids: Iterable[int] = ()) -> About:
    """The first of the tokens and ids that a finding is about; what is no short text is left out.

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
    """Evidence that lists ids, at most a hundred of them."""
    return Evidence("ids", ids=tuple(ids)[:100], note=note)
