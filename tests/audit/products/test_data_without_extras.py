"""Without the extra `data` the message names the line that installs it, and nothing else needs it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tokaudit_folders.folder import Folder

BLOCKED = """
import sys
for name in {names!r}:
    sys.modules[name] = None
from tokaudit.cli import main
sys.exit(main({arguments!r}))
"""


def without(names: list[str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command where some libraries cannot be imported."""
    code = BLOCKED.format(names=names, arguments=list(arguments))
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False
    )


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return str(Folder.bpe("ab", ["a b"]).added("</s>").write(tmp_path / "small"))


def test_ids_without_numpy_name_the_line_to_install(
    folder: str, tmp_path: Path, processes: None
) -> None:
    (tmp_path / "ids.bin").write_bytes(bytes(64))
    done = without(["numpy"], "data", str(tmp_path / "ids.bin"), "--tokenizer", folder)
    assert done.returncode == 2
    assert done.stderr.endswith(
        "tokaudit: numpy is not installed; run: pip install 'tokaudit[data]'\n"
    )


def test_everything_else_needs_none_of_it(folder: str, processes: None) -> None:
    names = ["numpy", "zstandard", "pyarrow", "ray"]
    assert without(names, "audit", folder, "--tier", "quick", "--quiet").returncode in (0, 1)
    assert without(names, "checks", "data/whole").returncode == 0
