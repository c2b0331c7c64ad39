"""Environment and working folder of a worker, with as little of the user's as possible.

Names are allowed, not forbidden: a token or a key has no name that could be listed.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from tokaudit.foundation import leftovers

CACHES = ("HF_HOME", "HF_HUB_CACHE", "TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR")
ALLOWED = frozenset({
    "PATH", "HOME", "LANG", "LANGUAGE", "TZ", "NODE_PATH",
    "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH",
    "PYTHONHOME", "PYTHONUSERBASE", "PYTHONNOUSERSITE", "PYTHONPYCACHEPREFIX",
    "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED", "PYTHONUTF8", "PYTHONIOENCODING",
    "PYTHONCOERCECLOCALE", "PYTHONMALLOC", "PYTHONWARNINGS",
})  # fmt: skip
"""Locale (with LC_*), where programs and libraries are, and how Python is to start."""


def allowed(environment: Mapping[str, str], folder: str) -> dict[str, str]:
    """Return a worker's environment from the user's; temporary files go to its own folder.

    >>> allowed({"LC_ALL": "C", "HF_TOKEN": "hf_x", "PYTHONPATH": ":/a"}, "/t")["PYTHONPATH"]
    '/a'
    >>> sorted(allowed({"LC_ALL": "C", "HF_TOKEN": "hf_x"}, "/t"))
    ['DATA_GYM_CACHE_DIR', 'LC_ALL', 'TMPDIR']
    """
    kept = {
        name: value
        for name, value in environment.items()
        if name in ALLOWED or name.startswith("LC_")
    }
    if path := os.pathsep.join(_import_path(environment.get("PYTHONPATH", ""))):
        kept["PYTHONPATH"] = path
    # Where a cache that is not named lies follows from TMPDIR, so it is named before that changes.
    kept |= {
        name: str(Path(environment[name]).absolute()) for name in CACHES if environment.get(name)
    }
    temporary = Path(leftovers.temporary_folder())
    kept.setdefault("DATA_GYM_CACHE_DIR", str(temporary / "data-gym-cache"))
    return kept | {"TMPDIR": folder}


def own_folder() -> str | None:
    """Create an empty folder; None if that is impossible."""
    try:
        folder = tempfile.mkdtemp(prefix=leftovers.owned("tokaudit-worker-"))
    except OSError:
        return None
    leftovers.add_path(Path(folder))
    return folder


def remove(folder: str | None) -> None:
    """Remove a worker's folder with its contents."""
    if folder is not None:
        leftovers.remove_path(Path(folder))


def _import_path(given: str) -> Iterator[str]:
    """Yield the entries of PYTHONPATH, absolute, without the current folder."""
    for entry in given.split(os.pathsep):
        if entry and os.path.realpath(entry) != os.path.realpath(os.curdir):
            yield str(Path(entry).absolute())
