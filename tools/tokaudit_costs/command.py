"""Prints the peak of the process that audits by format, field and bytes, under one budget."""

from __future__ import annotations

import argparse
import random
from itertools import islice

from tokaudit_costs.grown import of_each_format
from tokaudit_costs.measuring import audited

PART = 1.1  # of the budget, that a process may reach
MEGABYTE = 1_000_000
BARE = 60  # MB of Python and of what is imported, which do not count


def main() -> int:
    """Print the table; returns 1 where a peak is above the budget."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bytes", type=int, nargs="*", default=[1_000_000, 30_000_000])
    parser.add_argument("--memory", type=int, default=600, help="megabytes")
    parser.add_argument("--fields", type=int, default=None, help="only so many, drawn by --seed")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    fields = list(of_each_format())
    if asked.fields is not None:
        random.Random(asked.seed).shuffle(fields)
    above = 0
    print("| format | field | bytes | peak, MB | exit code |\n|---|---|---:|---:|---:|")
    for growth in islice(fields, asked.fields):
        for size in asked.bytes:
            cost = audited(growth.of(size), asked.memory)
            peak = cost.peak / MEGABYTE
            above += peak > asked.memory * PART + BARE
            row = (growth.format, f"`{growth.field}`", f"{cost.bytes:,}", f"{peak:,.0f}")
            print("|", " | ".join((*row, str(cost.exit_code))), "|", flush=True)
    print(f"\nabove {asked.memory} MB: {above}")
    return int(above > 0)
