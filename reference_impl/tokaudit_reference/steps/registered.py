"""Finds the step for some options among the modules of its stage; none is listed anywhere.

A module of `normalizers/`, `pre_tokenizers/`, `post_processors/` or `decoders/` that defines a
`Step` with a `type` brings a step.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from tokaudit_reference.errors import SpecError, Unsupported
from tokaudit_reference.steps.step import Step, Unread

ROOM = __name__.rpartition(".")[0]
PACKAGES = {
    stage: f"{ROOM}.{stage}s"
    for stage in ("normalizer", "pre_tokenizer", "post_processor", "decoder")
}


@cache
def step_types(stage: str) -> dict[str, type[Step]]:
    """Type -> step, of every module of a stage.

    >>> sorted(step_types("post_processor"))
    ['BertProcessing', 'ByteLevel', 'RobertaProcessing', 'TemplateProcessing']
    """
    package = PACKAGES[stage]
    modules = pkgutil.iter_modules(import_module(package).__path__, f"{package}.")
    steps = (step for module in modules for step in steps_in(import_module(module.name)))
    return {step.type: step for step in steps}


def steps_in(module: ModuleType) -> Iterator[type[Step]]:
    """The steps that a module defines."""
    for found in vars(module).values():
        own = isinstance(found, type) and found.__module__ == module.__name__
        if own and issubclass(found, Step) and "type" in vars(found):
            yield found


def read(stage: str, options: Any) -> Step:
    """Return the step that the options state; an `Unread` one if they are not covered.

    `stage` is the name that `tokenizer.json` has for it.

    >>> read("decoder", {"type": "Fuse"}), read("decoder", {"type": "Sprinkle"}).type
    (Fuse(), 'Sprinkle')
    """
    try:
        return step_type(stage, options).from_json(options)
    except SpecError as error:
        return Unread(options, error)


def step_type(stage: str, options: Any) -> type[Step]:
    """Return the class for some options; raises `SpecError` if there is none."""
    name = stage.replace("_", "-")
    if not isinstance(options, Mapping):
        what = f"the {name} is not an object of steps: it holds {str(options)[:40]!r}"
        raise Unsupported(what, pointer=f"/{stage}", remedy="write a type and options")
    known, stated = step_types(stage), options.get("type")
    taken = (step for step in known.values() if step.takes(options))
    if isinstance(stated, str) and stated in known:
        return next(taken, known[stated])
    found = next(taken, None) if stated is None else None
    if found is None:
        shown = str(stated or "")[:40]
        raise Unsupported(f"the {name} {shown!r} is not covered", pointer=f"/{stage}")
    return found
