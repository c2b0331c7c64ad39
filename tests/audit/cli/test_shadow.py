"""What runs of a checkpoint folder in which somebody works: nothing, or what a table here says."""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from third_party_site import declare

SHADOWS = (
    *("sitecustomize", "usercustomize", "encodings", "importlib", "contextlib", "functools"),
    *("re", "json", "typing", "dataclasses", "argparse", "struct"),
    *("msgspec", "jinja2", "tokenizers", "regex", "tokaudit_suites"),
)
SHADOW = """\
import _frozen_importlib, _frozen_importlib_external, _io, sys
_io.FileIO({ran!r}, "a").write(b"{name}\\n")
path = [entry for entry in sys.path if entry not in ("", {here!r})]
spec = _frozen_importlib_external.PathFinder.find_spec("{name}", path)
if spec is None:
    raise ModuleNotFoundError("no other one", name="{name}")
sys.modules["{name}"] = module = _frozen_importlib.module_from_spec(spec)
spec.loader.exec_module(module)
"""
COMMAND = (str(Path(sys.executable).parent / "tokaudit"),)
MODULE = (sys.executable, "-m", "tokaudit")
SAFE, ISOLATED = (sys.executable, "-P", *MODULE[1:]), (sys.executable, "-I", *MODULE[1:])
AUDIT = ("audit", "model.tiktoken", "--pattern", ".", "--tier", "quick", "--quiet")


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    """A tokenizer among modules that say that they ran and then do what the shadowed one does."""
    folder = tmp_path / "checkpoint"
    folder.mkdir()
    alphabet = [base64.b64encode(bytes([byte])).decode() for byte in range(256)]
    lines = [f"{piece} {rank}\n" for rank, piece in enumerate(alphabet)]
    (folder / "model.tiktoken").write_text("".join(lines))
    for name in (*SHADOWS, "conftest", "evil"):
        text = SHADOW.format(name=name, ran=str(folder / "ran"), here=str(folder))
        (folder / f"{name}.py").write_text(text)
    groups = ("suites", "needs", "formats", "adapters", "reports")
    declare(folder, "evil-1.0", {"tokaudit.plugins": dict.fromkeys(groups, "evil")})
    (folder / "pyproject.toml").write_text('[tool.tokaudit]\nselect = ["evil"]\n')
    (folder / "tokaudit.toml").write_text('select = ["evil"]\n')
    return folder


def audited(
    folder: Path, way: tuple[str, ...], **environment: str
) -> tuple[list[str], subprocess.CompletedProcess[str]]:
    """The shadows that ran, each once, and what was printed."""
    done = subprocess.run(
        [*way, *AUDIT],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    ran = folder / "ran"
    return sorted(set(ran.read_text().split())) if ran.exists() else [], done


def test_there_are_seventeen_shadows() -> None:
    assert len(set(SHADOWS)) == 17


DOCUMENTED = {
    "tokaudit": (COMMAND, ""),
    "-P -m": (SAFE, ""),
    "-I -m, even where PYTHONPATH names the folder": (ISOLATED, ":{here}"),
}


@pytest.mark.parametrize("case", DOCUMENTED)
def test_nothing_runs_in_the_documented_ways(checkpoint: Path, case: str, processes: None) -> None:
    way, path = DOCUMENTED[case]
    named = {"PYTHONPATH": path.format(here=checkpoint)} if path else {}
    ran, done = audited(checkpoint, way, **named)
    assert (ran, done.returncode, done.stderr) == ([], 0, "")


START = ["contextlib", "functools", "importlib"]
WITH_SITE = ["contextlib", "encodings", "functools", "importlib", "sitecustomize"]
SCRIPT = ["encodings", "functools", "re", "sitecustomize"]
EVEN_BEFORE_US = {
    "plain -m": ((MODULE, ""), START),
    "tokaudit, empty entry": ((COMMAND, ":/nowhere"), SCRIPT),
    "-P -m, empty entry": ((SAFE, ":/nowhere"), WITH_SITE),
    "plain -m, empty entry": ((MODULE, ":/nowhere"), WITH_SITE),
}
"""What Python imports from the current folder before any module of ours is asked for (3.11)."""


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="other versions import other modules")
@pytest.mark.parametrize("case", EVEN_BEFORE_US)
def test_what_python_imports_before_tokaudit_still_runs(
    checkpoint: Path, case: str, processes: None
) -> None:
    (way, path), expected = EVEN_BEFORE_US[case]
    ran, done = audited(checkpoint, way, **({"PYTHONPATH": path} if path else {}))
    assert (ran, done.returncode, done.stderr) == (expected, 0, "")


def test_the_shadows_of_the_material_write_no_mark(
    material: Path, tmp_path: Path, processes: None
) -> None:
    folder = tmp_path / "shadow"
    shutil.copytree(material / "hostile2" / "shadow", folder)
    before = sorted(path.name for path in folder.iterdir())
    for way in (COMMAND, SAFE, ISOLATED, MODULE):
        subprocess.run([*way, "audit", "tokenizer.json", "--tier", "quick"], cwd=folder)
        assert sorted(path.name for path in folder.iterdir()) == before
