"""The post-processors that put special tokens around a text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tokaudit_reference.post_processors.step import Options, Placed, Process
from tokaudit_reference.spec import SpecError, TokenizerSpec

NOWHERE = (0, 0)  # the interval of a token that is added


def template(spec: TokenizerSpec, options: Options) -> Process:
    """The template for one text: special tokens by name, and the text as `A`."""
    special = options.get("special_tokens") or {}
    parts = [_part(part, special) for part in options.get("single") or ()]

    def process(placed: list[Placed], add: bool, text: str) -> list[Placed]:
        found: list[Placed] = []
        for ids in parts:
            if ids is None:
                found += placed
            elif add:
                found += [(id, NOWHERE) for id in ids]
        return found

    return process


def _part(part: Any, special: Mapping[str, Any]) -> list[int] | None:
    """The ids of a special token of the template, or None for the text."""
    if "Sequence" in part:
        return None
    name = part.get("SpecialToken", {}).get("id")
    if name not in special:
        raise SpecError(
            f"the template names the special token {name!r}, which it does not define",
            pointer="/post_processor/special_tokens",
            remedy="define it there with its ids",
        )
    return [int(id) for id in special[name]["ids"]]


def around(spec: TokenizerSpec, options: Options) -> Process:
    """BERT's pair of tokens, one before and one after the text."""
    first, last = ((int(options[role][1]), NOWHERE) for role in ("cls", "sep"))
    return lambda placed, add, text: [first, *placed, last] if add else placed


BUILDERS = {"TemplateProcessing": template, "BertProcessing": around}
