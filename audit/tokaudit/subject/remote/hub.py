"""A model of the Hugging Face Hub or a mirror: `HF_ENDPOINT`, `HF_TOKEN` and the cache.

A revision is resolved to a commit once, and everything is read of that commit.  What is in the
cache of `huggingface_hub` is taken from there.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

from tokaudit.foundation.errors import UnreadableError
from tokaudit.foundation.extras import imported
from tokaudit.subject.remote.http import ask, ask_range
from tokaudit.subject.remote.server import ListedFile, Listing, as_size, is_name
from tokaudit.subject.safe_json import parse_object
from tokaudit.subject.traffic import Traffic

LARGEST_LISTING = 8_000_000  # bytes of JSON


class Hub:
    """One model at one revision."""

    def __init__(self, repo: str, revision: str, traffic: Traffic) -> None:
        library = imported("huggingface_hub", "hub")
        self._repo, self._revision, self._traffic = repo, revision or "main", traffic
        self._from_cache: Any = library.try_to_load_from_cache
        token = library.get_token()
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._url = library.constants.ENDPOINT.rstrip("/")
        self._offline = bool(library.constants.HF_HUB_OFFLINE)
        self._commit = ""

    def listing(self) -> Listing:
        """List the files of the revision's current commit."""
        if self._offline:
            raise UnreadableError(
                f"hf:{self._repo}: HF_HUB_OFFLINE is set, so tokaudit does not contact the "
                "Hugging Face Hub"
            )
        at = f"{self._url}/api/models/{quote(self._repo)}/revision/{quote(self._revision, safe='')}"
        answer = ask(f"{at}?blobs=true", self._traffic, self._headers, LARGEST_LISTING)
        found = parse_object(answer.data, f"hf:{self._repo}")
        self._commit = str(found.get("sha", ""))
        entries = found.get("siblings")
        if not self._commit.isalnum() or not isinstance(entries, list):
            raise UnreadableError(
                f"{at}: the answer is not a list of files of the Hugging Face Hub"
            )
        return Listing(tuple(filter(None, map(self._file, entries))), self._commit)

    def range(self, file: ListedFile, start: int, size: int) -> bytes:
        """Read a range from the cache if the file is there, or else from the Hub."""
        kept = self._from_cache(self._repo, file.name, revision=self._commit)
        if isinstance(kept, str):
            with Path(kept).open("rb") as copy:
                copy.seek(start)
                return copy.read(size)
        return ask_range(file.at, self._traffic, self._headers, start, size, file.size).data

    def mark_now(self, file: ListedFile) -> str:
        """Return the listed mark, because a commit does not change."""
        return file.mark

    def _file(self, entry: object) -> ListedFile | None:
        name = entry.get("rfilename") if isinstance(entry, dict) else None
        if not isinstance(entry, dict) or not is_name(name):
            return None
        of_lfs = entry.get("lfs")
        stated = entry.get("size")
        if isinstance(of_lfs, dict):
            stated = of_lfs.get("size", stated)
        size = as_size(stated)
        if size is None:
            raise UnreadableError(f"hf:{self._repo}: the Hub does not say how large {name} is")
        mark = of_lfs.get("sha256") if isinstance(of_lfs, dict) else entry.get("blobId")
        at = f"{self._url}/{quote(self._repo)}/resolve/{self._commit}/{quote(name)}"
        return ListedFile(name, size, str(mark or self._commit), at)
