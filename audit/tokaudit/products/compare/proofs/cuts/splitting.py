"""Splits of a pre-tokenizer, as the checkers read them in a file.

Only what cuts at the matches of a pattern and does no more is followed; where bytes are written is
known of the types that do it.
"""

from __future__ import annotations

from collections.abc import Sequence

from tokaudit.products.compare.proofs.cuts.expression import Unreadable
from tokaudit.products.compare.proofs.steps_of_files import Options, steps_of
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.steps.pattern import Pattern, SplitAt

GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
WRITES_BYTES = "ByteLevel"
BEHAVIORS = ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")


def writes_bytes(spec: TokenizerSpec, stage: str) -> int:
    """Count the steps of a stage that convert text to bytes."""
    return sum(step["type"] == WRITES_BYTES for step in steps_of(spec, stage))


def splits(spec: TokenizerSpec) -> list[SplitAt]:
    """Return the splits of a side; byte conversion must follow them."""
    found: list[SplitAt] = []
    steps = steps_of(spec, "pre_tokenizer")
    for step in steps:
        own = _of_step(step)
        if own is None:
            raise Unreadable(f"the pre-tokenizer {step['type']}")
        if step["type"] == WRITES_BYTES and step is not steps[-1]:
            raise Unreadable("a step after one that writes bytes")
        found += own
    return found


def _of_step(step: Options) -> Sequence[SplitAt] | None:
    """Return the splits of a step; None if it does more."""
    match step["type"]:
        case "Split" if step["behavior"] in BEHAVIORS:
            ((kind, text),) = step["pattern"].items()
            dialect = (step.get("rust", False), step.get("python", False))
            pattern = Pattern(text, kind == "Regex")
            return [SplitAt(pattern, step["behavior"], step["invert"], *dialect)]
        case "CharDelimiterSplit":
            return [SplitAt(Pattern(step["delimiter"]), "Removed")]
        case "WhitespaceSplit":
            return [SplitAt(Pattern(r"\s+", is_regex=True), "Removed")]
        case "ByteLevel" if not step["add_prefix_space"]:
            return [SplitAt(Pattern(GPT2, is_regex=True))] if step["use_regex"] else []
    return None
