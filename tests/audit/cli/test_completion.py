"""`tokaudit --print-completion SHELL`, and what bash makes of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from processes import Command

from tokaudit.cli import COMMANDS
from tokaudit.engine.check import all_checks


@pytest.fixture(scope="module")
def bash_script(tmp_path_factory: pytest.TempPathFactory, tokaudit_in_fork: Command) -> Path:
    done = tokaudit_in_fork("--print-completion", "bash")
    assert (done.returncode, done.stderr) == (0, "")
    path = tmp_path_factory.mktemp("completion") / "tokaudit.sh"
    path.write_text(done.stdout)
    return path


def completed(script: Path, *words: str) -> list[str]:
    """What bash offers for the last of the words."""
    ask = (
        'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))\n'
        '_shtab_tokaudit tokaudit; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    command = ["bash", "-c", ask, "bash", str(script), "tokaudit", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_bash_completes_every_command(bash_script: Path) -> None:
    assert set(completed(bash_script, "")) >= COMMANDS.keys()
    assert completed(bash_script, "au") == ["audit"]


def test_bash_completes_options_and_the_names_that_they_take(bash_script: Path) -> None:
    assert completed(bash_script, "audit", "x", "--colo") == ["--color"]
    assert completed(bash_script, "audit", "x", "--color", "al") == ["always"]
    assert completed(bash_script, "audit", "x", "--tier", "q") == ["quick"]
    assert completed(bash_script, "audit", "x", "--format", "sar") == ["sarif"]
    checks = {check.id for check in all_checks() if check.id.startswith("vocab/")}
    assert set(completed(bash_script, "audit", "x", "--select", "vocab/")) == checks


def test_zsh_gets_a_script_of_its_own(tokaudit_in_fork: Command) -> None:
    done = tokaudit_in_fork("--print-completion=zsh")
    assert (done.returncode, done.stdout.startswith("#compdef tokaudit")) == (0, True)


@pytest.mark.parametrize("arguments", [("--print-completion",), ("--print-completion", "fish")])
def test_no_shell_and_an_unknown_one_are_wrong_usage(
    tokaudit_in_fork: Command, arguments: tuple[str, ...]
) -> None:
    done = tokaudit_in_fork(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--print-completion" in done.stderr


def test_without_shtab_the_error_says_how_to_install_it(processes: None) -> None:
    program = (
        "import sys; sys.modules['shtab'] = None\n"
        "from tokaudit.cli import main; sys.exit(main(['--print-completion', 'bash']))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.endswith("shtab is not installed; run: pip install 'tokaudit[completion]'\n")
