"""Every hostile file ends in its verdict or its refusal, in bounded time, and nothing else."""

from __future__ import annotations

import ast
import base64
import importlib.util
import json
import shutil
from pathlib import Path

import pytest
from conftest import Command, find_material

import tokaudit_suites.throughput

_spec = importlib.util.spec_from_file_location(
    "hostile_table", Path(__file__).with_name("hostile_table.py")
)
assert _spec and _spec.loader
_module = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_module)
EXPECTED: dict[str, tuple[int, str]] = _module.EXPECTED

HEALTHY = Path(tokaudit_suites.throughput.__path__[0]) / "yardstick.json"
LONGEST = 120  # seconds for one file


def files() -> list[str]:
    folder = find_material()
    found = (folder / "hostile").iterdir() if folder else []
    return sorted(file.name for file in found if file.name != "README.md")


def placed(file: Path, folder: Path) -> list[str]:
    """Put a hostile file where it does its harm; returns what names it on the command line."""
    kind = file.name.partition("_")[0]
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


@pytest.mark.parametrize("name", files())
def test_a_hostile_file_ends_as_the_table_says(
    tokaudit_command: Command, material: Path, tmp_path: Path, name: str
) -> None:
    code, says = EXPECTED[name]
    out = tmp_path / "report.json"
    folder = tmp_path / "subject"
    folder.mkdir()
    arguments = placed(material / "hostile" / name, folder)
    done = tokaudit_command(
        "audit", *arguments, "--tier", "quick", "--quiet", "--out", out, timeout=LONGEST
    )
    assert (done.returncode, "Traceback" in done.stderr) == (code, False), done.stderr
    if not out.exists():
        assert code in (2, 3) and says in done.stderr and len(done.stderr.splitlines()) == 1
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
