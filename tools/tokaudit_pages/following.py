"""Does what a page says, in a new folder with a new HOME, and compares what is printed."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from tokaudit.products.demo.showing import write_folder
from tokaudit_pages.blocks import Typed, Written, steps

ANY = "..."  # on a page: the rest of a line, or as a line any number of lines
# What differs from run to run and from machine to machine; everything else must be equal.
VARIABLE = (
    r"\b\d+(\.\d+)? s\b",  # seconds
    r"\b[0-9a-f]{64}\b",  # digests of what a new key made
    r"\b\d+\.\d+ x$",  # time relative to the yardstick's
    r"\b[\d,]+ texts in \d+ calls\b",  # depends on how many texts a file adds
)
_MARK = "\0"


def follow(page: Path, folder: Path, environment: Mapping[str, str]) -> Iterator[str]:
    """A line for each thing on the page that is not so; its commands are run verbatim."""
    write_folder(folder)
    last = Path()
    for step in steps(page.read_text(encoding="utf-8")):
        if isinstance(step, Written):
            last = _write(folder / step.name if step.name else last, step)
        else:
            yield from (f"{page.name}: {fault}" for fault in _run(step, folder, environment))


def new_home(home: Path, programs: Path) -> dict[str, str]:
    """The environment of somebody who has just arrived: a new HOME, and these programs first."""
    kept = {key: os.environ[key] for key in ("LANG", "LC_ALL", "TMPDIR") if key in os.environ}
    pip = {key: value for key, value in os.environ.items() if key.startswith("PIP_")}
    return {
        **kept,
        **pip,
        "HOME": str(home),
        "PATH": f"{programs}{os.pathsep}{os.defpath}{os.pathsep}/usr/local/bin",
        "COLUMNS": "80",
    }


def matches(shown: tuple[str, ...], printed: str) -> bool:
    """Whether the page shows what was printed, apart from what varies and what it leaves out.

    >>> matches(("a", "...", "it took 1.5 s"), "a\\nb\\nc\\nit took 0.2 s\\n")
    True
    >>> matches(("a",), "a\\nb\\n")
    False
    """
    wanted = "".join(f"{_fixed(line)}\n" for line in shown)
    pattern = re.escape(wanted).replace(re.escape(f"{ANY}\n"), "(.*\n)*?")
    pattern = pattern.replace(re.escape(ANY), ".*").replace("\\ ", " ")
    found = "".join(f"{_fixed(line)}\n" for line in printed.splitlines())
    return re.fullmatch(pattern, found) is not None


def _fixed(line: str) -> str:
    for pattern in VARIABLE:
        line = re.sub(pattern, _MARK, line)
    return line.rstrip()


def _write(path: Path, step: Written) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w" if step.name else "a", encoding="utf-8") as file:
        file.write(step.text if step.name else f"\n{step.text}")
    return path


def _run(step: Typed, folder: Path, environment: Mapping[str, str]) -> Iterator[str]:
    done = subprocess.run(
        ["bash", "-c", step.text],
        cwd=folder,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=600,
    )
    if done.returncode != step.code:
        yield f"$ {step.text}\nexit code {done.returncode}, expected {step.code}\n{done.stdout}"
    elif step.shown and not matches(step.shown, done.stdout):
        yield f"$ {step.text}\nthe page shows something else than:\n{done.stdout}"
