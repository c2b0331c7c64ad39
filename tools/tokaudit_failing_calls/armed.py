"""Runs commands of tokaudit in children of one process, with faults armed in each.

    python armed.py

Each line of its input is one run, as `Order` writes it; its line of output is the exit code.  What
a command imports is imported before the child is made, so that start-up is neither counted nor
paid for at every place: a fault there is no fault of ours.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any


def carried_out(order: dict[str, Any], arm: Callable[[], object]) -> int:
    """Be the command, in the folder and environment of the order; its exit code."""
    from tokaudit.__main__ import main

    os.chdir(order["folder"])
    for descriptor, name in ((0, os.devnull), (1, order["out"]), (2, order["err"])):
        os.dup2(os.open(name, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600), descriptor)
    os.environ.update(order["settings"])
    sys.argv = ["tokaudit", *order["arguments"]]
    arm()
    return main()


def in_a_child(run: Callable[[], int]) -> int:
    """The exit code of a child that is what `run` does, and ends as a program does."""
    child = os.fork()
    if child == 0:
        sys.exit(run())
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def imported_by(order: dict[str, Any]) -> None:
    """Import what the command imports, which a child without faults has written down."""
    names = Path(order["folder"], "imported")

    def written() -> int:
        with suppress(SystemExit):
            carried_out(order, lambda: None)
        names.write_text("\n".join(sys.modules))
        return 0

    in_a_child(written)
    for name in names.read_text().split():
        with suppress(ImportError):
            importlib.import_module(name)
    names.unlink()
    gc.freeze()


def serve() -> None:
    """Carry out the orders of the input, one after the other."""
    os.environ.pop("LD_PRELOAD", None)  # for children
    arm, seen = ctypes.CDLL(None).fault_arm, set()
    for line in sys.stdin:
        order = json.loads(line)
        if order["arguments"][0] not in seen:
            seen.add(order["arguments"][0])
            imported_by(order)
        print(in_a_child(partial(carried_out, order, arm)), flush=True)


if __name__ == "__main__":
    serve()
