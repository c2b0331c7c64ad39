"""Metaspace: spaces become a visible mark, which may be put before the text and split at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tokaudit_reference.pre_tokenizers.split import merged_with_next, parts_of


def build(options: Mapping[str, Any]) -> Callable[[str, bool], list[str]]:
    """The function of one Metaspace; old files state `add_prefix_space` in place of the scheme.

    >>> build({"prepend_scheme": "first"})("a b", True)
    ['▁a', '▁b']
    """
    mark = str(options.get("replacement", "\u2581"))
    scheme = options.get("prepend_scheme")
    if scheme is None:
        scheme = "always" if options.get("add_prefix_space", True) else "never"
    cut = bool(options.get("split", True))
    parts = parts_of(mark)

    def apply(text: str, first: bool) -> list[str]:
        text = text.replace(" ", mark)
        wanted = scheme == "always" or (scheme == "first" and first)
        if wanted and not text.startswith(mark):
            text = mark + text
        return merged_with_next(list(parts(text))) if cut else [text]

    return apply
