"""Render a chat template in a worker, which needs no tokenizer."""

from __future__ import annotations

import gc
from collections.abc import Mapping
from typing import Any

import msgspec

from tokaudit.foundation.typed_values import read_value
from tokaudit.products.chat.rendering.renderer import render
from tokaudit.products.chat.rendering.rendering import RenderedTemplate, RenderRequest, Trouble

MOST_WORDS = 2000  # characters of an error that are passed on


def rendered(session: object, request: Mapping[str, Any]) -> Any:
    """Render a template over its conversations, or report the worker limit that it met."""
    try:
        found = render(read_value(request, RenderRequest))
    except (MemoryError, RecursionError) as error:
        said = f"{type(error).__name__}: {error}"[:MOST_WORDS]
        found = RenderedTemplate(trouble=Trouble.LIMIT, error=said)
    try:
        return msgspec.to_builtins(found)
    finally:  # few objects of a template can hold all the memory that the next one needs
        gc.collect()
