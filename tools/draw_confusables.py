"""Draws the table of look-alikes from the file `confusables.json` that is named.

The file is that of the package `confusable_homoglyphs`, which is Unicode's `confusables.txt` as
JSON: each character with all that look like it.  Kept are single characters that look like one of
ASCII; what normalization by NFKC makes the same is left out, as the reader normalizes anyway.
"""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def table(confusables: Mapping[str, Any]) -> str:
    """A line for each character of ASCII: itself, and what looks like it, as escapes.

    >>> table({"a": [{"c": "\\u0430"}, {"c": "b"}], "rn": [{"c": "m"}]})
    'a\\t0430\\n'
    """
    lines = []
    for plain, alike in sorted(confusables.items()):
        if len(plain) == 1 and plain.isascii() and plain.isprintable():
            found = sorted({each["c"] for each in alike if _is_kept(each["c"])})
            codes = " ".join(f"{ord(one):04x}" for one in found)
            lines += [f"{plain}\t{codes}\n"] if codes else []
    return "".join(lines)


def _is_kept(one: str) -> bool:
    return len(one) == 1 and not unicodedata.normalize("NFKC", one).isascii()


def main() -> None:
    """Print the table."""
    print(table(json.loads(Path(sys.argv[1]).read_text("utf-8"))), end="")
