"""Says that a spec uses something which the reference does not cover, by the component's name."""

from __future__ import annotations

from tokaudit_reference.spec import SpecError


class Unsupported(SpecError):
    """Raised when a tokenizer is built, never while it encodes."""
