"""A change of a tokenizer, and the decorator that declares one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tokaudit_soundness.drawing import Characters, Draw

Described = dict[str, Any]
Act = Callable[[Draw, Characters, Described], object]


@dataclass(frozen=True)
class Change:
    """One way to change a tokenizer; `act` changes it in place, or not where it cannot.

    Where `same_ids` is set it writes the same in other words, so that no text gets other ids.
    """

    name: str
    act: Act
    weight: int = 1
    same_ids: bool = False


def change(name: str, weight: int = 1, *, same_ids: bool = False) -> Callable[[Act], Change]:
    """Declare a change; one of weight 3 is drawn three times as often as one of weight 1."""
    return lambda act: Change(name, act, weight, same_ids)
