"""A program in place of the installed command: it asks the tests' process for a fork instead.

What starts `tokaudit` by its path, as a script does, starts this; it needs no site packages.
"""

from __future__ import annotations

import json
import os
import socket
import sys


def main(address: str, arguments: list[str]) -> int:
    """Have the command run, write what it wrote, and end as it ended."""
    folder = os.getcwd()  # noqa: PTH109 - pathlib would be imported
    asked = {"arguments": arguments, "environment": dict(os.environ), "folder": folder}
    with socket.socket(socket.AF_UNIX) as channel:
        channel.connect(f"\0{address}")
        channel.sendall(json.dumps(asked).encode())
        channel.shutdown(socket.SHUT_WR)
        with channel.makefile("rb") as stream:
            answer = json.loads(stream.read())
    sys.stdout.buffer.write(answer["stdout"].encode())
    sys.stderr.buffer.write(answer["stderr"].encode())
    return int(answer["code"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
