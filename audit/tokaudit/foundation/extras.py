"""Packages of our extras, imported on demand."""

from __future__ import annotations

import importlib
from typing import Any

from tokaudit.foundation.errors import UsageError


def imported(module: str, extra: str) -> Any:
    """Import a module of an extra; raise `UsageError` with the command to install it.

    >>> imported("a.b", "data")
    Traceback (most recent call last):
    tokaudit.foundation.errors.UsageError: a is not installed; run: pip install 'tokaudit[data]'
    """
    package = module.partition(".")[0]
    try:
        importlib.import_module(package)  # which a part that was imported before does not ask for
        return importlib.import_module(module)
    except ImportError:
        why = f"{package} is not installed; run: pip install 'tokaudit[{extra}]'"
        raise UsageError(why) from None
