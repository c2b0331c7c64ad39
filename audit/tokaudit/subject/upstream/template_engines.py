"""Template constructs that engines other than Jinja read differently."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tokaudit.subject.upstream.records import ENGINES, hand_written


@dataclass(frozen=True, slots=True)
class EngineReading:
    """The effect of a construct in each engine that reads it differently.

    `always` is whether such an engine gives another text, or none, whenever it comes to the place.
    """

    always: bool
    effects: Mapping[str, str]


def readings() -> Mapping[str, EngineReading]:
    """Map names to constructs with a record.

    >>> readings()["divided"]
    EngineReading(always=True, effects={'onnxruntime-genai': 'gives 3 for 7 / 2'})
    """
    return {
        name: EngineReading(stated.get("always", False), stated["effects"])
        for name, stated in hand_written(ENGINES)["constructs"].items()
    }
