"""A file object that keeps its own position, for bytes from elsewhere."""

from __future__ import annotations

import io


class PlacedFile(io.RawIOBase):
    """A readable file with a position; a subclass gives its size, and reads from `at`.

    >>> file = PlacedFile()
    >>> file.seek(5), file.seek(-2, io.SEEK_CUR), file.tell()
    (5, 3, 3)
    """

    def __init__(self) -> None:
        self.at = 0

    def size(self) -> int:
        """Return the size of the file in bytes."""
        raise NotImplementedError

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self.at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        begin = {io.SEEK_SET: 0, io.SEEK_CUR: self.at}
        self.at = max(0, offset + (begin[whence] if whence in begin else self.size()))
        return self.at
