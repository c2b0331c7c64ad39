"""Fuzzes one target guided by coverage: atheris keeps each input that reaches new code.

    PYTHONPATH=tools python -m tokaudit_tools fuzz-guided --target "parse rwkv" --minutes 5

Inputs are drawn by the same strategies as without it, from the bytes that the fuzzer makes up, so
that a file is changed by its structure.  Needs the extra `fuzz` (`pip install 'tokaudit[fuzz]'`);
`make fuzz` does without.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path

import atheris
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

with atheris.instrument_imports(
    include=["tokaudit", "tokaudit_reference", "tokaudit_suites", "tokaudit_reports"]
):
    from tokaudit_fuzz.mutation import changed_files
    from tokaudit_fuzz.running import Tally, attempt, keep, where
    from tokaudit_fuzz.samples import built
    from tokaudit_fuzz.targets import TARGETS, Target

MOST_KEPT = 200  # inputs of a corpus, the shortest first
LONGEST = 8192  # bytes that one input is drawn from


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", choices=TARGETS, required=True)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--corpus", type=Path, default=Path(".venv/fuzz-corpus"))
    parser.add_argument("--keep", type=Path, default=Path("tests/tools/found"))
    return parser.parse_args(arguments)


def tries(target: Target, reported: Tally, kept: Path) -> Callable[[bytes], object]:
    """What takes the bytes of one input; an escape is kept and said, and does not end the run."""

    @settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(data=st.data())
    def tried(data: st.DataObject) -> None:
        files = data.draw(changed_files(built(data.draw(st.sampled_from(target.samples)))))
        try:
            attempt(target, files, reported)
        except Exception as error:
            name = where(error)
            if reported.escapes.setdefault(name, str(error)[:300]) == str(error)[:300]:
                path = keep(target.name, files, kept)
                sys.stderr.write(f"escape: {name}: {error}\n  kept in {path}\n")

    found: Callable[[bytes], object] = tried.hypothesis.fuzz_one_input  # type: ignore[attr-defined]
    return found


def prune(corpus: Path) -> None:
    """Leave only the shortest inputs, so that the corpus stays small."""
    found = sorted(corpus.iterdir(), key=lambda path: path.stat().st_size)
    for path in found[MOST_KEPT:]:
        path.unlink()


def main(arguments: list[str] | None = None) -> None:
    """Run until the time is up; libFuzzer prints what is covered, and ends the process."""
    options = parsed(arguments)
    target = TARGETS[options.target]
    corpus = options.corpus / target.name.replace(" ", "-").replace("/", "-")
    corpus.mkdir(parents=True, exist_ok=True)
    prune(corpus)
    options.keep.mkdir(parents=True, exist_ok=True)
    for sample in target.samples:
        built(sample)
    limits = [f"-max_total_time={options.minutes * 60:.0f}", f"-max_len={LONGEST}"]
    limits += [f"-seed={options.seed}", "-rss_limit_mb=3000", f"-timeout={3 * target.seconds:.0f}"]
    limits += ["-print_final_stats=1", f"-artifact_prefix={options.keep}{os.sep}"]
    reported = Tally(target.name)
    tried = tries(target, reported, options.keep)
    atheris.Setup([sys.argv[0], *limits, str(corpus)], tried)
    atheris.Fuzz()
