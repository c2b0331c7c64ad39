"""Version of tokaudit, for reports and other output."""

from __future__ import annotations

from importlib import import_module


def own_version() -> str:
    """Return the version of the running package.

    It is asked of the package itself, by name as the rooms import nothing above them: the metadata
    of installed packages is read from files, which a full table of files makes unfindable.
    """
    return str(import_module("tokaudit").__version__)
