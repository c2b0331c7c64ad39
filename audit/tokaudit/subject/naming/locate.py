"""Resolve the name of a subject to a path, without importing or downloading anything."""

from __future__ import annotations

import importlib.util
import os
import pkgutil
import re
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tokaudit.foundation.errors import UnreadableError, UsageError
from tokaudit.foundation.paths import is_file, is_folder, is_there
from tokaudit.foundation.settings.nearest import meant
from tokaudit.subject.upstream.published.known_encodings import KNOWN

HUB = re.compile(
    r"(?:https?://)?(?:www\.)?(?:huggingface\.co|hf\.co)/(?P<repo>[^/\s?#]+(?:/[^/\s?#]+)?)"
)
REPO = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?")
SMALL = ("*.json", "*.jinja", "*.model", "*.txt", "*.tiktoken")
MOST = 1000  # names of a folder that are looked at
URL = re.compile(r"[a-z][a-z0-9+.-]*://.")


@dataclass(frozen=True, slots=True)
class Located:
    """A path, and what the subject's name implies about the file."""

    path: Path
    settings: Mapping[str, Any] = field(default_factory=dict)
    file_role: str = ""


def locate(name: str) -> Located:
    """Resolve a subject's name; raise `UnreadableError` if it does not exist."""
    if not name:
        raise UsageError(
            "the name of the tokenizer is empty; name a folder, a file, or . for the current folder"
        )
    for prefix, find in _finders().items():
        if name.startswith(prefix):
            return find(name.removeprefix(prefix))
    path = Path(name)
    if URL.match(name):
        raise UnreadableError(f"{name}: nothing is downloaded; {of_url(name)}")
    if not os.path.lexists(path):
        raise UnreadableError(f"{name}: does not exist{of_path(name)}")
    return Located(path)


def is_remote(name: str) -> bool:
    """Return whether a name may lead to a server.

    >>> [is_remote(each) for each in ("hf:org/model", "s3://bucket/model", "models/a")]
    [True, True, False]
    """
    return name.startswith("hf:") or URL.match(name) is not None


def absolute(name: str) -> str:
    """Return the name independent of the current folder, if it is a path."""
    if name.startswith(tuple(_finders())) or not os.path.lexists(name):
        return name
    return str(Path(name).absolute())


def _finders() -> Mapping[str, Callable[[str], Located]]:
    return {"pkg:": _package, "hf:": _hub_cache, "tiktoken:": _tiktoken}


def _package(rest: str) -> Located:
    """Find a file in an installed package, without importing it."""
    package, _, inside = rest.partition("/")
    if not package.isidentifier():
        imported = package.replace("-", "_")
        near = f"; did you mean pkg:{imported}?" if imported.isidentifier() else ""
        raise UnreadableError(f"pkg:{rest}: {package!r} is not a name that Python can import{near}")
    spec = importlib.util.find_spec(package)
    folders = list(spec.submodule_search_locations or []) if spec else []
    if not folders:
        raise UnreadableError(
            f"pkg:{rest}: no package {package!r} is installed{of_package(package)}"
        )
    folder = Path(folders[0]).resolve()
    path = (folder / inside).resolve()
    if not path.is_relative_to(folder):
        raise UnreadableError(f"pkg:{rest}: this path leads out of the package")
    if not is_there(path):
        raise UnreadableError(f"pkg:{rest}: the package contains no {inside!r}")
    return Located(path)


def _hub_cache(rest: str) -> Located:
    """Find a model in the local Hugging Face cache; `@` names a revision."""
    repo, _, revision = rest.partition("@")
    home = Path(os.environ.get("HF_HOME") or Path.home() / ".cache" / "huggingface")
    cache = Path(os.environ.get("HF_HUB_CACHE") or home / "hub")
    folder = cache / ("models--" + repo.replace("/", "--"))
    if ".." in repo or ".." in revision or not is_folder(folder):
        here = f"hf:{rest}: not in the local cache {cache}; nothing is downloaded"
        if rest.startswith("//"):
            raise UnreadableError(f"{here}; did you mean hf:{rest.lstrip('/')}?")
        raise UnreadableError(f"{here}; {of_hub(rest)}" if REPO.fullmatch(repo) else here)
    reference = folder / "refs" / (revision or "main")
    commit = reference.read_text().strip() if is_file(reference) else revision
    snapshot = folder / "snapshots" / commit
    if not commit or not is_folder(snapshot):
        raise UnreadableError(
            f"hf:{rest}: the local cache has no snapshot of the revision {revision or 'main'}"
        )
    return Located(snapshot)


def _tiktoken(name: str) -> Located:
    """Find an encoding in tiktoken's local cache."""
    cached = sorted(key for key, known in KNOWN.items() if known.cache_name)
    if name not in cached:
        raise UnreadableError(
            f"tiktoken:{name}: is not a known encoding{meant(name, cached)}; known encodings: "
            f"{', '.join(cached)}"
        )
    known = KNOWN[name]
    folders = [os.environ.get(key) for key in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR")]
    default = str(Path(tempfile.gettempdir()) / "data-gym-cache")
    folder = Path(next(filter(None, folders), default))
    path = folder / known.cache_name
    if not is_file(path):
        raise UnreadableError(
            f"tiktoken:{name}: not in the local cache {folder}, and tokaudit downloads nothing; to "
            f"put the file there, run in Python: tiktoken.get_encoding({name!r})"
        )
    settings = {"pattern": known.pattern, "special": dict(known.special)}
    return Located(path, settings, "tiktoken")


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
    """Describe the two ways to read a model of the Hub: now, and from the cache."""
    patterns = " ".join(f"--include '{pattern}'" for pattern in SMALL)
    fetched = f"hf download {name.partition('@')[0]} {patterns}"
    return f"type hf:{name} --download, or fetch its small files first: {fetched}"


def of_url(url: str) -> str:
    """Name the option that reads a subject from a server."""
    found = HUB.match(url)
    name = f"hf:{found['repo']}" if found else "this address"
    return f"to read the small files, weight headers and embedding rows of {name}, add --download"


def of_package(name: str) -> str:
    """List installed packages with similar names."""
    return meant(name, [each.name for each in pkgutil.iter_modules()])


def _nearby(path: Path) -> str:
    """List names similar to the path's first missing part, in its folder."""
    while path.parent != path and not is_folder(path.parent):
        path = path.parent
    try:
        with os.scandir(path.parent) as entries:
            names = [entry.name for entry, _ in zip(entries, range(MOST), strict=False)]
    except (OSError, ValueError):
        return ""
    return meant(path.name, names) if len(path.name) < 100 else ""
