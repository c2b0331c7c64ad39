"""Has the user's own engine render conversations, in the worker's process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def rendered(session: Any, request: Mapping[str, Any]) -> Any:
    """A text for each conversation, or the engine's words of why there is none."""
    return session.loaded.render(request["conversations"])
