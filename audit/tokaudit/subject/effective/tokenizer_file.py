"""Choose the tokenizer.json of a folder that a transformers version reads.

`fast_tokenizer_files` lists files with the version from which on each is meant.  Versions are
sorted as texts, and the first that is too new ends the search, so that 10.0.0 hides 4.0.0.

Source: `get_fast_tokenizer_file` of transformers 4.57.6 and 5.24.0, tokenization_utils_base.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tokaudit.subject.effective.settings_object import settings_file
from tokaudit.subject.material import SourceFile, Subject

TOKENIZER_JSON, LISTED = "tokenizer.json", "fast_tokenizer_files"
VERSIONED = re.compile(r"tokenizer\.(.*)\.json")
RELEASE = re.compile(r"\s*v?(\d+(?:\.\d+)*)\s*")
MOST_DIGITS = 9
STEP, LONGEST_TEXT = 1 << 20, 64


def tokenizer_file_name(files: Sequence[Any], version: str) -> str:
    """Return the name that a version looks for in `fast_tokenizer_files`.

    >>> names = ["tokenizer.json", "tokenizer.4.0.0.json"]
    >>> tokenizer_file_name(names, "4.57.6"), tokenizer_file_name(names, "3.5.1")
    ('tokenizer.4.0.0.json', 'tokenizer.json')
    >>> tokenizer_file_name([*names, "tokenizer.10.0.0.json"], "4.57.6")
    'tokenizer.json'
    """
    texts = [name for name in files if isinstance(name, str)]
    found = {match[1]: name for name in texts if (match := VERSIONED.search(name))}
    chosen, own = TOKENIZER_JSON, _release(version)
    for each in sorted(found):
        wanted = _release(each)
        if not wanted or _longer(wanted, own) > _longer(own, wanted):
            break
        chosen = found[each]
    return chosen


def chosen_tokenizer_file(
    subject: Subject, version: str, settings: Mapping[str, Any]
) -> SourceFile | None:
    """Return the file that a version reads; None if it is missing."""
    listed = settings.get(LISTED)
    named = tokenizer_file_name(listed, version) if isinstance(listed, list) else TOKENIZER_JSON
    return settings_file(subject, named)


def has_text(file: SourceFile, pattern: re.Pattern[bytes]) -> bool:
    """Return whether a file contains a short text, reading it in parts."""
    size, at, kept = file.content.size, 0, b""
    while at < size:
        part = file.content.read(at, min(STEP, size - at))
        if pattern.search(kept + part):
            return True
        kept, at = part[-LONGEST_TEXT:], at + len(part)
    return False


def _release(version: str) -> tuple[int, ...]:
    """Return the numbers of a version; none for a text that is no plain version."""
    found = RELEASE.fullmatch(version)
    parts = found[1].split(".") if found else []
    return () if any(len(part) > MOST_DIGITS for part in parts) else tuple(map(int, parts))


def _longer(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    """Pad the numbers with zeros to the other's length."""
    return (*one, *(0 for _ in range(len(other) - len(one))))
