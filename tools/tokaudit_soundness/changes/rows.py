"""The steps of a stage put in, left out, doubled, exchanged, written differently."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy

from tokaudit_reference.steps.component import STAGES
from tokaudit_reference.steps.sequence import flattened, is_sequence, sequence
from tokaudit_soundness.changes.change import Change, Described
from tokaudit_soundness.drawing import Characters, Draw
from tokaudit_soundness.steps import Step, drawn, option, step

Rows = list[Step]
Edit = Callable[[Draw, Characters, str, Rows], None]


def put_in(draw: Draw, of: Characters, stage: str, steps: Rows) -> None:
    """Any step at any place."""
    steps.insert(draw.number(0, len(steps)), step(draw, of, stage))


def left_out(draw: Draw, of: Characters, stage: str, steps: Rows) -> None:
    """One step less."""
    if steps:
        steps.pop(draw.number(0, len(steps) - 1))


def doubled(draw: Draw, of: Characters, stage: str, steps: Rows) -> None:
    """A step twice in a row."""
    if steps:
        at = draw.number(0, len(steps) - 1)
        steps.insert(at, deepcopy(steps[at]))


def exchanged(draw: Draw, of: Characters, stage: str, steps: Rows) -> None:
    """Two neighbours in the other order."""
    if len(steps) > 1:
        at = draw.number(1, len(steps) - 1)
        steps[at - 1], steps[at] = steps[at], steps[at - 1]


def option_redrawn(draw: Draw, of: Characters, stage: str, steps: Rows) -> None:
    """One option of one step drawn again; the parts of a template belong together."""
    if not steps:
        return
    at = draw.number(0, len(steps) - 1)
    type, options = steps[at]["type"], [name for name in steps[at] if name != "type"]
    if type == "TemplateProcessing":
        steps[at] = drawn(draw, of, stage, type)
    elif options:
        name = draw.one(options)
        steps[at] = {**steps[at], name: option(draw, of, stage, type, name)}


def left_to_default(draw: Draw, of: Characters, stage: str, steps: Rows) -> None:
    """One option not stated."""
    if steps:
        at = draw.number(0, len(steps) - 1)
        name = draw.one(list(steps[at]))
        if name != "type":
            steps[at] = {key: value for key, value in steps[at].items() if key != name}


def of_stage(stage: str, edit: Edit) -> Change:
    """A change of the steps of one stage."""

    def act(draw: Draw, of: Characters, described: Described) -> None:
        steps = [dict(each) for each in flattened(stage, described[stage])]
        edit(draw, of, stage, steps)
        nested = is_sequence(described[stage])
        if not steps:
            described[stage] = sequence(stage, []) if nested else None
        elif len(steps) > 1 or nested:
            described[stage] = sequence(stage, steps)
        else:
            described[stage] = steps[0]

    name = f"{stage}: {edit.__name__.replace('_', ' ')}"
    return Change(name, act, WEIGHTS.get(stage, 1) * EDITS[edit])


def nested(stage: str) -> Change:
    """A change that wraps a stage in a sequence."""

    def act(draw: Draw, of: Characters, described: Described) -> None:
        whole = described[stage]
        described[stage] = sequence(stage, [] if whole is None else [whole])

    return Change(f"{stage}: nested", act, same_ids=True)


def again(stage: str) -> Change:
    """A change that draws a stage anew, of one step."""

    def act(draw: Draw, of: Characters, described: Described) -> None:
        described[stage] = step(draw, of, stage)

    return Change(f"{stage}: another step", act)


EDITS: dict[Edit, int] = {
    put_in: 3,
    left_out: 1,
    doubled: 1,
    exchanged: 1,
    option_redrawn: 2,
    left_to_default: 1,
}
WEIGHTS = {"pre_tokenizer": 6, "post_processor": 3}  # most is proved of it
ROWS = [of_stage(stage, edit) for stage in STAGES for edit in EDITS]
WHOLE = [make(stage) for stage in STAGES for make in (nested, again)]
