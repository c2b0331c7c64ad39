"""Changes between two stated values, place by place."""

from __future__ import annotations

from typing import Any


def differences(before: Any, after: Any, at: str = "") -> list[str]:
    """List the changes between two values, place by place.

    >>> differences({"type": "NFC"}, {"type": "NFC", "on": True})
    ['/on: None became True']
    """
    if isinstance(before, dict) and isinstance(after, dict):
        keys = [*before, *(key for key in after if key not in before)]
        return [d for k in keys for d in differences(before.get(k), after.get(k), f"{at}/{k}")]
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        pairs = enumerate(zip(before, after, strict=True))
        return [d for i, (b, a) in pairs for d in differences(b, a, f"{at}/{i}")]
    where = f"{at}: " if at else ""
    return [] if before == after else [f"{where}{_short(before)} became {_short(after)}"]


def _short(value: Any) -> str:
    if isinstance(value, dict) and "type" in value:
        return str(value["type"])
    if isinstance(value, list):
        return "[" + ", ".join(_short(item) for item in value) + "]"
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
