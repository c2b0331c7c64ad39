"""Patterns and steps written differently that says the same, or nearly the same."""

from __future__ import annotations

import copy
import re
from typing import Any

from tokaudit_reference.steps.component import STAGES
from tokaudit_reference.steps.sequence import flattened, sequence
from tokaudit_soundness.changes.change import Described, change
from tokaudit_soundness.drawing import Characters, Draw
from tokaudit_soundness.steps import Step, drawn

ABOUT = (*[("pre_tokenizer", "Split")] * 3, ("normalizer", "Replace"), ("decoder", "Replace"))
SPELLINGS = (
    *("(?:{0})", "(?>{0})", "{0}|{0}", "(?:{0}){{1}}"),
    *("(?:{0})|(?!)", "(?={0})(?:{0})", "{0}(?!x)"),
)


@change("a pattern spelled differently", weight=3)
def respelled(draw: Draw, of: Characters, described: Described) -> None:
    """A literal as an expression, or an expression within another."""
    holders = _patterns(described)
    if not holders:
        return
    stated = draw.one(holders)
    if "String" in stated:
        literal = stated.pop("String")
        stated["Regex"] = draw.evenly("literal as", ("{0}", "[{0}]", "(?:{0})")).format(
            re.escape(literal)
        )
    else:
        stated["Regex"] = draw.evenly("expression as", SPELLINGS).format(stated["Regex"])


@change("an expression that is a literal", weight=6, same_ids=True)
def literal(draw: Draw, of: Characters, described: Described) -> None:
    """An expression without any operator as a literal."""
    for stated in _patterns(described):
        bare = stated.get("Regex", "*").replace("\\", "")
        if bare and re.escape(bare) == stated.get("Regex"):
            del stated["Regex"]
            stated["String"] = bare


@change("a cut at one character", weight=60)
def cut(draw: Draw, of: Characters, described: Described) -> None:
    """A split before all others at a character that may have no entry; no text is dropped."""
    known = draw.evenly("cut at what is known", (False, False, True))
    pattern = {"String": draw.one(of.all() if known else of.unknown)}
    behavior = draw.evenly("cut", ("Isolated", "MergedWithPrevious", "MergedWithNext"))
    found = {"type": "Split", "pattern": pattern, "behavior": behavior, "invert": False}
    steps = list(flattened("pre_tokenizer", described["pre_tokenizer"]))
    described["pre_tokenizer"] = sequence("pre_tokenizer", [found, *steps])


@change("a step that does nothing here", weight=3)
def idle(draw: Draw, of: Characters, described: Described) -> None:
    """A step that has nothing to look for, puts what was there, or has its switches off."""
    stage = draw.evenly("idle stage", STAGES)
    steps = list(flattened(stage, described[stage]))
    steps.insert(draw.number(0, len(steps)), _idle(draw, of, stage))
    described[stage] = sequence(stage, steps)


@change("a step about what another step is about", weight=20)
def about_the_same(draw: Draw, of: Characters, described: Described) -> None:
    """A split or a replacement, in any way, of a literal that some step has."""
    literals = [stated["String"] for stated in _patterns(described) if stated.get("String")]
    if not literals:
        return
    stage, type = draw.evenly("about the same", ABOUT)
    found = {**drawn(draw, of, stage, type), "pattern": {"String": draw.one(literals)}}
    steps = list(flattened(stage, described[stage]))
    steps.insert(draw.number(0, len(steps)), found)
    described[stage] = sequence(stage, steps)


def _idle(draw: Draw, of: Characters, stage: str) -> Step:
    character = draw.character("idle", of)
    same = {"type": "Replace", "pattern": {"String": character}, "content": character}
    never = {"Regex": "(?!)"}
    behavior = draw.evenly("idle behavior", ("Removed", "Isolated", "MergedWithNext"))
    choices: dict[str, tuple[Step, ...]] = {
        "normalizer": (
            same,
            {"type": "Strip", "strip_left": False, "strip_right": False},
            {"type": "Prepend", "prepend": ""},
            {"type": "Replace", "pattern": never, "content": character},
        ),
        "pre_tokenizer": (
            {"type": "Split", "pattern": never, "behavior": behavior, "invert": False},
            {"type": "Split", "pattern": {"Regex": "[\\s\\S]"}, "behavior": "Contiguous"},
            {"type": "FixedLength", "length": 1000},
        ),
        "post_processor": (
            {"type": "ByteLevel", "trim_offsets": False},
            {
                "type": "TemplateProcessing",
                "single": [_text("A", 0)],
                "pair": [_text("A", 0), _text("B", draw.one((0, 1)))],
                "special_tokens": {},
            },
        ),
        "decoder": (
            same,
            {"type": "Fuse"},
            {"type": "Strip", "content": character, "start": 0, "stop": 0},
        ),
    }
    return copy.deepcopy(draw.one(choices[stage]))


def _text(name: str, type_id: int) -> dict[str, Any]:
    return {"Sequence": {"id": name, "type_id": type_id}}


def _patterns(described: Described) -> list[Described]:
    """The patterns of all steps."""
    steps = [each for stage in STAGES for each in flattened(stage, described[stage])]
    return [each["pattern"] for each in steps if isinstance(each.get("pattern"), dict)]
