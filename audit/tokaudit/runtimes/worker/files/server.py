"""Parent-side server that hands a file and its companions to a worker."""

from __future__ import annotations

import contextlib
import socket
import threading
from dataclasses import dataclass
from typing import BinaryIO, Protocol

from tokaudit.foundation.errors import UnreadableError, UsageError
from tokaudit.runtimes.worker.files.channel import (
    FOUND,
    LARGEST_REQUEST,
    REFUSED,
    WRONG_USAGE,
    FileReply,
    FileRequest,
)
from tokaudit.runtimes.worker.frames import FrameError, receive, send

MARK = b"."  # a byte that a descriptor can travel with


class FileBytes(Protocol):
    """A file of this machine, or at a URL, whose bytes can be read."""

    @property
    def size(self) -> int:
        """Return its size."""
        ...

    @property
    def url(self) -> str:
        """Return its URL; "" for a local file."""
        ...

    def open(self) -> BinaryIO:
        """Open the file for reading."""
        ...

    def read(self, start: int, size: int) -> bytes:
        """Return some of its bytes."""
        ...

    def sibling(self, name: str) -> FileBytes | None:
        """Return a file next to it."""
        ...


@dataclass(frozen=True)
class HandedFile:
    """A file that a worker may request, with its companions by name ending."""

    bare: str
    file: FileBytes
    companions: tuple[str, ...] = ()

    def named(self, name: str) -> FileBytes | None:
        """Return the file or a companion by its bare name; None for any other."""
        if name == self.bare:
            return self.file
        plain = "/" not in name and "\0" not in name
        return self.file.sibling(name) if plain and name.endswith(self.companions) else None


class FileServer:
    """Answers the requests of one worker until it has ended."""

    def __init__(self) -> None:
        self._ours, self._theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        self._handed: HandedFile | None = None

    @property
    def descriptor(self) -> int:
        """Return the worker's end."""
        return self._theirs.fileno()

    def begin(self) -> None:
        """Start answering; the worker has its end."""
        self._theirs.close()
        threading.Thread(target=self._answer, name="tokaudit-files", daemon=True).start()

    def hand(self, handed: HandedFile) -> None:
        """Let the worker have only this file from now on."""
        self._handed = handed

    def close(self) -> None:
        """End; a later request gets no answer."""
        with contextlib.suppress(OSError):
            self._ours.shutdown(socket.SHUT_RDWR)
        self._theirs.close()

    def _answer(self) -> None:
        with self._ours, contextlib.suppress(FrameError, OSError):
            while True:
                request: FileRequest = receive(
                    self._ours.fileno(), type=FileRequest, largest=LARGEST_REQUEST
                )
                self._reply(request)

    def _reply(self, request: FileRequest) -> None:
        try:
            file = self._handed.named(request.name) if self._handed else None
            if file is None and request.wanted != "size":
                raise UnreadableError(
                    f"{request.name}: is not among the files that the worker process may read"
                )
            data = b""
            if file is not None and request.wanted == "bytes":
                size = min(request.size, max(0, file.size - request.start))  # else servers refuse
                data = (
                    file.read(request.start, size) if size else b""
                )  # servers refuse what is past
            if file is not None and request.wanted == "file" and not file.url:
                return self._with_descriptor(file)
            reply = FileReply(FOUND, None if file is None else file.size, follow=len(data))
        except UsageError as error:
            reply, data = FileReply(WRONG_USAGE, words=str(error)), b""
        except UnreadableError as error:
            reply, data = FileReply(REFUSED, words=str(error)), b""
        self._ours.sendall(MARK)
        self._send(reply, data)

    def _with_descriptor(self, file: FileBytes) -> None:
        with file.open() as opened:
            socket.send_fds(self._ours, [MARK], [opened.fileno()])
        self._send(FileReply(FOUND, file.size))

    def _send(self, reply: FileReply, data: bytes = b"") -> None:
        send(self._ours.fileno(), reply)
        if data:
            self._ours.sendall(data)
