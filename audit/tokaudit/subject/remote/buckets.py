"""A folder or file of `s3://`, `gs://` or another protocol of `fsspec`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tokaudit.subject.remote.fsspec_files import asked, at
from tokaudit.subject.remote.server import ListedFile, Listing
from tokaudit.subject.traffic import Traffic

MARKS = ("VersionId", "version_id", "generation", "ETag", "etag", "LastModified", "mtime")


class Bucket:
    """Files of a bucket, below one URL."""

    def __init__(self, url: str, traffic: Traffic) -> None:
        self._url, self._traffic = url, traffic

    def listing(self) -> Listing:
        """List every file, with its size and its version or ETag."""
        system, path = at(self._url)
        with self._traffic.request(self._url):
            found = asked(self._url, lambda: _below(system, path))
        folder = path.rstrip("/") + "/"
        files = (
            ListedFile(
                each.removeprefix(folder) if each != path else each.rpartition("/")[2],
                int(info["size"]),
                _mark(info),
                each,
            )
            for each, info in found.items()
            if info.get("type") == "file"
        )
        return Listing(tuple(files))

    def range(self, file: ListedFile, start: int, size: int) -> bytes:
        """Read exactly these bytes, without a cache of blocks."""
        system, _ = at(self._url)
        with self._traffic.request(self._url):
            data = asked(
                self._url, lambda: bytes(system.cat_file(file.at, start=start, end=start + size))
            )
        self._traffic.count(len(data), self._url)
        return data

    def mark_now(self, file: ListedFile) -> str:
        """Return the current version or ETag in the bucket."""
        system, _ = at(self._url)
        with self._traffic.request(self._url):
            system.invalidate_cache()
            return _mark(asked(self._url, lambda: system.info(file.at)))


def _below(system: Any, path: str) -> Mapping[str, Mapping[str, Any]]:
    if system.isdir(path):
        return dict(system.find(path, detail=True))
    return {path: system.info(path)}


def _mark(info: Mapping[str, Any]) -> str:
    """Return the most reliable content mark of a listing."""
    return next((str(info[key]).strip('"') for key in MARKS if info.get(key)), str(info["size"]))
