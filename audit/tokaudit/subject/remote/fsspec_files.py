"""Files at a URL, such as `s3://bucket/ids`, by `fsspec` and its installed clients.

Only a whole file or a range of its bytes is asked for, when somebody reads it; nothing is kept on
disk.  Whatever a file system raises is one line about the file.
"""

from __future__ import annotations

import glob
import io
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, TypeVar, cast

from tokaudit.foundation.errors import UnreadableError, UsageError
from tokaudit.foundation.extras import imported

BLOCK = 4 << 20  # bytes that are fetched at once where a file is read from its beginning on
_Result = TypeVar("_Result")


def is_url(name: str) -> bool:
    """Return whether a name leads to a file system of fsspec.

    >>> is_url("s3://bucket/ids"), is_url("ids/part-1.bin")
    (True, False)
    """
    return "://" in name


def library() -> Any:
    """Return fsspec; raise `UsageError` with the command that installs it."""
    return imported("fsspec", "cloud")


def listed(url: str) -> Iterator[tuple[str, str, int]]:
    """Yield the name, URL and size of each file at a URL of a file, folder or glob.

    Files whose name begins with a dot are left out, as in a folder.  Raises `UnreadableError` where
    the file system refuses, and `UsageError` where nobody serves the protocol.
    """
    system, path = at(url)
    found = asked(url, lambda: list(_files(system, path)))
    folder = path.rstrip("/") + "/"
    for each, size in sorted(found):
        name = each.removeprefix(folder) if each.startswith(folder) else each.rpartition("/")[2]
        if not any(part.startswith(".") for part in name.split("/")):
            yield name, system.unstrip_protocol(each), size


def size_of(url: str) -> int | None:
    """Return the size of a file, None if it does not exist."""
    system, path = at(url)
    try:
        return asked(url, lambda: int(system.size(path)) if system.isfile(path) else None)
    except UnreadableError:
        return None


def opened(url: str) -> BinaryIO:
    """Open a file for reading from its start."""
    system, path = at(url)
    inner = asked(url, lambda: system.open(path, "rb", block_size=BLOCK))
    return cast(BinaryIO, io.BufferedReader(_Refusing(url, inner)))


def read(url: str, start: int, size: int) -> bytes:
    """Return up to `size` bytes from a position."""
    system, path = at(url)
    return asked(url, lambda: bytes(system.cat_file(path, start=start, end=start + size)))


class _Refusing(io.RawIOBase):
    """A file of fsspec whose errors become `UnreadableError`."""

    def __init__(self, url: str, inner: Any) -> None:
        self._url, self._inner = url, inner

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return asked(self._url, lambda: int(self._inner.seek(offset, whence)))

    def tell(self) -> int:
        return int(self._inner.tell())

    def readinto(self, buffer: Any) -> int:
        data = asked(self._url, lambda: self._inner.read(len(buffer)))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        """Close the inner file too."""
        if not self.closed:
            self._inner.close()
        super().close()


def _files(system: Any, path: str) -> Iterator[tuple[str, int]]:
    if glob.has_magic(path):
        details = system.glob(path, detail=True)
    elif system.isdir(path):
        details = system.find(path, detail=True)
    else:
        details = {path: system.info(path)}
    for each, info in details.items():
        if info.get("type") == "file":
            yield each, int(info["size"])


def at(url: str) -> tuple[Any, str]:
    """Return the file system of a URL, which fsspec caches, and the path in it."""
    fsspec = library()
    try:
        system, path = fsspec.core.url_to_fs(url, use_listings_cache=False)
    except (ImportError, ValueError) as error:
        raise UsageError(f"{url}: no installed library reads this protocol: {error}") from error
    except Exception as error:
        raise UnreadableError(f"{url}: cannot be read: {_words(error)}") from error
    return system, path


def asked(url: str, ask: Callable[[], _Result]) -> _Result:
    """Call a file system, and convert any client's error to a refusal."""
    try:
        return ask()
    except FileNotFoundError as error:
        raise UnreadableError(f"{url}: does not exist") from error
    except MemoryError:
        raise
    except Exception as error:
        raise UnreadableError(f"{url}: cannot be read: {_words(error)}") from error


def _words(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
