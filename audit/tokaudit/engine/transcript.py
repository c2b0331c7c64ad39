"""A rendered conversation token by token: whose turn each is part of, and whether it is trained."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tokaudit.engine.chat import ChatIds, ChatRendering, mask
from tokaudit.runtimes.chat.conversations import Conversation
from tokaudit.runtimes.chat.segments import Unknown, segments


@dataclass(frozen=True, slots=True)
class TranscriptToken:
    """One token: its role is empty and `trained` None where nobody can say."""

    id: int
    piece: str
    role: str
    trained: bool | None


@dataclass(frozen=True, slots=True)
class Transcript:
    """One conversation by one template; where it has no text, `refused` says why."""

    conversation: str
    text: str = ""
    tokens: tuple[TranscriptToken, ...] = ()
    refused: str = ""


def transcript(
    given: Conversation, rendering: ChatRendering, ids: ChatIds, names: Mapping[int, str]
) -> Transcript:
    """The conversation as tokens with roles."""
    rendered = rendering.rendered.conversation(given.id)
    if rendered is None or not rendered.whole.plain.ok:
        error = rendering.rendered.error if rendered is None else rendered.whole.plain.error
        return Transcript(given.id, refused=error or "is not rendered")
    text = rendered.whole.plain.text
    encoding, trained = ids.one(text), mask(given, rendering, ids)
    found = segments(rendered, given.roles)
    parts = () if isinstance(found, Unknown) else found
    offsets = encoding.offsets or ()
    roles = [
        next((part.role for part in parts if part.start <= start < part.end), "")
        for start, _ in offsets
    ]
    learned = [None] * len(roles) if isinstance(trained, Unknown) else list(trained)
    rows = zip(encoding.ids, roles, learned, strict=True)
    tokens = (TranscriptToken(id, names.get(id, "?"), role, flag) for id, role, flag in rows)
    return Transcript(given.id, text, tuple(tokens))
