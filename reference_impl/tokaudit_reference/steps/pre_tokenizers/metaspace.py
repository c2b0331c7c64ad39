"""Metaspace: spaces become a visible mark, which may be put before the text and split at."""

from __future__ import annotations

from functools import partial

from tokaudit_reference.alignment import Edit
from tokaudit_reference.steps.normalizers.simple import prepended, replaced
from tokaudit_reference.steps.normalizers.step import in_order
from tokaudit_reference.steps.pre_tokenizers.split import split_at
from tokaudit_reference.steps.pre_tokenizers.step import Options, Step, whole
from tokaudit_reference.text.matching import find_literal


def build(options: Options) -> Step:
    """The step of one Metaspace; old files state `add_prefix_space` in place of the scheme.

    >>> build({"prepend_scheme": "first"}).pieces("a b", True)
    ['▁a', '▁b']
    """
    mark = str(options.get("replacement", "\u2581"))
    scheme = options.get("prepend_scheme")
    if scheme is None:
        scheme = "always" if options.get("add_prefix_space", True) else "never"
    cut = split_at(partial(find_literal, mark), "MergedWithNext")
    spaces, marked = replaced(" ", mark), prepended(mark)
    both = in_order([spaces, marked])

    def wanted(text: str, first: bool) -> bool:
        if scheme == "never" or (scheme == "first" and not first):
            return False
        return not text.startswith((mark, " "))

    def edited(text: str, first: bool) -> str:
        new = text.replace(" ", mark)
        return mark + new if text and wanted(text, first) else new

    def pieces(text: str, first: bool) -> list[str]:
        new = edited(text, first)
        return cut.pieces(new, first) if splits else [new]

    def edits(text: str, first: bool) -> list[Edit]:
        return (both if wanted(text, first) else spaces).edits(text)

    splits = bool(options.get("split", True))
    return Step(pieces, cut.spans if splits else whole, edits)


BUILDERS = {"Metaspace": build}
