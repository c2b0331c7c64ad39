"""A folder or file of a web server without listings: the usual names are tried."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote, unquote, urlsplit

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.remote.http import Refused, ask, ask_range
from tokaudit.subject.remote.server import ListedFile, Listing, is_name, size_in
from tokaudit.subject.roles import all_roles
from tokaudit.subject.safe_json import parse_object
from tokaudit.subject.sniff import INDEX
from tokaudit.subject.traffic import Traffic

LARGEST_INDEX = 16_000_000
AT_ONCE = 8  # requests under way
GONE = (404, 410)


class Web:
    """A file, or the files with usual names in a folder."""

    def __init__(self, url: str, traffic: Traffic) -> None:
        parts = urlsplit(url)
        if parts.username or parts.password:
            raise UnreadableError(
                "tokaudit reads no URL with a user name or password; remove both from the URL"
            )
        self._url, self._traffic = url, traffic
        self._is_file = "." in parts.path.rpartition("/")[2]

    def listing(self) -> Listing:
        """List the named file, or all that exist under names that readers look for."""
        if self._is_file:
            name = unquote(urlsplit(self._url).path.rpartition("/")[2])
            file = self._known(name, self._url)
            if file is None:
                raise UnreadableError(f"{self._url}: does not exist")
            return Listing((file,))
        found = self._those(sorted(all_roles()))
        index = next((each for each in found if each.name == INDEX), None)
        if index is not None and index.size <= LARGEST_INDEX:
            shards = parse_object(self.range(index, 0, index.size), INDEX).get("weight_map")
            names = set(filter(is_name, shards.values() if isinstance(shards, dict) else ()))
            found += self._those(sorted(names - {each.name for each in found}))
        if not found:
            raise UnreadableError(f"{self._url}: no tokenizer file was found at this address")
        return Listing(tuple(found))

    def range(self, file: ListedFile, start: int, size: int) -> bytes:
        """Read a range of the listed file, checking the mark in the response."""
        answer = ask_range(file.at, self._traffic, {}, start, size, file.size)
        if answer.mark != file.mark:
            raise UnreadableError(f"{file.name}: was replaced while it was being read")
        return answer.data

    def mark_now(self, file: ListedFile) -> str:
        """Return the server's current ETag."""
        again = self._known(file.name, file.at)
        return again.mark if again is not None and again.size == file.size else ""

    def _those(self, names: list[str]) -> list[ListedFile]:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            return list(filter(None, pool.map(self._in_folder, names)))

    def _in_folder(self, name: str) -> ListedFile | None:
        return self._known(name, f"{self._url.rstrip('/')}/{quote(name)}")

    def _known(self, name: str, url: str) -> ListedFile | None:
        try:
            answer = ask(url, self._traffic, {}, 0, "HEAD")
        except Refused as error:
            if error.code in GONE:
                return None
            raise
        size = size_in(answer.headers.get("content-length", ""))
        if size is None:
            raise UnreadableError(
                f"{url}: the server does not state the size of this file; download the file"
            )
        return ListedFile(name, size, answer.mark or f"{size} bytes", url)
