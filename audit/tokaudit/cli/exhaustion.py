"""Tells a limit of the process (`ulimit`, a quota of memory) from a bug of tokaudit."""

from __future__ import annotations

import errno
from collections.abc import Iterator

ERRORS = {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN}
WORDS = (  # of errors that carry no number
    "can't start new thread",
    "cannot allocate memory",
    "failed to map segment",
    "too many open files",
)


def exhausted(error: BaseException) -> str:
    """What ran out, or nothing; what a library made of it is looked through.

    >>> exhausted(OSError(errno.EMFILE, "Too many open files"))
    'Too many open files'
    >>> exhausted(KeyError("x"))
    ''
    """
    for each in _chain(error):
        if isinstance(each, MemoryError):
            return "out of memory"
        if isinstance(each, OSError) and each.errno in ERRORS:
            return str(each.strerror)
        if any(words in str(each).lower() for words in WORDS):
            return " ".join(str(each).split())
    return ""


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
