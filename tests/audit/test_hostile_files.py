"""Every hostile file ends in its verdict or its refusal, in bounded time and memory.

`make test` asks some of each kind, `make published` all of them.
"""

from __future__ import annotations

import ast
import base64
import importlib.util
import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from locations import find_material

import tokaudit_suites.throughput

_spec = importlib.util.spec_from_file_location(
    "hostile_table", Path(__file__).with_name("hostile_table.py")
)
assert _spec and _spec.loader
_module = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_module)
EXPECTED: dict[str, tuple[int, str]] = _module.EXPECTED

HEALTHY = Path(tokaudit_suites.throughput.__path__[0]) / "yardstick.json"
MOST_PROCESSOR = 60.0  # seconds of all processes of one audit together
MOST_MEMORY = 1_500_000_000  # bytes of each process at its peak
FOLDERS = ("hostile", "hostile2")
NOT_SUBJECTS = ("README.md", "index.md")
ALWAYS = (
    "f_deep.safetensors",
    "g_kcz.gguf",
    "hang_nest2x12_pre_tokenizer",
    "j_x_pow.jinja",
    "s_hugelen.model",
    "t_merge_prefix_longer.json",
    "t_nest_norm_40.json",
    "tiktoken_panic_3",
)
"""What the normal test run asks too; each takes a second or two."""


def files() -> list[Path]:
    folder = find_material()
    found = [file for name in FOLDERS if folder for file in (folder / name).iterdir()]
    return sorted((file for file in found if is_subject(file)), key=lambda file: file.name)


def is_subject(file: Path) -> bool:
    """Whether it is to be audited; manifests are what `tokaudit verify` is tried on."""
    return file.is_dir() or (file.name not in NOT_SUBJECTS and "manifest" not in file.name)


@dataclass(frozen=True)
class Ended:
    """How a command ended, and what it and all its processes took."""

    code: int
    errors: str
    processor: float  # seconds
    memory: int  # bytes of the process that had most


STARTER = """
import json, os, subprocess, sys
with open(sys.argv[1], "wb") as stderr:
    process = subprocess.Popen(sys.argv[2:], stdout=stderr, stderr=stderr)
_, status, used = os.wait4(process.pid, 0)
times = used.ru_utime + used.ru_stime
print(json.dumps([os.waitstatus_to_exitcode(status), times, used.ru_maxrss]))
"""
"""The kernel counts the memory of who starts a process as the process's own, so a small one does."""


def ended(arguments: list[str], errors: Path) -> Ended:
    """Run the command; its processor time holds that of the workers, which it waits for."""
    program = str(Path(sys.executable).with_name("tokaudit"))
    measured = subprocess.run(
        [sys.executable, "-S", "-c", STARTER, errors, program, *arguments],
        stdout=subprocess.PIPE,
        check=True,
    )
    code, processor, memory = json.loads(measured.stdout)
    kilobyte = 1 if sys.platform == "darwin" else 1024
    return Ended(code, errors.read_text(), processor, memory * kilobyte)


def placed(file: Path, folder: Path) -> list[str]:
    """Put a hostile file where it does its harm; returns what names it on the command line."""
    kind = file.name.partition("_")[0]
    if file.is_dir():
        return [str(file)]
    if kind == "tiktoken":
        pattern, ranks, special = ast.literal_eval(file.read_text().splitlines()[-1])
        lines = (f"{base64.b64encode(t).decode()} {r}\n" for t, r in ranks.items())
        (folder / "ranks.tiktoken").write_text("".join(lines))
        named = [f"{token}={id}" for token, id in special.items()]
        specials = [part for name in named for part in ("--special", name)]
        return [str(folder), f"--pattern={pattern}", *specials]
    if kind == "tokenizers":
        text = ast.literal_eval(file.read_text(errors="surrogateescape").splitlines()[-1])
        (folder / "tokenizer.json").write_text(text)
    elif kind == "t":
        shutil.copy(file, folder / "tokenizer.json")
    elif kind in ("f", "j"):
        shutil.copy(HEALTHY, folder / "tokenizer.json")
        name = "model.safetensors" if kind == "f" else "chat_template.jinja"
        shutil.copy(file, folder / name)
    else:
        shutil.copy(file, folder / file.name)
    return [str(folder)]


def marked(file: Path) -> object:
    marks = () if file.name in ALWAYS else (pytest.mark.published,)
    return pytest.param(file, id=file.name, marks=marks)


@pytest.mark.parametrize("file", [marked(file) for file in files()])
def test_a_hostile_file_ends_as_the_table_says(tmp_path: Path, file: Path, processes: None) -> None:
    code, says = EXPECTED[file.name]
    out, folder = tmp_path / "report.json", tmp_path / "subject"
    folder.mkdir()
    arguments = ["audit", *placed(file, folder), "--tier=quick", "--quiet", f"--out={out}"]
    found = ended(arguments, tmp_path / "errors")
    assert (found.code, "Traceback" in found.errors) == (code, False), found.errors
    assert found.processor < MOST_PROCESSOR
    assert found.memory < MOST_MEMORY
    if not out.exists():
        assert code in (2, 3) and says in found.errors and len(found.errors.splitlines()) == 1
        return
    report = json.loads(out.read_text())
    blamed = {
        result["check"]
        for result in report["results"]
        if any(finding["severity"] == "error" for finding in result["findings"])
    }
    if code == 1:
        assert says in blamed
    elif code == 3:
        assert report["verdict"] == "unverifiable" and says in report["verdict_reason"]
    else:
        assert blamed == set()


def test_every_hostile_file_is_in_the_table(material: Path) -> None:
    assert {file.name for file in files()} == set(EXPECTED)
