"""Replace run-specific parts of a worker's messages: folders, addresses, thread numbers.

A refusal is part of a report.  Two audits of one subject must say the same, and the names of
folders that are gone help nobody.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache

from tokaudit.foundation.leftovers import temporary_folder

FOLDER = "FOLDER"  # one of ours, whose name is another one in each run
FILE = "FOLDER/FILE"  # copies of files are numbered as they are read
OURS = r"(?:\.?tokaudit-(?:[a-z]+-)?(?:[0-9a-f]{8}-\d+\.\d*-)?|subject-)[0-9a-z_]{8}"
INSIDE = r"(?:/(?:subject-|tmp)[0-9a-z_]{8})?"
COPY = r"(?P<copy>/\d+(?=\.))?"
THREAD = re.compile(r"(thread '[^'\n]{0,80}') \(\d{1,10}\)")
ADDRESS = re.compile(r"\b0x[0-9a-f]{8,16}\b")


def without_private(words: str) -> str:
    """Return the message as any other run would have it.

    >>> without_private("thread '<unnamed>' (4711) panicked: <X at 0x7f9c0a1b2c3d>")
    "thread '<unnamed>' panicked: <X at 0x…>"
    """
    if "/" in words:
        words = _folders(temporary_folder()).sub(_named, words)
    return ADDRESS.sub("0x…", THREAD.sub(r"\1", words))


def _named(found: re.Match[str]) -> str:
    return FILE if found["copy"] else FOLDER


@lru_cache(maxsize=4)
def _folders(temporary: str) -> re.Pattern[str]:
    """Return a pattern of our temporary folders, in any spelling."""
    roots = "|".join(sorted({re.escape(temporary), re.escape(os.path.realpath(temporary))}))
    return re.compile(rf"(?:{roots})/{OURS}{INSIDE}{COPY}")
