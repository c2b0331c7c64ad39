"""Saved conversations with their expected text, ids and mask, as JSON lines.

A row is a conversation in the usual form with an `expected` object, so that the file is data for
`chat --conversations` too.  The mask is kept as half-open ranges of tokens.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from tokaudit.engine.opening import SubjectName
from tokaudit.foundation.errors import UnreadableError
from tokaudit.products.chat.chatting import MOST_SHOWN, SHOWN, chat
from tokaudit.report.recorded import Transcript
from tokaudit.report.visible import visible
from tokaudit.subject.conversations.conversation import Conversation, role_matrix
from tokaudit.subject.conversations.reading import ChatData
from tokaudit.subject.conversations.rows import rows

KEY = "expected"
Ranges = list[list[int]]


@dataclass(frozen=True, slots=True)
class Expected:
    """One row: a conversation with its expected result."""

    given: Conversation
    refused: bool
    text: str
    ids: tuple[int, ...]
    trained: Ranges | None


@dataclass(frozen=True)
class ExpectedChat:
    """One conversation's result; it is as expected if `lines` is empty."""

    id: str
    differs: str = ""
    lines: tuple[str, ...] = field(default=())


def saved(subject: SubjectName, asked: Mapping[str, Any]) -> str:
    """Return the conversations of `chat` as rows with their current results."""
    path = asked.get("conversations")
    if path is None:
        given = [one for one in role_matrix() if one.id in SHOWN]
    else:
        first = asked.get("first", MOST_SHOWN)
        given = list(islice(ChatData(Path(path)).conversations(), first))
    found = chat(subject, **{**asked, "conversations": given})
    written = (_row(one, each) for one, each in zip(given, found, strict=True))
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in written)


def _row(given: Conversation, found: Transcript) -> dict[str, Any]:
    messages, size = list(given.messages), given.prompted
    said = {"prompt": messages[:size], "completion": messages[size:]}
    more = {key: getattr(given, key) for key in ("tools", "documents", "variables")}
    result: dict[str, Any] = {"refused": True}
    if not found.refused:
        ids = [token.id for token in found.tokens]
        result = {"text": found.text, "ids": ids, "trained": _ranges(found)}
    return {
        "id": given.id,
        **(said if size else {"messages": messages}),
        **{key: value for key, value in more.items() if value},
        **({"continue_final": True} if given.continue_final else {}),
        KEY: result,
    }


def _ranges(found: Transcript) -> Ranges | None:
    """Return the ranges of trained tokens; None if unknown."""
    if any(token.trained is None for token in found.tokens):
        return None
    result, at = [], 0
    for trained, group in groupby(found.tokens, key=lambda token: token.trained):
        size = len(list(group))
        if trained:
            result.append([at, at + size])
        at += size
    return result


def read_expected(path: Path) -> list[Expected]:
    """Read the rows of a saved file; raise `UnreadableError` with the place of an error."""
    values = list(rows(path))
    given = list(ChatData(path).conversations())
    if len(values) != len(given):
        raise UnreadableError(
            f"{path}: a row contains two conversations; write the file again with tokaudit chat "
            "--save"
        )
    return [
        _expected(f"{path}: {place}", value, one)
        for (place, value), one in zip(values, given, strict=True)
    ]


def _expected(place: str, value: Any, given: Conversation) -> Expected:
    found = value.get(KEY) if isinstance(value, Mapping) else None
    if not isinstance(found, Mapping):
        raise UnreadableError(
            f"{place}: has no object under the key {KEY!r}; write the file with tokaudit chat "
            "--save"
        )
    ids, text, trained = (found.get(key) for key in ("ids", "text", "trained"))
    if found.get("refused") is True:
        return Expected(given, True, "", (), None)
    if not isinstance(text, str) or not isinstance(ids, list):
        raise UnreadableError(
            f"{place}: the object {KEY!r} lacks 'text' or 'ids'; write the file with tokaudit chat "
            "--save"
        )
    return Expected(given, False, text, tuple(ids), trained)


def expect(
    subject: SubjectName, expected: Sequence[Expected], asked: Mapping[str, Any]
) -> Iterator[ExpectedChat]:
    """Yield each row with its actual result, if that differs."""
    at = 0
    while batch := expected[at : at + MOST_SHOWN]:
        given = [one.given for one in batch]
        found = chat(subject, **{**asked, "conversations": given, "first": MOST_SHOWN})
        yield from (_compared(one, each) for one, each in zip(batch, found, strict=True))
        at += MOST_SHOWN


def _compared(expected: Expected, found: Transcript) -> ExpectedChat:
    """Return the first difference from the expected result: text, ids, or mask."""
    id = expected.given.id
    if expected.refused or found.refused:
        if expected.refused and found.refused:
            return ExpectedChat(id)
        words = ("is refused", found.refused) if found.refused else ("is rendered", found.text)
        return ExpectedChat(id, words[0], (visible(words[1]),))
    if expected.text != found.text:
        return ExpectedChat(id, *_texts(expected.text, found.text))
    names = {token.id: token.piece or "" for token in found.tokens}
    ids = tuple(token.id for token in found.tokens)
    if expected.ids != ids:
        at = _first(expected.ids, ids)
        shown = [
            f"{which}: {' '.join(_named(each, names) for each in some[at : at + 5])}"
            for which, some in (("expected", expected.ids), ("now     ", ids))
        ]
        return ExpectedChat(id, f"has other ids from token {at} on", tuple(shown))
    now = _ranges(found)
    if expected.trained != now:
        shown = [f"expected: tokens {expected.trained}", f"now     : tokens {now}"]
        return ExpectedChat(id, "has another mask", tuple(shown))
    return ExpectedChat(id)


def _named(id: int, names: Mapping[int, str]) -> str:
    return f"{id}={visible(names[id], spaces=True)}" if id in names else str(id)


def _texts(expected: str, found: str) -> tuple[str, tuple[str, ...]]:
    """Return the first differing line, before and after."""
    before, after = (text.split("\n") for text in (expected, found))
    at = _first(before, after)
    shown = [
        f"{which}: {visible(lines[at], spaces=True) if at < len(lines) else '(the end)'}"
        for which, lines in (("expected", before), ("now     ", after))
    ]
    return f"differs in line {at + 1}", tuple(shown)


def _first(one: Sequence[object], other: Sequence[object]) -> int:
    """Return the first index at which two sequences differ.

    >>> _first([1, 2], [1, 3]), _first([1], [1, 2])
    (1, 1)
    """
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
