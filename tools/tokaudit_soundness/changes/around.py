"""Post-processors that say the same, or nearly the same, in the words of another step."""

from __future__ import annotations

from typing import Any

from tokaudit_reference.steps.sequence import flattened
from tokaudit_soundness.changes.change import Described, change
from tokaudit_soundness.drawing import Characters, Draw

TEXT, TOKEN = "Sequence", "SpecialToken"


@change("a post-processor as a template", same_ids=True)
def as_template(draw: Draw, of: Characters, described: Described) -> None:
    """What BERT's and RoBERTa's steps do, as a template."""
    steps = list(flattened("post_processor", described["post_processor"]))
    if len(steps) == 1 and {"cls", "sep"} <= steps[0].keys():
        described["post_processor"] = _template(steps[0])


def _template(step: Described) -> Described:
    (cls, cls_id), (sep, sep_id) = step["cls"], step["sep"]
    bert = step["type"] == "BertProcessing"
    ends = _piece(TOKEN, sep, 0)
    begins, text = _piece(TOKEN, cls, 0), _piece(TEXT, "A", 0)
    second = [_piece(TEXT, "B", int(bert)), _piece(TOKEN, sep, int(bert))]
    between = [ends] if bert else [ends, ends]
    return {
        "type": "TemplateProcessing",
        "single": [begins, text, ends],
        "pair": [begins, text, *between, *second],
        "special_tokens": {
            name: {"id": name, "ids": [id], "tokens": [name]}
            for name, id in ((cls, cls_id), (sep, sep_id))
        },
    }


@change("a type id of a template")
def type_id(draw: Draw, of: Characters, described: Described) -> None:
    """Another type id of one piece."""
    pieces = [
        piece
        for step in flattened("post_processor", described["post_processor"])
        for name in ("single", "pair")
        for piece in step.get(name, ())
    ]
    if pieces:
        (inner,) = draw.one(pieces).values()
        inner["type_id"] = draw.number(0, 2)


@change("a token that no template names", same_ids=True)
def unused_token(draw: Draw, of: Characters, described: Described) -> None:
    """A special token more in the list of a template."""
    for step in flattened("post_processor", described["post_processor"]):
        if "special_tokens" in step:
            unused = {"id": "[y]", "ids": [draw.number(0, 9)], "tokens": ["[y]"]}
            step["special_tokens"]["[y]"] = unused


def _piece(kind: str, id: str, type_id: int) -> dict[str, Any]:
    return {kind: {"id": id, "type_id": type_id}}
