"""The six typical runs, each in a process of its own."""

from __future__ import annotations

import compileall
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory

import check_catalogue
import tokaudit
import tokaudit_reference
import tokaudit_reports
import tokaudit_suites
from tokaudit.subject.upstream.tokenizer_class import AS_STATED
from tokaudit_folders.chat_folders import FAMILIES
from tokaudit_folders.chat_folders import write as write_chat
from tokaudit_folders.folder import Folder
from tokaudit_work.counts import Counts

SUBJECT = "of 8,192"
END = "<|endoftext|>"
GATED = ("one", "two", "three")
RUNS = {
    "quick audit": ("audit", SUBJECT, "--tier", "quick"),
    "audit": ("audit", SUBJECT),
    "compare": ("compare", "chatty", "changed"),
    "manifest": ("manifest", SUBJECT, "--out", "manifest.json"),
    "gate of three": ("gate",),
    "chat": ("chat", "chatty"),
}
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
PACKAGES = (tokaudit, tokaudit_reference, tokaudit_suites, tokaudit_reports)
COUNTED = ("-m", "tokaudit_work.counted")
DONE = (0, 1, 3)  # passed, findings, unverifiable


def count(run: str, program: Sequence[str] = COUNTED) -> Counts:
    """What a run does now, counted by that program of Python's.

    The packages are compiled first and their checks listed, as installing them would: what is read
    and imported would else depend on who ran or changed what before.  Raises `RuntimeError` where
    it did not end as a run does.
    """
    check_catalogue.write()
    for package in PACKAGES:
        compileall.compile_dir(package.__path__[0], quiet=1)
    with TemporaryDirectory() as place:
        _prepare(Path(place))
        command = [sys.executable, *program, "counts.json", *RUNS[run]]
        ended = subprocess.run(command, cwd=place, env=ENVIRONMENT, capture_output=True, text=True)
        written = Path(place, "counts.json")
        if ended.returncode not in DONE or not written.exists():
            raise RuntimeError(f"{run} ended with {ended.returncode}: {ended.stderr}")
        return Counts(**json.loads(written.read_bytes()))


def _subject() -> Folder:
    """The tokenizer of the suite `throughput`, with an end of text: a larger one tells no more."""
    file = resources.files(tokaudit_suites).joinpath("throughput", "yardstick.json")
    folder = Folder(json.loads(file.read_bytes())).added(END)
    return folder.tokenizer_config(tokenizer_class=AS_STATED, eos_token=END)


def _prepare(place: Path) -> None:
    """A tokenizer, three copies with a gate, a chat checkpoint, and that without a merge."""
    for name in (SUBJECT, *GATED):
        _subject().write(place / name)
    listed = "".join(f'[[subjects]]\npath = "{name}"\n' for name in GATED)
    (place / "tokaudit.toml").write_text(f'tier = "quick"\n{listed}', "utf-8")
    for name in ("chatty", "changed"):
        write_chat(place / name, FAMILIES["ChatML"])
    file = place / "changed" / "tokenizer.json"
    data = json.loads(file.read_bytes())
    data["model"]["merges"].pop()
    file.write_text(json.dumps(data), "utf-8")
