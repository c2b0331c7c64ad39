"""Distinguish exhausted system resources, such as memory or disk, from bugs of tokaudit."""

from __future__ import annotations

import errno
import resource
from collections.abc import Iterator

LIMITS = {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN}
TROUBLES = LIMITS | {errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EINTR, errno.ESTALE}
OUT_OF_MEMORY = "out of memory"
NO_THREAD = "can't start new thread"
WORDS = (  # of errors that carry no number
    NO_THREAD,
    "can't allocate lock",
    "can't allocate read lock",
    "[digital envelope routines]",  # of OpenSSL, which has no other reason to refuse a hash
    "error return without exception set",  # of Python's parser, where it has no memory
    "unmarshallable object",  # of a module that is kept compiled
    "cannot allocate memory",
    "failed to map segment",
    "too many open files",
)


def refused_by_system(error: BaseException) -> str:
    """Name what the system refused, as the end of a sentence; empty if the bug is ours.

    >>> refused_by_system(OSError(errno.ENOSPC, "No space left on device", "/tmp/x"))
    'the system refused a call: No space left on device: /tmp/x'
    >>> refused_by_system(KeyError("x"))
    ''
    """
    if limit := exhausted(error):
        return f"ended by a limit of this process: {limit}"
    for each in _causes(error):
        if isinstance(each, OSError) and each.errno in TROUBLES:
            named = f": {each.filename}" if each.filename else ""
            return f"the system refused a call: {each.strerror}{named}"
    return ""


def exhausted(error: BaseException) -> str:
    """Name the exhausted resource, or return ""; errors that wrap it are searched.

    >>> exhausted(OSError(errno.EMFILE, "Too many open files"))
    'Too many open files'
    >>> exhausted(KeyError("x"))
    ''
    """
    for each in _chain(error):
        if isinstance(each, MemoryError):
            return OUT_OF_MEMORY
        if isinstance(each, OSError) and each.errno in LIMITS:
            return str(each.strerror)
        words = str(each).lower()
        if NO_THREAD in words and has_little_space():
            return OUT_OF_MEMORY
        if any(known in words for known in WORDS):
            return " ".join(str(each).split())
    return ""


def has_little_space() -> bool:
    """Return whether this process has limited address space, which threads then lack."""
    return resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield only stated causes: an error in their context may have been handled."""
    while error is not None:
        yield error
        error = error.__cause__
