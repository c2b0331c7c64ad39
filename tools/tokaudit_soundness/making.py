"""Draws whole tokenizers, as `tokenizer.json` has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tokaudit_reference.steps.component import STAGES
from tokaudit_reference.steps.sequence import sequence
from tokaudit_soundness.drawing import MARKS, Characters, Draw
from tokaudit_soundness.models import MODELS
from tokaudit_soundness.steps import Step, step

Described = dict[str, Any]
FLAGS = ("single_word", "lstrip", "rstrip", "normalized", "special")
STEPS = {"normalizer": (0, 1, 1, 2)}  # how many steps a stage has
FEW = (0, 0, 1, 1, 2)
FROM_NEIGHBOURS = ("BPE", "BPE of bytes", "Unigram")  # models of which most is proved
BYTES = {  # what a model of bytes needs of a stage
    "pre_tokenizer": "ByteLevel",
    "decoder": "ByteLevel",
}
BATCHES: Mapping[str, tuple[Any, ...]] = {
    "truncation": (None,) * 9
    + ({"direction": "Left", "max_length": 2, "strategy": "LongestFirst", "stride": 0},),
    "padding": (None,) * 9
    + (
        {
            "strategy": "BatchLongest",
            "direction": "Right",
            "pad_to_multiple_of": 2,
            "pad_id": 0,
            "pad_type_id": 0,
            "pad_token": "[x]",
        },
    ),
}


def tokenizer(draw: Draw) -> tuple[Described, Characters]:
    """A tokenizer and the characters that it is about."""
    of = draw.characters()
    kind = draw.evenly("model", (*MODELS, *FROM_NEIGHBOURS * 4))
    model = MODELS[kind](draw, of)
    stages = {stage: stage_of(draw, of, stage, kind) for stage in STAGES}
    added = added_tokens(draw, of, model)
    batches = {name: draw.evenly(name, choices) for name, choices in BATCHES.items()}
    return {"version": "1.0", **batches, "added_tokens": added, **stages, "model": model}, of


def stage_of(draw: Draw, of: Characters, stage: str, kind: str) -> Step | None:
    """A stage of none, one or two steps."""
    many = draw.evenly(f"{stage}/steps", STEPS.get(stage, FEW))
    steps = [step(draw, of, stage) for _ in range(many)]
    if kind == "BPE of bytes" and stage in BYTES:
        bare = {"add_prefix_space": draw.chance(0.2), "use_regex": draw.chance(0.5)}
        steps = [*steps[:1], {"type": BYTES[stage], "trim_offsets": True, **bare}]
    if len(steps) == 1 and not draw.chance(0.1):
        return steps[0]
    return sequence(stage, steps) if steps else None


def added_tokens(draw: Draw, of: Characters, model: Described) -> list[Described]:
    """No, one or two added tokens, at the ids that the library gives them or at others."""
    contents = draw.some((*MARKS, added_content(draw, of)), 0, 2)
    return [added_token(draw, content, model, at) for at, content in enumerate(contents)]


def added_content(draw: Draw, of: Characters) -> str:
    """A text that a model might make too."""
    return draw.character("added", of) + draw.short("added", of)


def added_token(draw: Draw, content: str, model: Described, at: int) -> Described:
    """One added token with any flags; the library takes no notice of an id that is not its own."""
    vocab = model["vocab"]
    known = {piece: id for id, (piece, _) in enumerate(vocab)} if isinstance(vocab, list) else vocab
    id = known.get(content, len(vocab) + at)
    odd = draw.evenly("odd ids", (False,) * 5 + (True,))
    flags = {flag: draw.evenly(flag, (False, False, True)) for flag in FLAGS}
    return {"id": max(0, id + draw.number(-4, 3)) if odd else id, "content": content, **flags}
