"""Prints what the typical runs do, next to the record.

--write     put the counts of now into the record: of each, the most of three runs
"""

from __future__ import annotations

import argparse
from dataclasses import asdict

from tokaudit_work.counts import grown, most, recorded, write
from tokaudit_work.runs import RUNS, count


def main() -> int:
    """One line for each count of each run; exit code 1 where one has grown."""
    options = argparse.ArgumentParser(description=main.__doc__)
    options.add_argument("--write", action="store_true", help="record the counts of now")
    options.add_argument("runs", nargs="*", default=list(RUNS), help="default: all six")
    asked = options.parse_args()
    known = recorded()
    now = {run: most(count(run) for _ in range(3 if asked.write else 1)) for run in asked.runs}
    for run, counts in now.items():
        before = asdict(known[run]) if run in known else {}
        for name, value in asdict(counts).items():
            print(f"{run:<15}{name:<16}{value:>14,}{before.get(name, 0):>14,}")
    if asked.write:
        write({**known, **now})
        return 0
    more = [each for run in now for each in grown(run, known[run], now[run])]
    print("\n".join(f"grown: {each}" for each in more))
    return int(bool(more))
