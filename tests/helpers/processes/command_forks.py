"""The process that has imported the command and forks one for each request (`command_door.py`)."""

from __future__ import annotations

import gc
import json
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

LARGEST = 1 << 20  # bytes of a request
OF_TESTS = "tokaudit.testing."
OF_OTHERS = ("pytest", "rich.console", "rich.progress", "rich.table")


def serve(channel: socket.socket) -> Callable[[], int]:
    """Answer requests until the other end is closed; returns, in each fork, what it is to run."""
    while True:
        message, files, _, _ = socket.recv_fds(channel, LARGEST, 3)
        if not message:
            return lambda: 0
        pid = os.fork()
        if not pid:
            channel.close()
            return _as_asked(json.loads(message), files)
        for file in files:
            os.close(file)
        channel.send(str(pid).encode())
        _, status = os.waitpid(pid, 0)
        channel.send(str(os.waitstatus_to_exitcode(status)).encode())


def _as_asked(request: dict[str, Any], files: list[int]) -> Callable[[], int]:
    """Become the process of one command: its streams, folder, environment and arguments."""
    import pytest
    from worker_door import WorkerDoor

    from tokaudit.__main__ import main
    from tokaudit.runtimes.worker import process

    *streams, workers = files
    for place, file in enumerate(streams, start=1):
        os.dup2(file, place)
        os.close(file)
    channel = socket.socket(fileno=workers)
    door = WorkerDoor.of_this_process(channel, request["workers_begun_with"])
    process.started = door.started
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.argv = [request["program"], *request["arguments"]]
    exec(request["hook"], {})  # noqa: S102 - of a test
    return main if request["program"] == "tokaudit" else pytest.main


def end_at_once(code: int) -> NoReturn:
    """End without taking everything apart that was imported, of which a fork would copy each page."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def import_all() -> None:
    """Import all of ours and what plugs in, and remember what all commands work out alike."""
    import importlib
    import pkgutil

    from tokaudit.foundation.plugins.entry_points import entry_points

    homes = ("tokaudit_reference", "tokaudit", *(point.package for point in entry_points()))
    for home in dict.fromkeys(homes):
        package = importlib.import_module(home)
        for module in pkgutil.walk_packages(getattr(package, "__path__", ()), f"{home}."):
            if not module.name.endswith(".__main__") and not module.name.startswith(OF_TESTS):
                importlib.import_module(module.name)
    for module in OF_OTHERS:
        importlib.import_module(module)
    remember_what_is_alike()


def remember_what_is_alike() -> None:
    """Ask for what each command works out once, and no argument, file or folder changes."""
    from tokaudit.engine.check import all_checks, check_ids
    from tokaudit.engine.resolver import Needs, all_needs, parameters
    from tokaudit.engine.texts.probes import rows_of_scalars
    from tokaudit.products.compare.patterns.canonical import acceptor
    from tokaudit.products.compare.patterns.splits import BYTE_LEVEL
    from tokaudit.report.writer import all_writers
    from tokaudit.runtimes.registry import all_adapters
    from tokaudit.subject.formats import all_formats
    from tokaudit_reports.html import page_environment

    all_adapters(), all_formats(), all_writers(), check_ids(), Needs.installed()
    for function in (
        *(each.function for each in all_checks()),
        *(need.build for need in all_needs()),
    ):
        parameters(function)
    rows_of_scalars()
    acceptor((BYTE_LEVEL,))  # of most tokenizers of tests
    for template in page_environment().list_templates(["j2"]):
        page_environment().get_template(template)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    import worker_door  # noqa: F401

    sys.path.pop(0)
    import_all()
    gc.freeze()  # no fork is to copy what it never changes
    end_at_once(serve(socket.socket(fileno=int(sys.argv[1])))())
