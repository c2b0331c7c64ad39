"""How the cost of audit, compare, manifest and encoding grows with what they are given.

    python benchmarks/growth.py [audit-bpe ...] [--rounds 3] [--points 6] [--before COMMIT]

Each line is a command and what is made larger: the entries of a BPE, a Unigram or a WordPiece
tokenizer, a text, the added tokens, the tokenizers in one repository.  All are made by a seed, so
nothing has to be had.  Printed are the processor seconds of all processes at each size, the median
of the rounds, and the exponent of the growth: 1 is linear.  What every run takes, such as starting
Python, is fitted with it and says nothing about growth.  In brackets are the least and the most
exponent of the rounds.  The lines `python-...` are what Python takes to read a table of so many
entries and to sort it, without tokaudit: more for each entry the more there are.

With `--before` the code of that commit runs too, in turn with that of now, and has a line of its
own.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean, median
from tempfile import TemporaryDirectory

from audit import Environment, code_of
from growth_subjects import FAMILIES, words, write

TOKAUDIT = (sys.executable, "-m", "tokaudit")
QUICK = ("--tier", "quick")
DONE = (0, 1, 3)  # passed, findings, unverifiable
ENTRIES = (512, 8_192, 16_384, 32_768, 65_536, 131_072, 262_144)
ADDED = (1, 10, 40, 160, 640, 2_500, 10_000)
TOKENIZERS = (1, 2, 4, 8, 14, 20)
CHARACTERS = (1_000, 100_000, 300_000, 1_000_000, 3_000_000)
SMALL = 8_192  # entries where something else grows
POWERS = [hundredth / 100 for hundredth in range(30, 251)]
ENCODE = """
import sys
from pathlib import Path
from encoders import reference
reference(Path(sys.argv[1]), "tokenizer.json")(Path(sys.argv[2]).read_text("utf-8"))
"""
TABLE = """
import json, sys
from pathlib import Path
vocab = json.loads(Path(sys.argv[1], "tokenizer.json").read_bytes())["model"]["vocab"]
sorted({id: token.encode() for token, id in vocab.items()}.items())
"""
Command = Sequence[str | Path]
Made = Callable[[Path, int], Command]
Taken = dict[int, float]  # size -> seconds


@dataclass(frozen=True)
class Growing:
    """What is made larger: its sizes, and the run for one size."""

    sizes: tuple[int, ...]
    made: Made


def main() -> None:
    """Print one line for each command and what grows."""
    lines = dict(growths())
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lines", nargs="*", default=list(lines), help=", ".join(lines))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--points", type=int, help="only the first so many sizes")
    parser.add_argument("--before", metavar="COMMIT", help="run the code of that commit too")
    options = parser.parse_args()
    with code_of(options.before) if options.before else nullcontext() as old:
        codes = {"": os.environ} | ({", before": old} if old else {})
        for name in options.lines:
            growing = lines[name]
            sizes = growing.sizes[: options.points]
            found = measured(growing, sizes, codes, options.rounds)
            for code, rounds in found.items():
                print(line(f"{name}{code}", sizes, rounds), flush=True)


def measured(
    growing: Growing, sizes: Sequence[int], codes: Mapping[str, Environment], rounds: int
) -> dict[str, list[Taken]]:
    """The seconds of each size in each round, by each code in turn."""
    found: dict[str, list[Taken]] = {code: [] for code in codes}
    with TemporaryDirectory() as place:
        runs = {size: growing.made(Path(place, str(size)), size) for size in sizes}
        for _ in range(rounds):
            taken: dict[str, Taken] = {code: {} for code in codes}
            for size, run in runs.items():
                for code, environment in codes.items():
                    taken[code][size] = seconds(run, environment)
            for code, each in taken.items():
                found[code].append(each)
    return found


def line(name: str, sizes: Sequence[int], rounds: list[Taken]) -> str:
    """The seconds at each size, and the exponent with its spread."""
    exponents = sorted(map(exponent, rounds))
    spread = f"{median(exponents):.2f} ({exponents[0]:.2f} to {exponents[-1]:.2f})"
    shown = "  ".join(f"{size:,}: {median(each[size] for each in rounds):.2f}" for size in sizes)
    return f"{name:<26}{spread:<24}{shown}"


def exponent(taken: Taken) -> float:
    """The power of the size with which the seconds grow, next to what every run takes.

    Of `a + b * size ** power` the power that fits best: what every run takes is not known, and to
    take too much of it off would make small runs nothing, and growth steep.

    >>> exponent({1: 1.6, 2: 2.2, 4: 3.4, 8: 5.8}), exponent({1: 2.0, 2: 5.0, 4: 17.0, 8: 65.0})
    (1.0, 2.0)
    """
    return min(POWERS, key=lambda power: error(power, taken))


def error(power: float, taken: Taken) -> float:
    """The sum of squares that the best `a + b * size ** power` leaves, relative to the seconds."""
    grown, seconds = [size**power for size in taken], list(taken.values())
    weights = [1 / each**2 for each in seconds]
    mean = partial(fmean, weights=weights)
    middle, usual = mean(grown), mean(seconds)
    spread = mean([(each - middle) ** 2 for each in grown])
    slope = mean([(x - middle) * (y - usual) for x, y in zip(grown, seconds, strict=True)]) / spread
    fixed = usual - slope * middle
    if fixed < 0:  # no run takes less than nothing
        of_square = mean([each**2 for each in grown])
        slope = mean([x * y for x, y in zip(grown, seconds, strict=True)]) / of_square
        fixed = 0.0
    return mean([(y - fixed - slope * x) ** 2 for x, y in zip(grown, seconds, strict=True)])


def seconds(command: Command, environment: Environment) -> float:
    """The processor seconds of one run and of all that it started."""
    before = os.times()
    code = subprocess.run(
        command,
        cwd=Path(__file__).parent,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ).returncode
    if code not in DONE:
        raise SystemExit(f"{' '.join(map(str, command))} ended with {code}")
    after = os.times()
    return (
        after.children_user + after.children_system - before.children_user - before.children_system
    )


def growths() -> Iterator[tuple[str, Growing]]:
    """Every command with what can be made larger of it."""
    for family in FAMILIES:
        for command in ("audit", "compare", "manifest"):
            yield f"{command}-{family}", Growing(ENTRIES, of_entries(command, family))
    yield "audit-added", Growing(ADDED, of_added)
    yield "audit-repository", Growing(TOKENIZERS, of_tokenizers)
    for family in FAMILIES:
        yield f"encode-{family}", Growing(CHARACTERS, of_characters(family))
    for family in ("bpe", "wordpiece"):
        yield f"python-{family}", Growing(ENTRIES, of_table(family))


def of_entries(command: str, family: str) -> Made:
    """A command over a tokenizer of so many entries; compared is a copy that has one more."""

    def made(place: Path, entries: int) -> Command:
        write(place / "one", family, entries)
        if command == "compare":
            write(place / "more", family, entries, added=1)
            return (*TOKAUDIT, command, place / "one", place / "more", *QUICK)
        tier = QUICK if command == "audit" else ()
        return (*TOKAUDIT, command, place / "one", *tier)

    return made


def of_table(family: str) -> Made:
    """Python alone, which parses a tokenizer, turns its table around and sorts it."""

    def made(place: Path, entries: int) -> Command:
        write(place, family, entries)
        return (sys.executable, "-c", TABLE, place)

    return made


def of_added(place: Path, added: int) -> Command:
    """An audit of a small tokenizer with so many added tokens."""
    write(place, "bpe", SMALL, added)
    return (*TOKAUDIT, "audit", place, *QUICK)


def of_tokenizers(place: Path, tokenizers: int) -> Command:
    """An audit of a repository of so many small tokenizers, no two alike."""
    for number in range(tokenizers):
        write(place / f"part_{number}", "bpe", SMALL + number)
    return (*TOKAUDIT, "audit", place, *QUICK)


def of_characters(family: str) -> Made:
    """The reference on one text of so many characters."""

    def made(place: Path, characters: int) -> Command:
        write(place, family, SMALL)
        text, taken = [], 0
        for word in words():
            text.append(word)
            taken += len(word) + 1
            if taken > characters:
                break
        (place / "text.txt").write_text(" ".join(text), "utf-8")
        return (sys.executable, "-c", ENCODE, place, place / "text.txt")

    return made


if __name__ == "__main__":
    main()
