"""Render conversations by the user's own engine, in the worker's process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def rendered(session: Any, request: Mapping[str, Any]) -> Any:
    """Render each conversation, or return the engine's error."""
    return session.loaded.render(request["conversations"])
