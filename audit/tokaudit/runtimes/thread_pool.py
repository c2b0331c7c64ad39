"""Distribute texts over threads that start at once, like requests to a server."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

MOST_THREADS = 16  # whatever is asked
_Result = TypeVar("_Result")


def in_threads(texts: Sequence[str], threads: int, call: Callable[[str], _Result]) -> list[_Result]:
    """Return each text's result; thread `n` gets the texts at `n` modulo `threads`.

    >>> in_threads(["a", "b", "c"], 2, str.upper)
    ['A', 'B', 'C']
    """
    count = max(1, min(threads, MOST_THREADS, len(texts)))
    begin = threading.Barrier(count)

    def share(number: int) -> list[_Result]:
        begin.wait()
        return [call(text) for text in texts[number::count]]

    with ThreadPoolExecutor(count) as pool:
        shares = list(pool.map(share, range(count)))
    return [shares[place % count][place // count] for place in range(len(texts))]
