"""Merges as merges.txt has them, a pair on each line, and as tokenizer.json has them, a list."""

from __future__ import annotations

from typing import Any

from tokaudit.foundation.errors import UnreadableError

VERSION = "#version"


def merges_in(data: bytes) -> list[str]:
    """The pairs of a merges.txt.

    >>> merges_in(b"#version: 0.2\\na b\\nab c\\n")
    ['a b', 'ab c']
    """
    lines = data.decode("utf-8", "replace").split("\n")
    return [line.rstrip("\r") for line in lines if line.strip() and not line.startswith(VERSION)]


def merge_lines(merges: Any, old: bytes = b"") -> bytes:
    """A list of merges as lines, under the line with the version that the file had.

    >>> merge_lines([["a", "b"], "ab c"], b"#version: 0.2\\nx y\\n")
    b'#version: 0.2\\na b\\nab c\\n'
    """
    if not isinstance(merges, list):
        raise UnreadableError("the merges are not a list")
    lines = [" ".join(map(str, pair)) if isinstance(pair, list) else str(pair) for pair in merges]
    if any(line.count(" ") != 1 or "\n" in line for line in lines):
        raise UnreadableError("a merge has a space in it, which merges.txt cannot hold")
    first = old.decode("utf-8", "replace").partition("\n")[0]
    head = [first] if first.startswith(VERSION) else []
    return "".join(f"{line}\n" for line in [*head, *lines]).encode()
