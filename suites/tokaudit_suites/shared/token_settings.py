"""Settings that name a token, at any depth of a file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from tokaudit.subject.safe_json import pointer

DEEPEST = 6  # objects in one another
NO_IDS = re.compile(r"(^|_)(num|n|max|min|per|length|size|count|limit|budget|type)(_|$)")
PASSED_OVER = ("added_tokens_decoder", "added_tokens", "chat_template", "auto_map")


def leaves(above: str, key: str, value: Any, depth: int) -> Iterator[tuple[str, str, Any]]:
    """Yield each token setting with its pointer, key and value."""
    if key in PASSED_OVER or not depth:
        return
    if isinstance(value, dict):
        if isinstance(value.get("content"), str) and "token" in key:
            yield f"{above}/content", key, value["content"]
            return
        for name, inner in value.items():
            yield from leaves(above + pointer(name), name, inner, depth - 1)
    elif "token" in key and not NO_IDS.search(key):
        yield above, key, value
