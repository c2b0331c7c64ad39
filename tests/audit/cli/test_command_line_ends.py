"""How the installed command ends when a check crashes or a suite is broken."""

from __future__ import annotations

import json
import subprocess
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path

import pytest
from third_party_site import declare, environment, packages_of

Command = Callable[..., "subprocess.CompletedProcess[str]"]
CHECK = """
from tokaudit.engine.check import check
from tokaudit.subject.material import Subject
from tokaudit.report.model import Basis, Finding, Severity

@check("{id}", title="T", why="w", remedy="r", severity=Severity.ERROR, basis=Basis.INTRINSIC)
def asked(subject: Subject):
    {body}
    yield Finding(Severity.WARNING, "it works", (), cause="works")
"""


@pytest.fixture
def install(tmp_path: Path) -> Callable[..., Path]:
    """Writes a suite as another distribution would install it, and gives its environment."""

    def write(body: str = "", id: str = "others/asked", imports: str = "") -> Path:
        folder = environment(tmp_path / "environment")
        suite = packages_of(folder) / "others_suite"
        suite.mkdir()
        (suite / "__init__.py").write_text(imports)
        (suite / "one.py").write_text(CHECK.format(id=id, body=body or "pass"))
        groups = {"tokaudit.plugins": {"suites": "others_suite"}}
        declare(packages_of(folder), "others-1.0", groups)
        return folder

    return write


@pytest.fixture
def asked(yardstick: Path) -> list[str]:
    return ["audit", str(yardstick), "--quiet", "--format", "json"]


def test_a_suite_of_another_package_is_found_and_asked(
    tokaudit_command: Command, install: Callable[..., Path], asked: list[str]
) -> None:
    done = tokaudit_command(*asked, "--select", "others", environment=install())
    (result,) = json.loads(done.stdout)["results"]
    assert (done.returncode, result["findings"][0]["message"]) == (0, "it works")


def test_a_warning_fails_where_the_user_says_so(
    tokaudit_command: Command, install: Callable[..., Path], asked: list[str]
) -> None:
    strictly = (*asked, "--select", "others", "--fail-on", "warning")
    assert tokaudit_command(*strictly, environment=install()).returncode == 1


def test_a_check_that_crashes_is_exit_4_and_says_where(
    tokaudit_command: Command, install: Callable[..., Path], asked: list[str]
) -> None:
    done = tokaudit_command(*asked, "--select", "others", environment=install("1 / 0"))
    (result,) = json.loads(done.stdout)["results"]
    assert (done.returncode, result["status"]) == (4, "crashed")
    assert result["reason"].startswith("ZeroDivisionError: division by zero (one.py:")


def test_a_suite_that_cannot_be_imported_is_wrong_usage(
    tokaudit_command: Command, install: Callable[..., Path], asked: list[str]
) -> None:
    done = tokaudit_command(*asked, environment=install(imports="import no_such_module"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "tokaudit: the installed package others_suite (of others) cannot be imported: "
        "No module named 'no_such_module'\n"
    )


def test_two_checks_of_one_id_are_wrong_usage(
    tokaudit_command: Command, install: Callable[..., Path], asked: list[str]
) -> None:
    done = tokaudit_command(*asked, environment=install(id="vocab/holes"))
    assert (done.returncode, done.stderr) == (
        2,
        "tokaudit: two installed checks claim vocab/holes: "
        "in tokaudit_suites.vocab.holes and in others_suite.one\n",
    )


def test_a_rank_file_without_its_pattern_is_unverifiable_with_exit_3(
    tokaudit_command: Command, tmp_path: Path
) -> None:
    lines = (f"{b64encode(bytes([byte])).decode()} {byte}\n" for byte in range(256))
    (tmp_path / "bare.tiktoken").write_text("".join(lines))
    done = tokaudit_command("audit", tmp_path / "bare.tiktoken", "--quiet", "--format", "json")
    report = json.loads(done.stdout)
    assert (done.returncode, report["verdict"]) == (3, "unverifiable")
    assert "agreement/reference" in report["verdict_reason"]
