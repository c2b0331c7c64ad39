"""Versions are read as the standard library reads them, without importing it where that can be."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
from pathlib import Path

import pytest

from tokaudit.foundation.installed_version import distribution_name, version

FIRST = """\
Metadata-Version: 2.1
Name: Acorn.checks
Version: 1.0

Version: 9.9 is planned.
"""


def test_every_installed_package_has_the_version_that_the_standard_library_says() -> None:
    installed = {each.name for each in importlib.metadata.distributions() if each.name}
    expected = {name: importlib.metadata.version(name) for name in installed}
    assert {name: version(name) for name in installed} == expected
    assert {"tokaudit", "msgspec", "tokenizers"} <= {distribution_name(name) for name in installed}


def test_of_two_of_one_name_the_first_on_the_path_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder, text in (("one", FIRST), ("two", FIRST.replace("1.0", "2.0"))):
        _write(tmp_path / folder / "acorn_checks-1.0.dist-info" / "METADATA", text)
        monkeypatch.syspath_prepend(str(tmp_path / folder))
    assert version("Acorn-Checks") == "2.0" == importlib.metadata.version("acorn.checks")


def test_what_is_installed_in_an_old_way_is_left_to_the_standard_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(tmp_path / "acorn.egg-info" / "PKG-INFO", FIRST.replace("Acorn.checks", "acorn"))
    monkeypatch.syspath_prepend(str(tmp_path))
    assert version("acorn") == "1.0"


def test_a_package_that_is_not_installed_has_none() -> None:
    with pytest.raises(ModuleNotFoundError, match="acorn"):
        version("acorn")


# The versions that a dialect is called by: eight lines that import nothing.
CONSTANTS = ("tokaudit.subject.upstream", "tokaudit.subject.upstream.versions")


@pytest.mark.parametrize("adapter", ["tokenizers", "tiktoken", "sentencepiece", "reference"])
def test_a_worker_imports_no_format_and_not_the_metadata_of_packages(
    adapter: str, processes: None
) -> None:
    """They take longer than Python needs to start, and every audit starts several workers."""
    program = (
        "import sys, tokaudit.runtimes.worker.ops, tokaudit.runtimes.worker.confinement.readable\n"
        f"from tokaudit.runtimes.registry import adapter_named\nadapter_named({adapter!r})\n"
        "slow = 'importlib.metadata', 'importlib.resources', 'email', 'zipfile', 'difflib'\n"
        f"constants = {CONSTANTS}\n"
        "mine = [each for each in sys.modules if each in slow or '.subject.' in each]\n"
        "print([each for each in mine if each not in constants])"
    )
    done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True)
    path.write_text(text)
