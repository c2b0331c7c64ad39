"""`make faults`: each command with each call failing, as a table; 1 where trouble is left."""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from tokaudit_faults.commands import COMMANDS, prepare
from tokaudit_faults.running import ERRNOS, Run, built, run, workplace

FIRST, LATER, SEEDED = 100, 50, 100
OF_MANY = ("malloc", "read")  # calls of which there are too many to try the first ones


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(prog="make faults", description=__doc__)
    parser.add_argument("--command", action="append", choices=COMMANDS, help="only this one")
    parser.add_argument("--call", action="append", choices=ERRNOS, help="only this one")
    parser.add_argument("--first", type=int, default=FIRST, help="of open, write, rename ...")
    parser.add_argument("--later", type=int, default=LATER, help="seeded places after those")
    parser.add_argument("--seeded", type=int, default=SEEDED, help="places of malloc and read")
    parser.add_argument("--seed", type=int, default=0)
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


def table(library: Path, work: Path, options: argparse.Namespace) -> Iterator[Run]:
    """Run everything and print a line for each command and call."""
    print(f"{'command':9} {'call':7} {'calls':>9} {'places':>6} {'troubles':>8}  exit codes")
    for command in options.command or COMMANDS:
        for call in options.call or ERRNOS:
            calls = run(library, work, command, call, 0, start=options.start).calls
            runs = [
                run(library, work, command, call, at, start=options.start)
                for at in places(call, calls, options)
            ]
            print(f"{command:9} {call:7} {row(runs, calls)}", flush=True)
            for each in runs:
                if each.trouble:
                    print(f"    {call} {each.at}: {each.trouble}", flush=True)
            yield from runs


def main(arguments: list[str] | None = None) -> int:
    """0 where everything holds."""
    options = parsed(arguments)
    with workplace() as place:
        library, work = built(Path(place)), Path(place) / "work"
        prepare(work, options.subject)
        runs = list(table(library, work, options))
    bad = [each for each in runs if each.trouble]
    print(f"{len(runs):,} runs, {len(bad):,} with trouble")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
