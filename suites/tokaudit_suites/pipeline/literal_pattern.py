"""A regular expression stored as a literal string."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from tokaudit.plugin import Basis, Finding, Harm, Repair, Severity, check
from tokaudit.subject.safe_json import pointer
from tokaudit_reference.spec import Component, TokenizerSpec
from tokaudit_suites.shared.repairs import repaired, set_to
from tokaudit_suites.shared.wording import quote, stage

LOOKS_LIKE_REGEX = re.compile(r"\\[pPsSdDwWrnt]|\(\?[:!=<i]|\[\^|\{\d+,\d*\}")


@check(
    "pipeline/literal-pattern",
    title="Split patterns are saved as regular expressions",
    why="If the split pattern is saved as a literal string instead of a regular expression, the "
    "pattern never matches: the tokenizer silently leaves text unsplit, and merges run across "
    "words and lines.",
    remedy='Save the pattern in {file|tokenizer.json} as {"Regex": ...} instead of {"String": '
    "...}.",
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.INTRINSIC,
    incident="A published tokenizer.json had three Split steps that never fired "
    "(ggml-org/llama.cpp PR#29211).",
)
def literal_pattern(spec: TokenizerSpec) -> Iterator[Finding]:
    """Look for literal patterns that contain regular expression syntax."""
    for component in (spec.pre_tokenizer, spec.normalizer):
        for step in component.steps:
            pattern = step.effects.pattern
            text = pattern.literal if pattern else ""
            where = f"{component.stage}'s {step.type}"
            if pattern and LOOKS_LIKE_REGEX.search(text):
                yield Finding(
                    Severity.ERROR,
                    f"The {where} looks for the literal text {quote(text)}, "
                    "which reads like a regular expression; it matches almost nothing.",
                    (stage(spec, component.stage, pattern.to_json()),),
                    cause="literal",
                    repair=_as_expression(spec, component, text),
                )


def _as_expression(spec: TokenizerSpec, component: Component, text: str) -> Repair | None:
    """State the same pattern as a regular expression, wherever the stage has it."""
    place = stage(spec, component.stage)
    found = _pointers(component.options, place.pointer, {"String": text})
    return repaired(*(set_to(replace(place, pointer=at), {"Regex": text}) for at in found))


def _pointers(value: Any, at: str, wanted: Any) -> Iterator[str]:
    """Yield the pointers of a value inside another one."""
    if value == wanted:
        yield at
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _pointers(inner, at + pointer(key), wanted)
    elif isinstance(value, list | tuple):
        for number, inner in enumerate(value):
            yield from _pointers(inner, at + pointer(number), wanted)
