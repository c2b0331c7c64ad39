"""Command lines as strangers type them: each ends with a documented exit code and no traceback."""

from __future__ import annotations

import contextlib
import io
import json
import os
from pathlib import Path
from typing import Any

from tokaudit.cli import main
from tokaudit_fuzz.sample import Files, written
from tokaudit_fuzz.samples import built, checkpoint

CODES = (0, 1, 2, 3, 5)
SUBJECT = "subject"  # the folder with the checkpoint, as command lines name it
LINES = (
    ["audit", SUBJECT, "--select", "files,config", "--tier", "quick", "--jobs", "2"],
    ["audit", SUBJECT, "--select", "files", "--out", "r.json", "--format", "json", "--seed", "7"],
    ["audit", SUBJECT, "--select", "vocab", "--fail-on", "warning", "--timeout", "9", "--quiet"],
    ["audit", SUBJECT, "--select", "files", "--file", "merges.txt=pairs.txt", "--special", "a=1"],
    ["report", "r.json", "--format", "markdown"],
    ["report", "--diff", "r.json", "r.json"],
    ["checks", "vocab/holes"],
    ["gate", "--config", "gate.toml", "--update-baseline", "--out", "reports/"],
    ["verify", SUBJECT, "m.json", "--exact", "--fact", "padding_side=left"],
    ["id", SUBJECT, "--check", "id1-u7613a643-00"],
    ["train", "corpus.txt", "--out", "made", "--model", "bpe", "--vocab-size", "300"],
    ["--version"],
)


class BadEnd(Exception):
    """A command line that ended in a way that no page documents."""


def sample() -> Files:
    """Every command line, and the checkpoint that they name."""
    return {"lines.json": written([list(line) for line in LINES])}


def run(folder: Path) -> bool:
    """Run each command line of a file in a folder of its own; one that is none is left out."""
    try:
        lines = json.loads((folder / "lines.json").read_bytes())
    except ValueError:
        return False
    work = folder / "work"
    (work / SUBJECT).mkdir(parents=True)
    for name, data in built(checkpoint).items():
        (work / SUBJECT / name).write_bytes(data)
    before = Path.cwd()
    os.chdir(work)
    try:
        found = [_end(line) for line in changed(lines)]
    finally:
        os.chdir(before)
    return bool(found)


def changed(lines: Any) -> list[list[str]]:
    """The lines that are not as they were in the sample, as a shell could give them."""
    if not isinstance(lines, list):
        return []
    typed = [_typed(line) for line in lines if isinstance(line, list)]
    return [line for line in typed if line and line not in map(list, LINES) and _harmless(line)]


def _typed(line: list[Any]) -> list[str]:
    texts = (one if isinstance(one, str) else json.dumps(one) for one in line)
    return [text.replace("\0", "").encode("utf-8", "replace").decode() for text in texts]


def _harmless(line: list[str]) -> bool:
    """Whether nothing outside of the folder is named, and no code is."""
    return not any("/" in one[:1] or ".." in one or one[:4] in ("cmd:", "call") for one in line)


def _end(line: list[str]) -> int:
    """Run one command line; raises `BadEnd` for another exit code, or for a traceback."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(line)
        except SystemExit as end:  # as argparse ends
            code = end.code if isinstance(end.code, int) else 0
    if code not in CODES or "Traceback" in err.getvalue():
        raise BadEnd(f"{line} ended with {code}: {err.getvalue()[-200:]}")
    return code
