"""The process that has imported the worker and forks one for each request (`worker_door.py`)."""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import pkgutil
import select
import socket
import sys
from typing import Any

LARGEST = 1 << 20  # bytes of a request
ANOTHER = b"another channel"  # not a request


def serve(first: socket.socket) -> None:
    """Fork a worker for each request and tell when one has ended, until the other end is closed.

    Who asks at the first channel can send another one there, for a process of its own: which asks
    at that one, until it ends.
    """
    channels = {first.fileno(): first}
    running: dict[int, tuple[int, int]] = {}  # of each worker's descriptor: its id and its pipe
    while True:
        ready, _, _ = select.select([*channels, *running], [], [])
        for descriptor in (each for each in ready if each in running):
            _tell(descriptor, *running.pop(descriptor))
        for channel in [channels[each] for each in ready if each in channels]:
            message, files = _asked(channel)
            if not message and channel is first:
                return
            if not message:
                channels.pop(channel.fileno()).close()
            elif message == ANOTHER:
                channels[files[0]] = socket.socket(fileno=files[0])
            elif not (pid := _fork()):
                for each in (*running, *(pipe for _, pipe in running.values()), files.pop()):
                    os.close(each)
                for other in channels.values():
                    other.close()
                return _work(json.loads(message), files)
            else:
                with contextlib.suppress(BrokenPipeError):
                    channel.send(str(pid).encode())
                running[os.pidfd_open(pid)] = pid, files.pop()
                for file in files:
                    os.close(file)


def _asked(channel: socket.socket) -> tuple[bytes, list[int]]:
    """What a channel asks, with its files; nothing where its other end is closed or was killed."""
    try:
        message, files, _, _ = socket.recv_fds(channel, LARGEST, 6)
        return message, list(files)
    except ConnectionResetError:
        return b"", []


def _fork() -> int:
    """A fork that leads a session when its number is known: whoever asked may kill its group."""
    leads, led = os.pipe()
    pid = os.fork()
    if not pid:
        os.setsid()
        os.close(leads)
    os.close(led)  # in both: the end of the pipe is the sign
    if pid:
        os.read(leads, 1)
        os.close(leads)
    return pid


def _tell(descriptor: int, pid: int, pipe: int) -> None:
    """Write how a worker ended to who waits for it."""
    _, status = os.waitpid(pid, 0)
    with contextlib.suppress(BrokenPipeError):
        os.write(pipe, str(os.waitstatus_to_exitcode(status)).encode())
    os.close(pipe)
    os.close(descriptor)


def _work(request: dict[str, Any], files: list[int]) -> None:
    """Become one worker: its streams, folder, environment and arguments."""
    from tokaudit.runtimes.worker.__main__ import main
    from tokaudit.runtimes.worker.files.channel import VARIABLE

    incoming, outgoing, *streams = files
    handed = [str(streams.pop(0))] if request["files"] else []
    for place, file in enumerate(streams, start=1):
        os.dup2(file, place)
        os.close(file)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    os.environ.update(dict.fromkeys([VARIABLE], *handed) if handed else {})
    sys.path[:0] = request["path"]
    sys.argv = ["worker", str(incoming), str(outgoing), *request["arguments"]]
    main()


LIBRARIES = ("numpy", "sentencepiece", "tiktoken", "tokenizers")  # what most workers of tests load


def import_worker() -> None:
    """Import the worker, the reference whole and the libraries, which take a third of its work.

    GPT-2's pattern and its classes, which most tokenizers of tests have, take a tenth.
    """
    import tokaudit.products.chat.rendering.renderer
    import tokaudit.products.data.ids.inside
    import tokaudit.runtimes.tables_by_name
    import tokaudit.runtimes.worker.__main__
    import tokaudit.runtimes.worker.confinement.capabilities
    import tokaudit.runtimes.worker.confinement.landlock
    import tokaudit.runtimes.worker.files.channel
    import tokaudit.runtimes.worker.ops  # noqa: F401
    import tokaudit_reference
    from tokaudit.runtimes.registry import all_adapters
    from tokaudit.runtimes.worker.confinement.readable import readable
    from tokaudit.runtimes.worker.confinement.seccomp import machine, rules
    from tokaudit.runtimes.worker.questions import Vocab
    from tokaudit.runtimes.worker.starting.process_start import QUIET
    from tokaudit_reference.text.patterns import compiled
    from tokaudit_reference.text.patterns.classes import classes
    from tokaudit_reference.text.published_patterns import GPT2

    all_adapters()
    os.environ.update(QUIET)  # or numpy starts a thread for each processor
    for module in pkgutil.walk_packages(tokaudit_reference.__path__, "tokaudit_reference."):
        importlib.import_module(module.name)
    for library in LIBRARIES:
        importlib.import_module(library)
    for pattern in {GPT2, *classes(GPT2)}:
        compiled(pattern)
    if found := machine():  # what is worked out once is worked out before the forks
        rules(found)
    tuple(readable(Vocab()))
    gc.freeze()


if __name__ == "__main__":
    import_worker()
    serve(socket.socket(fileno=int(sys.argv[1])))
