"""A thread that cannot begin is an error of who starts it, and no wait without an end."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import threading
from concurrent.futures import ThreadPoolExecutor
from tokaudit.foundation import thread_starts
thread_starts.PATIENCE = 0.1
thread_starts.bound_starts()
if {dies}:
    def dies(thread):
        raise MemoryError
    threading.Thread._bootstrap = dies
with ThreadPoolExecutor(2) as pool:
    print(pool.submit(pow, 2, 5).result())
"""


def ended(*, dies: bool) -> tuple[int, str, list[str]]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(dies=dies)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    said = [line for line in done.stderr.splitlines() if not line.startswith("  ")]
    return done.returncode, done.stdout, said


def test_threads_that_begin_do_their_work(processes: None) -> None:
    assert ended(dies=False) == (0, "32\n", [])


def test_a_thread_that_dies_before_its_first_line_is_an_error_of_who_starts_it(
    processes: None,
) -> None:
    said = ["Traceback (most recent call last):", "RuntimeError: can't start new thread"]
    assert ended(dies=True) == (1, "", said)
