"""Task and language in the files of a Whisper model, as tokens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tokaudit.plugin import Place
from tokaudit.subject.upstream.published.speech_prompt import (
    LANGUAGE,
    START,
    TASK,
    kind_of,
    tokens_of,
)
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.stated_key import StatedKey
from tokaudit_suites.shared.vocab_entries import added_by_content, name_of

KINDS = (TASK, LANGUAGE)
FORCED = "forced_decoder_ids"
FILES = ("config.json", "generation_config.json", "tokenizer_config.json")


@dataclass(frozen=True, slots=True)
class WhisperPrompt:
    """A task or a language, its token, and the place that names it."""

    kind: str
    token: str
    place: Place


def writes_speech(spec: TokenizerSpec) -> bool:
    """Return whether the tokenizer is one of Whisper's."""
    added = added_by_content(spec)
    return all(any(text in added for text in tokens_of(kind)) for kind in (START, TASK))


def said_of(spec: TokenizerSpec, key: StatedKey) -> Iterator[WhisperPrompt]:
    """Yield the values of a key: `task` and `language` by text, `forced_decoder_ids` by ids.

    A language that is written out, as in `"hindi"`, is passed over.
    """
    if key.base not in FILES:
        return
    if key.key in KINDS and isinstance(key.value, str):
        token = key.value if key.value.startswith("<|") else f"<|{key.value}|>"
        if kind_of(token) == key.key:
            yield WhisperPrompt(key.key, token, key.place())
    elif key.key == FORCED:
        for token in _forced(spec, key.value):
            if (kind := kind_of(token)) in KINDS:
                yield WhisperPrompt(kind, token, key.place())


def _forced(spec: TokenizerSpec, value: Any) -> Iterator[str]:
    for entry in value if isinstance(value, list) else ():
        id = entry[1] if isinstance(entry, list) and len(entry) == 2 else None
        if isinstance(id, int) and not isinstance(id, bool):
            yield str(name_of(spec, id) or "")
