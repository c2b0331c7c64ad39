"""A program `tokaudit` for scripts that start the command by its path: each start is a fork."""

from __future__ import annotations

import json
import shlex
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from command_door import Door

CLIENT = Path(__file__).with_name("door_client.py")
LONGEST = 300  # seconds


@contextmanager
def programs_of(door: Door) -> Iterator[str]:
    """Answer the programs that `write_program` writes, until the end; gives their address."""
    address = f"tokaudit-{uuid4().hex}"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(f"\0{address}")
        listening.listen()
        thread = threading.Thread(target=_answer_all, args=(listening, door), daemon=True)
        thread.start()
        yield address
        listening.shutdown(socket.SHUT_RDWR)
        thread.join()


def write_program(path: Path, address: str) -> None:
    """A program that does what `tokaudit` does, while its address is answered."""
    start = shlex.join([sys.executable, "-I", "-S", str(CLIENT), address])
    path.write_text(f'#!/bin/sh\nexec {start} "$@"\n', "utf-8")
    path.chmod(0o755)


def _answer_all(listening: socket.socket, door: Door) -> None:
    with suppress(OSError):  # the socket is shut down
        while True:
            channel, _ = listening.accept()
            with channel:
                _answer(channel, door)


def _answer(channel: socket.socket, door: Door) -> None:
    with channel.makefile("rb") as stream:
        asked = json.loads(stream.read())
    done = door.run(asked["arguments"], LONGEST, asked["environment"], Path(asked["folder"]))
    answer = {"code": done.returncode, "stdout": done.stdout, "stderr": done.stderr}
    channel.sendall(json.dumps(answer).encode())
