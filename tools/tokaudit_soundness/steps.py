"""Draws steps of every stage, each with every option; the types are those that are registered."""

from __future__ import annotations

import base64
import re
import struct
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import Any

from tokaudit_reference.steps.registered import step_types
from tokaudit_soundness.drawing import MARKS, Characters, Draw, Drawn
from tokaudit_soundness.library import Refused, loaded

Step = dict[str, Any]
BEHAVIORS = ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")
SCHEMES = ("always", "never", "first")
DIALECTS = ("rust", "python")  # options of ours that the library does not know
REGEXES = (
    *("{0}", "{0}+", "[^{0}]", "{0}|{1}", "[{0}{1}]+"),
    *("{0}{{1,2}}", "{0}?", "(?={0})", r"\w+|\W"),
)
IDS = (0, 1, 2, 50, 51, 60)
TEMPLATE = "TemplateProcessing"
TYPE_IDS = (0, 0, 1, 2)
HAS_LEAF, OFFSET, IS_LEAF = 1 << 8, 10, 1 << 31  # bits of a unit in a map of characters


def pattern(draw: Draw, of: Characters) -> dict[str, str]:
    """A literal, which may be empty, or a small expression."""
    kind = draw.evenly("pattern", ("String", "String", "Regex", "empty"))
    if kind == "empty":
        return {draw.evenly("empty pattern", ("String", "Regex")): ""}
    if kind == "String":
        return {"String": draw.short("literal", of) or draw.character("literal", of)}
    form = draw.evenly("regex", REGEXES)
    return {"Regex": form.format(*(re.escape(draw.character("regex", of)) for _ in "01"))}


def named_token(draw: Draw, of: Characters) -> list[Any]:
    """The name and the id of a special token."""
    return [draw.one(MARKS), draw.one(IDS)]


def charsmap(draw: Draw, of: Characters) -> str:
    """A map with one key, a character of one byte: a double array of 257 units, and the text."""
    key = ord(draw.one([c for c in (*of.known, "z") if c.isascii()]))
    units = [0] * 257
    units[key] = key | HAS_LEAF | (key ^ 256) << OFFSET
    units[256] = IS_LEAF  # the text at 0
    blob = struct.pack("<I257I", 4 * len(units), *units) + draw.short("mapped", of).encode() + b"\0"
    return base64.b64encode(blob).decode()


OPTIONS: Mapping[str, Drawn] = {
    "pattern": pattern,
    "behavior": lambda draw, of: draw.evenly("behavior", (*BEHAVIORS, "Removed")),
    "content": lambda draw, of: draw.short("content", of),
    "prepend": lambda draw, of: draw.short("prepend", of),
    "delimiter": lambda draw, of: draw.character("delimiter", of),
    "replacement": lambda draw, of: draw.character("replacement", of),
    "prepend_scheme": lambda draw, of: draw.evenly("scheme", SCHEMES),
    "strip_accents": lambda draw, of: draw.evenly("accents", (None, False, True)),
    "suffix": lambda draw, of: draw.short("suffix", of),
    "prefix": lambda draw, of: draw.short("prefix", of),
    "pad_token": lambda draw, of: draw.short("pad", of),
    "word_delimiter_token": lambda draw, of: draw.short("word delimiter", of),
    "precompiled_charsmap": charsmap,
    "cls": named_token,
    "sep": named_token,
}
"""What draws an option of that name; switches and numbers need none."""


def step(draw: Draw, of: Characters, stage: str) -> Step:
    """A step of a stage with every option drawn; most of them look for something."""
    types = types_of(stage)
    asking = [type for type in types if "pattern" in names(stage, type)]
    often = len(types) * (2 if stage == "pre_tokenizer" else 1)
    placing = [type for type in types if type == TEMPLATE] * 3
    return drawn(draw, of, stage, draw.evenly(stage, (*types, *asking * often, *placing)))


def drawn(draw: Draw, of: Characters, stage: str, type: str) -> Step:
    """A step of a type with every option drawn."""
    if type == TEMPLATE:
        return template(draw, of)
    options = {name: option(draw, of, stage, type, name) for name in names(stage, type)}
    return {"type": type, **options}


def names(stage: str, type: str) -> list[str]:
    """The options of a step that a file may state."""
    own = fields(step_types(stage)[type])  # type: ignore[arg-type]
    return [each.name for each in own if each.name not in DIALECTS]


def option(draw: Draw, of: Characters, stage: str, type: str, name: str) -> Any:
    """One option; one that nothing is known of is a switch or a number, as its default is."""
    if name == "content" and stage == "decoder" and type == "Strip":
        return draw.character("strip", of)
    if name in OPTIONS:
        return OPTIONS[name](draw, of)
    if isinstance(getattr(step_types(stage)[type], name), bool):  # its default
        return draw.evenly(f"{type}/{name}", (True, False))
    return draw.evenly(f"{type}/{name}", (0, 1, 2) if stage == "decoder" else (1, 2, 3))


def template(draw: Draw, of: Characters) -> Step:
    """A template for one text and for two, with or without special tokens, and any type ids."""
    tokens = draw.some(MARKS, 1, 2) if draw.evenly("template has tokens", (False, True)) else []
    found: Step = {"type": TEMPLATE}
    for name, texts in (("single", "A"), ("pair", "AB")):
        pieces = [("Sequence", text) for text in texts]
        for token in tokens:
            pieces.insert(draw.number(0, len(pieces)), ("SpecialToken", token))
        found[name] = [{kind: {"id": id, "type_id": draw.one(TYPE_IDS)}} for kind, id in pieces]
    special = {t: {"id": t, "ids": [draw.one(IDS)], "tokens": [t]} for t in tokens}
    return {**found, "special_tokens": special}


@cache
def types_of(stage: str) -> tuple[str, ...]:
    """The types of a stage that the library takes, by its own word."""
    draw = Draw(0)
    of = draw.characters()
    found = {type: drawn(draw, of, stage, type) for type in step_types(stage)}
    return tuple(type for type, options in found.items() if _taken(stage, options))


def _taken(stage: str, options: Step) -> bool:
    model = {"type": "WordLevel", "vocab": {}, "unk_token": ""}
    try:
        loaded({"version": "1.0", "model": model, stage: options})
    except Refused:
        return False
    return True
