"""What a step of post-processing is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Options = Mapping[str, Any]
Placed = tuple[int, tuple[int, int]]  # an id, and the interval of the text that it stands for
Process = Callable[[list[Placed], bool, str], list[Placed]]  # add special tokens?, the text
