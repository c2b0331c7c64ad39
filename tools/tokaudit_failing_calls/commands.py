"""The commands that are run with faults, over a subject that is small or the one that is named."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import tokaudit_suites

CODES = (0, 1, 2, 3, 5)
CONFIGURATION = 'subjects = ["subject"]\ntier = "quick"\nselect = ["files", "vocab"]\n'
COMMANDS: Mapping[str, tuple[str, ...]] = {
    "audit": ("audit", "subject", "--tier", "quick", "--quiet", "--out", "out/r.json"),
    "compare": ("compare", "subject", "other", "--tier", "quick", "--quiet", "--out", "out/c.json"),
    "manifest": ("manifest", "subject", "--quiet", "--out", "out/m.json"),
    "verify": ("verify", "subject", "manifest.json", "--quiet"),
    "gate": ("gate", "--config", "gate.toml", "--quiet", "--out", "out/g.json"),
    "train": (
        *("train", "corpus.txt", "--out", "out/made", "--model", "bpe"),
        *("--vocab-size", "300", "--jobs", "1", "--quiet"),
    ),
    "report": ("report", "report.json", "--out", "out/r.html"),
}


def prepare(work: Path, subject: Path | None) -> None:
    """Write what the commands read: two subjects, a manifest, a report and a corpus."""
    small = Path(tokaudit_suites.__path__[0]) / "throughput" / "yardstick.json"
    for name in ("subject", "other"):
        if subject is not None and subject.is_dir():
            shutil.copytree(subject, work / name)
        else:
            (work / name).mkdir(parents=True)
            shutil.copy(subject or small, work / name / "tokenizer.json")
    stated = work / "other" / "tokenizer.json"
    if stated.exists():  # the same but for how it is written
        stated.write_text(json.dumps(json.loads(stated.read_text()), indent=1))
    (work / "corpus.txt").write_text("low lower lowest newer newest wide wider\n" * 50)
    (work / "gate.toml").write_text(CONFIGURATION)
    run = [sys.executable, "-m", "tokaudit"]
    quick = ["--tier", "quick", "--quiet", "--out", "report.json"]
    for command in (
        ["manifest", "subject", "--out", "manifest.json"],
        ["audit", "subject", *quick],
    ):
        subprocess.run([*run, *command], cwd=work, check=False, capture_output=True)
