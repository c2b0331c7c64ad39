"""The version of an installed package, read where installers write it, and that of tokaudit.

Merely importing `importlib.metadata` takes five times as long as starting Python, and every worker
and every command asks; so it is imported only for what may be installed differently.
"""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from importlib import import_module
from importlib.machinery import PathFinder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

SUFFIX = ".dist-info"
FINDS = "find_distributions"  # how whoever else imports packages says which there are


def version(package: str) -> str:
    """Return the version of the first distribution of that name on the path.

    Raises `ModuleNotFoundError` where there is none.

    >>> version("no-such-package")
    Traceback (most recent call last):
    ModuleNotFoundError: the package no-such-package is not installed
    """
    for entry in sys.path:
        for folder in _folders_of(entry or os.curdir, distribution_name(package)):
            if found := _stated(os.path.join(folder, "METADATA")):  # noqa: PTH118
                return found
            return _by_the_library(package)
        if os.path.isfile(entry):  # noqa: PTH113 - an archive, which holds what is in no folder
            return _by_the_library(package)
    if any(hasattr(finder, FINDS) for finder in sys.meta_path if finder is not PathFinder):
        return _by_the_library(package)
    raise ModuleNotFoundError(f"the package {package} is not installed")


def distribution_name(package: str) -> str:
    """Return the name of a distribution in the spelling of package indexes.

    >>> distribution_name("Acorn_checks")
    'acorn-checks'
    """
    return package.replace("_", "-").replace(".", "-").lower()


def _folders_of(entry: str, wanted: str) -> Sequence[str]:
    """Return the metadata folders of a distribution in a folder of the path."""
    try:
        return _metadata_in(entry, os.stat(entry).st_mtime_ns).get(wanted, ())  # noqa: PTH116
    except OSError:  # a zip archive, or a folder that is not there
        return ()


@lru_cache(maxsize=64)
def _metadata_in(entry: str, changed: int) -> dict[str, list[str]]:
    """Map the distributions in a folder to their metadata, as of its last change."""
    found: dict[str, list[str]] = {}
    for name in os.listdir(entry):  # noqa: PTH208
        if name.endswith((SUFFIX, ".egg-info")):
            distribution = distribution_name(name.rpartition(".")[0].partition("-")[0])
            found.setdefault(distribution, []).append(os.path.join(entry, name))  # noqa: PTH118
    return found


def _stated(metadata: str) -> str:
    """Return the version that a distribution's metadata states; "" if it is elsewhere."""
    try:
        with open(metadata, encoding="utf-8", errors="replace") as lines:  # noqa: PTH123
            for line in lines:
                name, _, value = line.partition(":")
                if name.lower() == "version":
                    return value.strip()
    except OSError:
        return ""
    return ""


def _by_the_library(package: str) -> str:
    from importlib.metadata import version as of_package

    return of_package(package)


def own_version() -> str:
    """Return the version of the running package.

    It is asked of the package itself, by name as the rooms import nothing above them: the metadata
    of installed packages is read from files, which a full table of files makes unfindable.
    """
    return str(import_module("tokaudit").__version__)
