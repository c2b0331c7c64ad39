"""Lay out a subject's files in a folder under their own names."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from tokaudit.runtimes.request import LoadRequest


def laid_out(request: LoadRequest) -> str:
    """Create a folder with a link to the copy of each file, with a neutral name.

    Only the last part of each name is used, so that no name leads out of the folder.
    """
    Path(request.path).stat()  # so that a file that is not there is refused by its name
    folder = Path(tempfile.mkdtemp(prefix="subject-"))
    for name, path in request.siblings.items():
        base = name.rpartition("/")[2]
        if base not in ("", os.curdir, os.pardir) and not (folder / base).exists():
            (folder / base).symlink_to(path)
    return str(folder)
