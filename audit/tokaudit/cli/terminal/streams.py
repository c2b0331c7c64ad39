"""The standard streams, in whatever state they are: closed, full, without a reader, or ASCII.

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
    """Fill the descriptors 0 to 2 where they are closed, before a pipe or a file lands on them.

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
    """Print text for a reader; raises `NotWrittenError` where stdout does not take it.

    A reader that has left, as `head` does, wanted no more: that is no error.
    """
    _write(lambda out: out.write(_encodable(text, out)))


def say_data(text: str) -> None:
    """Print what a program reads: always UTF-8, the bytes that a file would get."""

    def write(out: TextIO) -> None:
        binary = getattr(out, "buffer", None)
        if binary is None:  # a stream that keeps text, such as that of an embedding program
            out.write(text)
        else:
            out.flush()
            binary.write(text.encode("utf-8", LOSSLESS))

    _write(write)


def note(text: str) -> None:
    """Print to stderr if it can be; nothing depends on it."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(_encodable(text, sys.stderr))
        sys.stderr.flush()
    except (OSError, ValueError):
        _mute(2)


def complain(message: str, code: int) -> int:
    """One line on stderr, in which nothing acts, and the exit code that goes with it."""
    from tokaudit.report.visible import visible

    note(f"tokaudit: {visible(' '.join(message.split()))}\n")
    return code


def written(code: int, write: Callable[[], None]) -> int:
    """The exit code of a command that has come to `code` and then writes its result.

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
    """The exit code when what is left of stdout has been written, by help and version too."""
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
    """Let the interpreter's last flush of what is still buffered succeed: it would complain."""
    with contextlib.suppress(OSError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, descriptor)
        os.close(null)
