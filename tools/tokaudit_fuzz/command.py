"""Fuzzes every target for its share of the time, and prints a table of what happened."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tokaudit_fuzz.every_leaf import Settings, of_keys, of_material, of_samples, table
from tokaudit_fuzz.running import Tally, child, keep, read
from tokaudit_fuzz.targets import TARGETS, Target

FOUND = Path(__file__).parents[2] / "tests" / "tools" / "found"


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0, help="for all targets together")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of what is drawn")
    parser.add_argument("--target", action="append", choices=TARGETS, help="only this one")
    parser.add_argument("--keep", type=Path, default=FOUND, help="where what escapes is kept")
    parser.add_argument("--leaves", action="store_true", help="every leaf of settings files first")
    parser.add_argument("--material", type=Path, help="a folder of published tokenizers for it")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    """0 when nothing escaped, else 1."""
    options = parsed(arguments)
    options.keep.mkdir(parents=True, exist_ok=True)
    chosen = [TARGETS[name] for name in options.target or TARGETS]
    if options.child:
        child(chosen[0], options.minutes * 60, options.seed, options.keep)
        return 0
    missed = table(settings_files(options.material)) if options.leaves else 0
    share = options.minutes / sum(target.share for target in chosen)
    print(f"seed {options.seed}; {options.minutes:g} minutes")
    print(f"{'target':30} {'inputs':>7} {'taken':>7} {'escapes':>7} {'slowest':>9} {'memory':>8}")
    reported = [_reported(target, share * target.share, options) for target in chosen]
    escapes = sum(len(each.escapes) for each in reported)
    print(f"{sum(each.inputs for each in reported):,} inputs, {escapes} escapes")
    return 1 if escapes or missed else 0


def settings_files(material: Path | None) -> Iterator[Settings]:
    """Those of our samples and, where there is material, of published tokenizers."""
    yield from of_samples()
    yield from of_keys()
    if material is not None:
        yield from of_material(material)


def _reported(target: Target, minutes: float, options: argparse.Namespace) -> Tally:
    """Run a target in its own process; one that is killed has an escape too."""
    command = [sys.executable, "-m", "tokaudit_tools", "fuzz", "--child", "--target", target.name]
    command += ["--minutes", str(minutes), "--seed", str(options.seed), "--keep", str(options.keep)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        found = Tally(**json.loads(done.stdout.splitlines()[-1]))
    else:
        last = done.stderr.strip().splitlines()[-1:] or [""]
        found = Tally(target.name, escapes={f"ended with {done.returncode}": last[0][:300]})
        now = options.keep / ".now.json"
        if now.exists():
            keep(*read(now), options.keep)
            now.unlink()
    print(
        f"{found.target:30} {found.inputs:7,} {found.taken:7,} {len(found.escapes):7} "
        f"{found.slowest:7.1f} s {found.memory / 1e6:5.0f} MB",
        *(f"\n    {where}: {what!r}" for where, what in found.escapes.items()),
        flush=True,
    )
    return found
