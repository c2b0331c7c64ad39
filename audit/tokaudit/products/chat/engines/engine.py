"""Installed template engines, and where to find them."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokaudit.foundation.installed_version import version
from tokaudit.runtimes.adapters.node import MEMORY, MODULES, home, program

SCRIPT = Path(__file__).with_name("node_engine.mjs")
MINIJINJA = "minijinja"
RECORDED_AS = {"@huggingface/jinja": "transformers.js"}
"""The engines of the table of constructs by their packages."""
NODE_PACKAGES = ("@huggingface/jinja", "minijinja-js")


@dataclass(frozen=True)
class TemplateEngine:
    """An engine by its package name; an npm package is in a folder of packages."""

    name: str
    version: str
    folder: str = ""

    @property
    def memory(self) -> int:
        """Return the address space that its worker needs in addition; 0 for none."""
        return MEMORY if self.folder else 0

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


def installed_engines() -> Iterator[TemplateEngine]:
    """Yield the engines installed in this Python, and in NODE_PATH."""
    with contextlib.suppress(ModuleNotFoundError):
        yield TemplateEngine(MINIJINJA, version(MINIJINJA))
    folder = home("").absolute()  # Node takes no other, and the worker is elsewhere
    for name in NODE_PACKAGES if program() else ():
        if found := _npm_version(folder / MODULES / name):
            yield TemplateEngine(name, found, str(folder))


def _npm_version(package: Path) -> str:
    """Return the version of an npm package; "" if it is missing."""
    try:
        return str(json.loads((package / "package.json").read_bytes())["version"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def programs(request: Mapping[str, Any]) -> Iterator[str]:
    """Yield the programs that a worker starts for a request: Node, for an npm package."""
    yield from program() if request.get("folder") else ()


def reads(request: Mapping[str, Any]) -> Iterator[str]:
    """Yield the files and folders that a worker reads for a request."""
    if folder := request.get("folder"):
        yield from (str(SCRIPT), os.path.join(folder, MODULES), *program())  # noqa: PTH118
