"""Puts proofs of sameness to the upstream library, as a table.

Exit code 1 when a text refutes a proof.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from tokaudit_soundness.running import Tally, run
from tokaudit_soundness.table import written


def main(arguments: Sequence[str] | None = None) -> int:
    """0 when nothing is refuted, else 1."""
    options = parsed(arguments)
    share = options.seconds / len(options.seed)
    tallies = [run(seed, share, options.pairs) for seed in options.seed]
    print(f"seeds {', '.join(map(str, options.seed))}; {share:g} s of the processor each")
    print(written(tallies))
    return int(any(tally.refuted for tally in tallies) or not any(map(_proves, tallies)))


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="of the processor, for all")
    parser.add_argument("--seed", type=int, nargs="+", default=[1], help="of what is drawn")
    parser.add_argument("--pairs", type=int, help="pairs of a seed after which no more are drawn")
    return parser.parse_args(arguments)


def _proves(tally: Tally) -> bool:
    return tally.all_ids > 0
