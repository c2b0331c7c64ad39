"""The tokens of Whisper's prompt, by what each is for: the start, a language, a task, no times.

Source: whisper/generation_whisper.py `_retrieve_init_tokens` and `_set_return_timestamps`, and
whisper/tokenization_whisper.py `_compute_offsets`, of both versions.
"""

from __future__ import annotations

import re

START, BEFORE = "<|startoftranscript|>", "<|startofprev|>"
TASKS = ("<|translate|>", "<|transcribe|>")
NO_TIMES = "<|notimestamps|>"
LANGUAGE = re.compile(r"<\|[a-z]{2,3}\|>")
TIME = re.compile(r"<\|\d+\.\d+\|>")
SILENCE = ("<|nospeech|>", "<|nocaptions|>")
STEP, COUNT = 0.02, 1501  # seconds, from 0.00 to 30.00
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
