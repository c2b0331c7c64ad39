"""Times comparisons of published tokenizers, by the code of now and of a commit, in turn.

    python benchmarks/compare.py [LEFT RIGHT] [--material DIR] [--runs 3] [--before COMMIT]
                                 [--tier quick]

Each comparison is a fresh `tokaudit compare` process, and rounds go through all pairs and both
commits in turn, so that a slow minute of the machine meets all alike.  Printed are, by pair, the
median of the processor time of now, that of all its workers included, the median of the ratio to
before with its least and most, how many texts both ran, and the facets that are not decided alike.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from audit import DONE, TOKAUDIT, Environment, code_of

BEFORE = "f5104270"

OF_MATERIAL = (
    ("gpt2", "roberta-base"),
    ("gpt2", "phi-2"),
    ("gpt2", "gguf-gpt2"),
    ("gpt2", "cl100k_base"),
    ("phi-2", "mpt"),
    ("mistral-7b-v0.1", "phi-3-mini"),
    ("bert-base-uncased", "t5-small"),
    ("whisper-large-v3", "gpt2"),
)
Pair = tuple[str, str]


@dataclass(frozen=True)
class Run:
    """What one comparison took and found."""

    seconds: float  # of processors, of all processes
    texts: int
    facets: dict[str, str]


def main() -> None:
    """Run all rounds and print a line for each pair."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("subjects", nargs="*", default=[], metavar="LEFT RIGHT")
    parser.add_argument("--material", type=Path, help="a folder with tokenizers/ of published ones")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--before", metavar="COMMIT", default=BEFORE, help="default: %(default)s")
    parser.add_argument("--tier", default="quick")
    options = parser.parse_args()
    pairs = list(zip(options.subjects[::2], options.subjects[1::2], strict=True))
    if options.material:
        folder = options.material / "tokenizers"
        pairs += [(str(folder / left), str(folder / right)) for left, right in OF_MATERIAL]
    if not pairs:
        parser.error("name two tokenizers, or --material DIR")
    now: dict[Pair, list[Run]] = {pair: [] for pair in pairs}
    before: dict[Pair, list[Run]] = {pair: [] for pair in pairs}
    with ExitStack() as stack:
        place = Path(stack.enter_context(TemporaryDirectory()))
        old = stack.enter_context(code_of(options.before))
        for _ in range(options.runs):
            for pair in pairs:
                now[pair].append(compared(pair, options.tier, place))
                before[pair].append(compared(pair, options.tier, place, old))
    print("\n".join(table(now, before)))


def compared(pair: Pair, tier: str, place: Path, environment: Environment = os.environ) -> Run:
    """One comparison in its own process."""
    out = place / "report.json"
    command = [*TOKAUDIT, "compare", *pair, "--tier", tier, "--quiet", "--out", str(out)]
    begin = _seconds()
    code = subprocess.run(command, stdout=subprocess.DEVNULL, env=environment).returncode
    if code not in DONE:
        raise SystemExit(f"{' '.join(command)} ended with {code}")
    found = json.loads(out.read_text("utf-8"))["comparison"]
    facets = {facet["name"]: facet["outcome"] for facet in found["facets"]}
    return Run(_seconds() - begin, found["texts"], facets)


def table(now: dict[Pair, list[Run]], before: dict[Pair, list[Run]]) -> Iterator[str]:
    """One line for each pair, and the median of all ratios."""
    yield f"{'pair':<40}{'seconds':>9}{'texts':>20}  now over before, and what else is found"
    middles = []
    for pair, runs in now.items():
        old = before[pair]
        ratios = sorted(a.seconds / b.seconds for a, b in zip(runs, old, strict=True))
        middles.append(median(ratios))
        name = " and ".join(each.rpartition("/")[2].removeprefix("pkg:") for each in pair)
        texts = f"{old[0].texts:,} to {runs[0].texts:,}"
        spread = f"{middles[-1]:.2f} [{ratios[0]:.2f} to {ratios[-1]:.2f}]"
        seconds = median(run.seconds for run in runs)
        changed = ", ".join(_changed(old[0].facets, runs[0].facets)) or "the same"
        yield f"{name[:39]:<40}{seconds:>9.1f}{texts:>20}  {spread}, {changed}"
    yield f"median of the ratios: {median(middles):.2f}"


def _changed(old: dict[str, str], new: dict[str, str]) -> Iterator[str]:
    for name in old.keys() | new.keys():
        if old.get(name) != new.get(name):
            yield f"{name}: {old.get(name)} to {new.get(name)}"


def _seconds() -> float:
    """The processor time of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
