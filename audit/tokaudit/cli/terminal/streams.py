"""Standard streams in any state: closed, full, without a reader, or ASCII.

Their state changes what is printed and nothing else.  Only a result that was to go to stdout and
could not counts, as one that was not written.
"""

from __future__ import annotations

import contextlib
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

LOSSLESS = "backslashreplace"


def open_closed() -> None:
    """Open the descriptors 0 to 2 if they are closed, before a pipe or file gets them.

    They are filled for reading only, so that writing to a closed stdout stays an error.
    """
    while (descriptor := os.open(os.devnull, os.O_RDONLY)) <= 2:
        pass
    os.close(descriptor)
    if sys.stdin is None:
        sys.stdin = os.fdopen(0, closefd=False)
    if sys.stderr is None:
        _mute(2)
        sys.stderr = os.fdopen(2, "w", closefd=False)
    if sys.stdout is not None:
        sys.stdout.reconfigure(errors=LOSSLESS)  # type: ignore[union-attr]


def say(text: str) -> None:
    """Print text for a reader; raise `NotWrittenError` if stdout refuses it.

    A reader that has left, as `head` does, wanted no more: that is no error.
    """
    _write(lambda out: out.write(_encodable(text, out)))


def say_data(text: str) -> None:
    """Print program-readable data: always UTF-8, the bytes of a file."""

    def write(out: TextIO) -> None:
        binary = getattr(out, "buffer", None)
        if binary is None:  # a stream that keeps text, such as that of an embedding program
            out.write(text)
        else:
            out.flush()
            binary.write(text.encode("utf-8", LOSSLESS))

    _write(write)


def note(text: str) -> None:
    """Print to stderr if possible; nothing depends on it."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(_encodable(text, sys.stderr))
        sys.stderr.flush()
    except (OSError, ValueError):
        _mute(2)


def complain(message: str, code: int) -> int:
    """Print one safe line on stderr, and return its exit code."""
    from tokaudit.report.visible import visible

    note(f"tokaudit: {visible(' '.join(message.split()))}\n")
    return code


def written(code: int, write: Callable[[], None]) -> int:
    """Write a command's result, and return its exit code.

    A result that could not be written is said, and decides only where nothing else does.
    """
    from tokaudit.foundation.errors import NotWrittenError

    try:
        write()
    except NotWrittenError as error:
        lost = complain(str(error), error.exit_code)
        return code or lost
    return code


def flushed(code: int) -> int:
    """Flush stdout, and return the exit code, also for help and version."""
    if sys.stdout is None:
        return code
    return written(code, lambda: _write(lambda out: None))


def _write(write: Callable[[TextIO], object]) -> None:
    from tokaudit.foundation.errors import NotWrittenError

    if sys.stdout is None:
        raise NotWrittenError("stdout: cannot be written: it is closed")
    try:
        write(sys.stdout)
        sys.stdout.flush()
    except BrokenPipeError:
        _mute(1)
    except OSError as error:
        _mute(1)
        raise NotWrittenError(f"stdout: cannot be written: {error.strerror}") from error


def _encodable(text: str, stream: TextIO) -> str:
    encoding = stream.encoding or "utf-8"
    return text.encode(encoding, LOSSLESS).decode(encoding)


def _mute(descriptor: int) -> None:
    """Let the interpreter's last flush succeed, which would complain."""
    with contextlib.suppress(OSError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, descriptor)
        os.close(null)
