"""Hints for the name of a subject that is not there."""

from __future__ import annotations

import os
import pkgutil
import re
from pathlib import Path

from tokaudit.foundation.paths import is_folder
from tokaudit.foundation.settings.nearest import meant
from tokaudit.subject.upstream.published.known_encodings import KNOWN

HUB = re.compile(
    r"(?:https?://)?(?:www\.)?(?:huggingface\.co|hf\.co)/(?P<repo>[^/\s?#]+(?:/[^/\s?#]+)?)"
)
REPO = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?")
SMALL = ("*.json", "*.jinja", "*.model", "*.txt", "*.tiktoken")
MOST = 1000  # names of a folder that are looked at


def of_path(name: str) -> str:
    """Guess what a missing path may be: a model of the hub, an encoding, a name nearby."""
    if found := HUB.match(name):
        return f"; {of_hub(found['repo'])}"
    if (near := _nearby(Path(name))) or name in KNOWN:
        return near or f"; did you mean tiktoken:{name}?"
    if REPO.fullmatch(name):
        return f"; for a model of the Hub, {of_hub(name)}"
    return ""


def of_hub(name: str) -> str:
    """The two ways to read a model of the Hub: now, and from the cache."""
    patterns = " ".join(f"--include '{pattern}'" for pattern in SMALL)
    fetched = f"hf download {name.partition('@')[0]} {patterns}"
    return f"type hf:{name} --download, or fetch its small files first: {fetched}"


def of_url(url: str) -> str:
    """The option that reads a subject of a server."""
    found = HUB.match(url)
    name = f"hf:{found['repo']}" if found else "it"
    return f"to read the small files, headers and rows of {name}, add --download"


def of_package(name: str) -> str:
    """The installed packages that are called nearly so."""
    return meant(name, [each.name for each in pkgutil.iter_modules()])


def _nearby(path: Path) -> str:
    """Names like the first part of the path that is not there, in the folder where it would be."""
    while path.parent != path and not is_folder(path.parent):
        path = path.parent
    try:
        with os.scandir(path.parent) as entries:
            names = [entry.name for entry, _ in zip(entries, range(MOST), strict=False)]
    except (OSError, ValueError):
        return ""
    return meant(path.name, names) if len(path.name) < 100 else ""
