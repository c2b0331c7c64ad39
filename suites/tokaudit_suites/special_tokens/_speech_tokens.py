"""The tokens of Whisper's prompt, by what each is for: the start, a language, a task, no times."""

from __future__ import annotations

import re

from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.vocab_entries import added_by_content

START, BEFORE = "<|startoftranscript|>", "<|startofprev|>"
TASKS = ("<|translate|>", "<|transcribe|>")
NO_TIMES = "<|notimestamps|>"
LANGUAGE = re.compile(r"<\|[a-z]{2,3}\|>")
TIME = re.compile(r"<\|\d+\.\d+\|>")
ORDER = ("language", "task", "no timestamps")
"""The kinds of tokens that follow the start of a transcript, in their order."""


def kind_of(token: str) -> str:
    """What a token of the prompt is for; empty for any other.

    >>> kind_of("<|en|>"), kind_of("<|translate|>"), kind_of("<|notimestamps|>"), kind_of("the")
    ('language', 'task', 'no timestamps', '')
    """
    if token in TASKS:
        return ORDER[1]
    if token == NO_TIMES:
        return ORDER[2]
    return ORDER[0] if LANGUAGE.fullmatch(token) else ""


def writes_speech(spec: TokenizerSpec) -> bool:
    """Whether the tokenizer is one of Whisper's."""
    added = added_by_content(spec)
    return START in added and any(task in added for task in TASKS)
