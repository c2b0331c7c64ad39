"""Suggest the known name nearest to an unknown one."""

from __future__ import annotations

from collections.abc import Iterable


def meant(given: object, known: Iterable[str], prefix: str = "") -> str:
    """Return the nearest known names, each after `prefix`, as the end of a sentence.

    >>> meant("vocab/hole", ["vocab/holes", "merges/order"])
    '; did you mean vocab/holes?'
    >>> meant("xyz", ["vocab/holes"])
    ''
    """
    from difflib import get_close_matches  # for a mistake alone, and every command is read here

    near = get_close_matches(str(given), list(known), n=3, cutoff=0.6)
    return f"; did you mean {' or '.join(prefix + name for name in near)}?" if near else ""
