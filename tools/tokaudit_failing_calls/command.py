"""Runs each command with each call of the system failing, as a table; 1 where trouble is left.

What is counted from the interpreter's start is shown and not judged: Python ends there in ways of
its own, before any line of ours runs.
"""

from __future__ import annotations

import argparse
import os
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import product
from pathlib import Path

from tokaudit_failing_calls.commands import COMMANDS
from tokaudit_failing_calls.running import ERRNOS, Places, Run, built, workplace

FIRST, LATER, SEEDED = 100, 50, 100
OF_MANY = ("malloc", "read")  # calls of which there are too many to try the first ones


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--command", action="append", choices=COMMANDS, help="only this one")
    parser.add_argument("--call", action="append", choices=ERRNOS, help="only this one")
    parser.add_argument("--first", type=int, default=FIRST, help="of open, write, rename ...")
    parser.add_argument("--later", type=int, default=LATER, help="seeded places after those")
    parser.add_argument("--seeded", type=int, default=SEEDED, help="places of malloc and read")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="runs in parallel")
    parser.add_argument("--start", action="store_true", help="count from the interpreter's start")
    parser.add_argument("--subject", type=Path, help="a folder or tokenizer.json (default: small)")
    return parser.parse_args(arguments)


def places(call: str, calls: int, options: argparse.Namespace) -> list[int]:
    """At which times a call fails, of so many in a run without faults.

    >>> from types import SimpleNamespace as Given
    >>> places("fork", 3, Given(first=100, later=50, seeded=100, seed=0))
    [1, 2, 3]
    """
    drawn = random.Random(f"{options.seed} {call} {calls}")
    if call in OF_MANY:
        return sorted(drawn.sample(range(1, calls + 1), min(options.seeded, calls)))
    later = range(options.first + 1, calls + 1)
    first = range(1, min(options.first, calls) + 1)
    return [*first, *sorted(drawn.sample(later, min(options.later, len(later))))]


def row(runs: Sequence[Run], calls: int) -> str:
    """The line of the table for one command and one call."""
    codes = Counter(each.code for each in runs)
    said = " ".join(f"{code}: {codes[code]}" for code in sorted(codes))
    bad = sum(bool(each.trouble) for each in runs)
    return f"{calls:>9,} {len(runs):>6} {bad:>8}  {said}"


def table(ready: Places, options: argparse.Namespace) -> Iterator[Run]:
    """Run everything and print a line for each command and call."""
    print(f"{'command':9} {'call':7} {'calls':>9} {'places':>6} {'troubles':>8}  exit codes")
    rows = list(product(options.command or COMMANDS, options.call or ERRNOS))
    with ThreadPoolExecutor(options.jobs) as pool:
        whole = [pool.submit(ready.run, command, call, 0) for command, call in rows]
        calls = [each.result().calls for each in whole]
        started = [
            [pool.submit(ready.run, command, call, at) for at in places(call, count, options)]
            for (command, call), count in zip(rows, calls, strict=True)
        ]
        for (command, call), count, futures in zip(rows, calls, started, strict=True):
            runs = [each.result() for each in futures]
            print(f"{command:9} {call:7} {row(runs, count)}", flush=True)
            for each in runs:
                if each.trouble:
                    print(f"    {call} {each.at}: {each.trouble}", flush=True)
            yield from runs


def main(arguments: list[str] | None = None) -> int:
    """0 where everything holds."""
    options = parsed(arguments)
    with workplace() as place:
        library = built(Path(place))
        ready = Places(library, Path(place), options.jobs, options.subject, start=options.start)
        with closing(ready):
            runs = list(table(ready, options))
    bad = [each for each in runs if each.trouble]
    print(f"{len(runs):,} runs, {len(bad):,} with trouble")
    return 1 if bad and not options.start else 0
