"""Turn a server's listing into a subject's files, each read on demand."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.content import Content
from tokaudit.subject.copies import Copies
from tokaudit.subject.files import DEEPEST, HEAD, MOST_FILES, PASSED_OVER, hidden
from tokaudit.subject.material import LARGEST_READ, SourceFile
from tokaudit.subject.remote.buckets import Bucket
from tokaudit.subject.remote.hub import Hub
from tokaudit.subject.remote.server import ListedFile, Listing, Server
from tokaudit.subject.remote.web import Web
from tokaudit.subject.sniff import impostor_of, is_weights, role_of
from tokaudit.subject.sources import Beginning, Identity
from tokaudit.subject.traffic import Served, Traffic

AHEAD = 8  # the part of what was read of a file in a row that is fetched ahead
FOR_PEOPLE = (".md", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".pdf", ".gitattributes")
"""Names whose first bytes nobody needs to see."""
KEPT = 64_000_000  # bytes of a large file


@dataclass(frozen=True)
class Remote:
    """The files at a name, and the server's information about all of them."""

    files: tuple[SourceFile, ...]
    served: Served


def opened(name: str) -> Remote:
    """List the files at a name; raise `UnreadableError` if the server refuses."""
    traffic = Traffic()
    server = _server(name, traffic)
    listing = server.listing()
    return Remote(tuple(_files(name, server, listing, traffic)), Served(listing.commit, traffic))


def _server(name: str, traffic: Traffic) -> Server:
    if name.startswith("hf:"):
        repo, _, revision = name.removeprefix("hf:").partition("@")
        if not re.fullmatch(r"[\w.-]+(/[\w.-]+)?", repo):
            raise UnreadableError(f"{name}: {repo!r} is not the name of a model; write hf:org/name")
        return Hub(repo, revision, traffic)
    if name.startswith(("https://", "http://")):
        return Web(name, traffic)
    return Bucket(name, traffic)


def _files(name: str, server: Server, listing: Listing, traffic: Traffic) -> Iterator[SourceFile]:
    copies, count = Copies(), 0
    for listed in sorted(listing.files, key=lambda file: file.name):
        if not _is_looked_at(listed.name):
            continue
        count += 1
        if count > MOST_FILES:
            raise UnreadableError(
                f"{name}: contains more than {MOST_FILES:,} files, the most that tokaudit reads"
            )
        traffic.listed += listed.size
        by_name = role_of(listed.name, b"")
        whole = listed.size <= LARGEST_READ and not is_weights(by_name)
        source = RemoteFile(listed, server.range, server.mark_now, whole)
        content = Content(Path(listed.name), listed.name, copies, source)
        if unseen := hidden(Path(listed.name), content, listed.size):
            yield unseen
            continue
        known = (is_weights(by_name) and listed.size > HEAD) or listed.name.endswith(FOR_PEOPLE)
        first = b"" if known else content.head(HEAD)
        role = role_of(listed.name, first) if first else by_name
        impostor = impostor_of(listed.name, first)
        yield SourceFile(listed.name, Path(listed.name), listed.size, role, impostor, content)


def _is_looked_at(name: str) -> bool:
    """Return whether a path is valid, not too deep and not in a tool's own folder."""
    parts = name.split("/")
    odd = any(part in ("", ".", "..") or "\\" in part or "\0" in part for part in parts)
    return not odd and len(parts) <= DEEPEST + 1 and not set(parts[:-1]) & set(PASSED_OVER)


class RemoteFile:
    """A file of a server as a source of bytes; one that is read `whole` is fetched once."""

    def __init__(
        self,
        file: ListedFile,
        fetch: Callable[[ListedFile, int, int], bytes],
        mark_now: Callable[[ListedFile], str],
        whole: bool,
    ) -> None:
        self.file = file
        self._fetch, self._mark_now = fetch, mark_now
        self._is_read_whole, self._whole = whole, b""
        self._parts: dict[tuple[int, int], bytes] = {}
        self._last = (0, b"")  # the last range of a part, and what came beyond it

    @property
    def mark(self) -> str:
        """The mark of the content on its server."""
        return self.file.mark

    @contextmanager
    def opened(self) -> Iterator[tuple[BinaryIO, int, Identity]]:
        """Open the file, before any of it is read."""
        identity = (self.file.size, self.file.mark)
        yield cast(BinaryIO, _Ranges(self)), self.file.size, identity

    def holds(self, beginning: Beginning) -> bool:
        """Return whether the server still states the same mark."""
        return self._mark_now(self.file) == self.file.mark and beginning.size == self.file.size

    def read(self, start: int, size: int) -> bytes:
        """Read a range of bytes, as far as the file has them."""
        size = max(0, min(size, self.file.size - start))
        if not size:
            return b""
        if not self._is_read_whole:
            return self._part(start, size)
        self._whole = self._whole or self._exactly(0, self.file.size)
        return self._whole[start : start + size]

    def _part(self, start: int, size: int) -> bytes:
        """Read a range of a large file, and keep it: several checks use the same rows."""
        kept = self._parts.get((start, size))
        if kept is None:
            kept = self._read_on(start, size)
            if size + sum(map(len, self._parts.values())) <= KEPT:
                self._parts[start, size] = kept
        return kept

    def _read_on(self, start: int, size: int) -> bytes:
        """Read a range; if it continues the last one, read an eighth ahead."""
        first, held = self._last
        if not first <= start <= start + size <= first + len(held):
            goes_on = start and start == first + len(held)
            wanted = max(size, start // AHEAD) if goes_on else size
            held = self._exactly(start, min(wanted, self.file.size - start))
            first, self._last = start, (start, held)
        return held[start - first : start - first + size]

    def _exactly(self, start: int, size: int) -> bytes:
        data = self._fetch(self.file, start, size)
        if len(data) != size:
            raise UnreadableError(
                f"{self.file.name}: the server sent another number of bytes than requested"
            )
        return data


class _Ranges(io.RawIOBase):
    """A file with one request for each read."""

    def __init__(self, source: RemoteFile) -> None:
        self._source, self._at = source, 0

    def read(self, size: int = -1) -> bytes:
        """Read the next bytes, or the rest for a negative number."""
        data = self._source.read(self._at, self._source.file.size if size < 0 else size)
        self._at += len(data)
        return data

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Seek a position from the start."""
        self._at = offset
        return offset
