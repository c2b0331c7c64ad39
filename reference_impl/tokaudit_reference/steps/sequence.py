"""`Sequence`: a component that states several steps, or none.

It does nothing itself, so it is not a step: `flattened` gives the steps that it holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

SEQUENCE = "Sequence"
# Under which key a sequence of each stage lists its steps.
CHILDREN = {
    "normalizer": "normalizers",
    "pre_tokenizer": "pretokenizers",
    "post_processor": "processors",
    "decoder": "decoders",
}


def sequence(stage: str, steps: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The options of a component with these steps.

    >>> sequence("decoder", [{"type": "Fuse"}])
    {'type': 'Sequence', 'decoders': [{'type': 'Fuse'}]}
    """
    return {"type": SEQUENCE, CHILDREN[stage]: list(steps)}


def is_sequence(options: Any) -> bool:
    """Return whether options are those of a sequence."""
    return isinstance(options, Mapping) and options.get("type") == SEQUENCE


def flattened(stage: str, options: Any) -> Iterator[Any]:
    """Yield the options of each step in order; a value that is no object as it is.

    >>> list(flattened("decoder", sequence("decoder", [sequence("decoder", []), {"type": "Fuse"}])))
    [{'type': 'Fuse'}]
    """
    waiting = [] if options is None else [options]
    while waiting:
        step = waiting.pop()
        inner = step.get(CHILDREN[stage]) or () if is_sequence(step) else None
        if isinstance(inner, list | tuple):
            waiting.extend(reversed(inner))
        else:
            yield step if inner is None else inner
