"""Attacks audits: by libraries that write, by killed workers, by too little memory."""

from __future__ import annotations

import argparse
from pathlib import Path

from tokaudit_attacks.folders import attacked
from tokaudit_attacks.kills import killed
from tokaudit_attacks.starved import starved


def main() -> int:
    """Attack, and print how it ended; the exit code is 1 where something did not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "what", choices=("folders", "kills", "memory"), help="which attacks (required)"
    )
    parser.add_argument("subjects", nargs="*", type=Path, help="sound subjects")
    parser.add_argument("--count", type=int, default=200, help="how many (default: 200)")
    parser.add_argument("--seed", type=int, default=0, help="random seed (default: 0)")
    given = parser.parse_intermixed_args()
    if given.what == "folders":
        ends, left, verdict = attacked(given.count, given.seed)
        print(f"audits: {dict(ends)}; left over: {left}; a sound subject: {verdict}")
        return int(bool(left) or verdict != "pass")
    if given.what == "memory":
        ended = starved(given.subjects)
    else:
        ended = killed(given.subjects, given.count, given.seed)
    print(f"audits: {dict(ended)}")
    return int(bool(ended["fail"]) or not given.subjects)
