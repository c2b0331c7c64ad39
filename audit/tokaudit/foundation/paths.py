"""Functions on paths that never raise: what cannot be looked at is not there.

`Path.is_dir` and the like raise for a name that is too long and for a folder that may not be
entered, and a user's typo would then look like a bug of ours.
"""

from __future__ import annotations

import os
from pathlib import Path


def is_folder(path: str | Path) -> bool:
    """Return whether there is a folder, over links too.

    >>> is_folder("/"), is_folder("/" + 300 * "x")
    (True, False)
    """
    return os.path.isdir(path)  # noqa: PTH112


def is_file(path: str | Path) -> bool:
    """Return whether there is a regular file, over links too."""
    return os.path.isfile(path)  # noqa: PTH113


def is_there(path: str | Path) -> bool:
    """Return whether there is anything, over links too."""
    return os.path.exists(path)  # noqa: PTH110


def is_link(path: str | Path) -> bool:
    """Return whether there is a symlink, wherever it leads."""
    return os.path.islink(path)  # noqa: PTH114
