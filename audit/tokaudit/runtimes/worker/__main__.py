"""The worker process: `python -m tokaudit.runtimes.worker IN OUT MEMORY [FOLDER]`.

Frames travel on the two descriptors, and files on a third that the environment may name.  With a
folder, or "" where there is none to write in, the process gives up what it can before it answers;
without, it runs what the user named.
"""

from __future__ import annotations

import os
import sys
import time
from types import TracebackType
from typing import Any

from tokaudit.runtimes.worker.confinement.limits import (
    end_after,
    end_group,
    end_with_parent,
    heed_parent,
    limit,
)
from tokaudit.runtimes.worker.confinement.sandbox import confine
from tokaudit.runtimes.worker.deaths import NOT_STARTED
from tokaudit.runtimes.worker.frames import FrameError, TooLarge, receive, send

LONG = 0.2  # seconds of an answer, after which unused memory is given back


def main() -> None:
    """Answer requests until the parent closes its end."""
    sys.excepthook = _not_started
    incoming, outgoing, memory = map(int, sys.argv[1:4])
    files = [int(channel) for channel in [os.environ.pop("TOKAUDIT_FILES", "")] if channel]
    for descriptor in (
        incoming,
        outgoing,
        *files,
    ):  # no program that a library starts may hold them
        os.set_inheritable(descriptor, False)
    limit(memory, sandboxed=bool(sys.argv[4:]))
    heed_parent(outgoing)
    from tokaudit.foundation.own_process import trim_memory
    from tokaudit.runtimes.worker.confinement.readable import needs, readable
    from tokaudit.runtimes.worker.ops import Session, prepare
    from tokaudit.runtimes.worker.questions import Frame

    session, folders = Session(*files), sys.argv[4:]
    while True:
        try:
            frame: Frame = receive(incoming, type=Frame)
        except FrameError:
            end_group()
        end_after(frame.within, frame.processor)
        end_with_parent(outgoing, True)
        while folders:  # once, before anything of the subject is read
            prepare(frame.question)
            confine(folders.pop() or None, readable(frame.question), needs(frame.question, *files))
            sys.excepthook = sys.__excepthook__
        answer = session.answer(frame.question)
        end_with_parent(outgoing, False)
        answer |= {"number": frame.number, "processor": time.process_time()}
        _reply(outgoing, answer, frame.largest)
        end_after(0)
        if answer.pop("seconds") > LONG:  # a short one leaves little behind
            answer.clear()
            trim_memory()


def _not_started(_: type[BaseException], error: BaseException, __: TracebackType | None) -> None:
    """Explain why the worker failed to start, with an exit code that blames no library."""
    print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
    os._exit(NOT_STARTED)


def _reply(outgoing: int, answer: dict[str, Any], largest: int | None = None) -> None:
    """Send the answer; if it cannot be encoded, send the error instead."""
    try:
        send(outgoing, answer, largest=largest)
    except (TooLarge, TypeError, ValueError, ArithmeticError, MemoryError) as error:
        reported = f"the answer cannot be sent: {type(error).__name__}: {error}"
        kept = {name: answer[name] for name in ("number", "seconds", "processor") if name in answer}
        send(outgoing, {"error": reported, **kept})


if __name__ == "__main__":
    main()
