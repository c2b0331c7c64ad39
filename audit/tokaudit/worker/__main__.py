"""The worker process: `python -m tokaudit.worker IN OUT MEMORY`, frames on the two descriptors."""

from __future__ import annotations

import sys

from tokaudit.worker.frames import FrameError, receive, send
from tokaudit.worker.limits import limit


def main() -> None:
    """Answer frames until the parent closes its end."""
    incoming, outgoing, memory = map(int, sys.argv[1:4])
    limit(memory)
    from tokaudit.worker.ops import Session

    session = Session()
    while True:
        try:
            message = receive(incoming)
        except FrameError:
            return
        send(outgoing, session.answer(message))


if __name__ == "__main__":
    main()
