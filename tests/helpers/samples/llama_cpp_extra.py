"""What tests of llama.cpp itself need: the extra, or the line that installs it."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

import pytest

from tokaudit.runtimes import registry
from tokaudit.runtimes.registry import lacks_its_extra

NAME, PACKAGE = "llama.cpp", "xllamacpp"
MISSING = lacks_its_extra(NAME)
runs_llama_cpp = pytest.mark.skipif(bool(MISSING), reason=MISSING)


def without_llama_cpp(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the extra were not installed."""

    def found(package: str) -> str:
        if package == PACKAGE:
            raise PackageNotFoundError(package)
        return version(package)

    monkeypatch.setattr(registry, "version", found)
