"""Path functions that never raise: what cannot be inspected does not exist.

`Path.is_dir` and the like raise for a name that is too long and for a folder that may not be
entered, and a user's typo would then look like a bug of ours.
"""

from __future__ import annotations

import os
from pathlib import Path


def is_folder(path: str | Path) -> bool:
    """Return whether the path is a folder, following links.

    >>> is_folder("/"), is_folder("/" + 300 * "x")
    (True, False)
    """
    return os.path.isdir(path)  # noqa: PTH112


def is_file(path: str | Path) -> bool:
    """Return whether the path is a regular file, following links."""
    return os.path.isfile(path)  # noqa: PTH113


def is_there(path: str | Path) -> bool:
    """Return whether the path exists, following links."""
    return os.path.exists(path)  # noqa: PTH110


def is_link(path: str | Path) -> bool:
    """Return whether the path is a symlink, whatever its target."""
    return os.path.islink(path)  # noqa: PTH114
