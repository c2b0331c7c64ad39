"""Prints what is said of hostile files of ids, and the most memory of a run and its workers.

Each file is read in a separate process; with a word, only files whose name has it.
"""

from __future__ import annotations

import sys

from tokaudit_hostile_ids.files import HOSTILE, Hostile
from tokaudit_hostile_ids.trial import Trial, forking, in_a_process
from tokaudit_tools import tables

SHOWN = 100  # characters


def main() -> int:
    """Print a row for each file; 1 if one took too much, or nothing was said of it in one line."""
    word = "".join(sys.argv[1:2])
    print(tables.head("file", "said", "MB of the run", "MB of its worker"))
    bad = 0
    with forking() as forks:
        for hostile in (each for each in HOSTILE if word in each.name):
            found = in_a_process(hostile, forks)
            bad += not sound(hostile, found)
            print(row(hostile, found), flush=True)
    print(f"\n{bad} of {len(HOSTILE)} with more memory than they may have, or without a line")
    return 1 if bad else 0


def row(hostile: Hostile, found: Trial) -> str:
    """A file, the beginning of what is said of it, and the memory."""
    first = found.said[0][:SHOWN] if found.said else "nothing"
    return tables.row(hostile.name, first, f"{found.parent:.0f}", f"{found.workers:.0f}")


def sound(hostile: Hostile, found: Trial) -> bool:
    """Whether it stayed in its bounds and every line is one."""
    small = found.parent + found.workers < hostile.most
    return small and all("\n" not in line for line in found.said)
