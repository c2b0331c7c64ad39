"""Times the prover of split patterns: each published pattern against every other, and mutants.

    python benchmarks/patterns.py [--mutants 100]

The classes of characters are asked of the engine once for each atom of a pattern, which takes most
of the time; it is printed apart.  The rest is timed without any machine at hand, as for a new pair.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections import Counter
from pathlib import Path
from statistics import mean
from time import perf_counter

HOMES = ("", "helpers/samples", "helpers/judging", "helpers/processes")
sys.path[:0] = [str(Path(__file__).resolve().parents[1] / "tests" / home) for home in HOMES]

from split_mutants import mutants  # noqa: E402
from split_sources import published  # noqa: E402

from tokaudit.products.compare.patterns import classes, replay, splits  # noqa: E402
from tokaudit.products.compare.proofs.cuts.prove import compare  # noqa: E402


def main() -> None:
    """Prints the mean and the longest time of a pair."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutants", type=int, default=100)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", FutureWarning)
    known = published()
    pairs = [(one, other) for one in known.values() for other in known.values() if one != other]
    measure("published pairs", pairs)
    changed = mutants(known, arguments.mutants, seed=1)
    measure("mutants", [(left, right) for _, left, right in changed])


def measure(what: str, pairs: list[tuple[splits.PreTokenizer, splits.PreTokenizer]]) -> None:
    """Times each pair twice: the first time asks for classes that are not known yet."""
    tables, times, said = [], [], Counter[str]()
    for left, right in pairs:
        forget_machines()
        began = perf_counter()
        compare(left, right)
        first = perf_counter() - began
        forget_machines()
        began = perf_counter()
        said[type(compare(left, right)).__name__] += 1
        times.append(perf_counter() - began)
        tables.append(first - times[-1])
    print(f"{what}: {len(pairs)} pairs, {dict(said)}")
    print(f"  with class tables at hand: mean {mean(times):.3f} s, longest {max(times):.3f} s")
    print(f"  class tables: {sum(tables):.1f} s in all, mean {mean(tables):.3f} s a pair")


def forget_machines() -> None:
    """Leaves only what the engine was asked about atoms."""
    for cached in (replay.trusted, splits.machine, classes.partition):
        cached.cache_clear()


if __name__ == "__main__":
    main()
