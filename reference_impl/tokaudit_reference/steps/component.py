"""A component of the pipeline: its typed steps, and its options as a file writes them.

The options are kept as they are stated, as identities hash them and findings show them.  Everything
that asks what they mean asks the steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

from tokaudit_reference.steps.registered import PACKAGES, read
from tokaudit_reference.steps.sequence import flattened
from tokaudit_reference.steps.step import Step

STAGES = tuple(PACKAGES)


class Standing(StrEnum):
    """The source of a component: the file, its format or name, or nobody."""

    STATED = "stated"
    IMPLIED = "implied"
    UNSTATED = "unstated"


@dataclass(frozen=True)
class Component:
    """One stage of the pipeline; `options` has the keys of `tokenizer.json`, nested as there.

    `options` is None for a stage stated to be absent (`"normalizer": null`) or not stated at all;
    `standing` tells the two apart.  `rule` says what implied an implied one.  The spec that holds a
    component says at which `stage` it is, and which older version of the `library` runs it.
    """

    options: Mapping[str, Any] | None = None
    standing: Standing = Standing.UNSTATED
    rule: str = ""
    stage: str = field(default="", compare=False, repr=False)
    library: str = field(default="", compare=False, repr=False)

    def at(self, stage: str, library: str = "") -> Component:
        """Place the same component at a stage; a version that it has is kept."""
        library = library or self.library
        if (self.stage, self.library) == (stage, library):
            return self
        return replace(self, stage=stage, library=library)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """Read the steps in order, nested sequences flattened, unreadable ones as `Unread`.

        >>> chain = {"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "Strip"}]}
        >>> Component(chain).at("normalizer").steps
        (NFC(), Strip(strip_left=True, strip_right=True))
        """
        listed = flattened(self.stage, self.options)
        return tuple(read(self.stage, options).in_version(self.library) for options in listed)


UNSTATED = Component()
