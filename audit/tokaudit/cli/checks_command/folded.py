"""JSON as a page shows it: of entries that count up, the first and the last."""

from __future__ import annotations

import json
import re

STRING = r'"(?:[^"\\]|\\.)*"'
ENTRY = re.compile(rf"\[{STRING}(?:, {STRING})*\]|{STRING}(?:: \d+)?")
ENTRIES = re.compile(rf"(?:(?:{ENTRY.pattern}), ){{3,}}(?:{ENTRY.pattern})")
PART = re.compile(r"0x[0-9A-F]{2}|\d+|.", re.DOTALL)
FEWEST = 4  # entries in a row of which the middle is left out


def folded(text: str) -> str:
    """JSON without the entries between the first and the last of those that count up.

    >>> folded('{"a": 0, "b": 1, "c": 2, "d": 3, "x": 9}')
    '{"a": 0, ..., "d": 3, "x": 9}'
    """
    return ENTRIES.sub(lambda found: ", ".join(_runs(ENTRY.findall(found[0]))), text)


def _runs(entries: list[str]) -> list[str]:
    shown: list[str] = []
    run: list[str] = []
    for entry in entries:
        if run and not _follows(run[-1], entry):
            shown += _run(run)
            run = []
        run.append(entry)
    return shown + _run(run)


def _run(entries: list[str]) -> list[str]:
    return entries if len(entries) < FEWEST else [entries[0], "...", entries[-1]]


def _follows(one: str, next_one: str) -> bool:
    """Return whether an entry is the next of another: each part is the same or one higher.

    >>> _follows('"a9": 9', '"b10": 10'), _follows('"<0x0F>"', '"<0x10>"'), _follows('"a"', '"c"')
    (True, True, False)
    """
    before, after = (PART.findall("\0".join(_plain(entry))) for entry in (one, next_one))
    steps = {_step(*parts) for parts in zip(before, after, strict=False)}
    return len(before) == len(after) and 1 in steps and steps <= {0, 1}


def _plain(entry: str) -> list[str]:
    """The strings of an entry without their quotation marks, and its number."""
    found: list[str] = [json.loads(string) for string in re.findall(STRING, entry)]
    return [*found, re.sub(STRING, "", entry)]


def _step(before: str, after: str) -> int:
    if before.startswith("0x") and after.startswith("0x"):
        return int(after, 16) - int(before, 16)
    if before.isdecimal() and after.isdecimal():
        return int(after) - int(before)
    return ord(after) - ord(before) if len(before) == len(after) == 1 else int(before != after) * 2
