"""The engines that can be run here, and where each is installed."""

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
    """An engine by the name of its package; one of npm lies in a folder of packages."""

    name: str
    version: str
    folder: str = ""

    @property
    def memory(self) -> int:
        """The address space that its worker needs beyond that of every worker; 0 for none."""
        return MEMORY if self.folder else 0

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


def installed_engines() -> Iterator[TemplateEngine]:
    """The engines installed in this Python, and in the folder that NODE_PATH names."""
    with contextlib.suppress(ModuleNotFoundError):
        yield TemplateEngine(MINIJINJA, version(MINIJINJA))
    folder = home("").absolute()  # Node takes no other, and the worker is elsewhere
    for name in NODE_PACKAGES if program() else ():
        if found := _npm_version(folder / MODULES / name):
            yield TemplateEngine(name, found, str(folder))


def _npm_version(package: Path) -> str:
    """The version that a package of npm states; "" where it is not there."""
    try:
        return str(json.loads((package / "package.json").read_bytes())["version"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def programs(request: Mapping[str, Any]) -> Iterator[str]:
    """The programs that a worker starts for a request: Node, for a package of npm."""
    yield from program() if request.get("folder") else ()


def reads(request: Mapping[str, Any]) -> Iterator[str]:
    """The files and folders that a worker reads for a request, next to its libraries."""
    if folder := request.get("folder"):
        yield from (str(SCRIPT), os.path.join(folder, MODULES), *program())  # noqa: PTH118
