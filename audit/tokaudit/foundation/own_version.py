"""The version of tokaudit, for reports and for what else says who wrote it."""

from __future__ import annotations

from importlib import import_module


def own_version() -> str:
    """The version of the package that runs.

    It is asked of the package itself, by name as the rooms import nothing above them: the metadata
    of installed packages is read from files, which a full table of files makes unfindable.
    """
    return str(import_module("tokaudit").__version__)
