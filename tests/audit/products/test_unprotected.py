"""What protects workers elsewhere and this platform lacks is said, wherever somebody looks."""

from __future__ import annotations

from pathlib import Path

import pytest

import tokaudit
from tokaudit.cli import main
from tokaudit.engine.outcome import recording
from tokaudit.engine.settings import check_names
from tokaudit_folders.folder import Folder

MISSING = "no TCP (Landlock 4)"
SAID = f"not protected, as this platform lacks: {MISSING}"
FORMATS = ("terminal", "markdown", "github", "html", "json", "junit", "sarif")


@pytest.fixture
def subject(tmp_path: Path) -> Path:
    return Folder.bpe("ab", ["a b"]).write(tmp_path / "subject")


@pytest.fixture
def unprotected(monkeypatch: pytest.MonkeyPatch) -> None:
    """A platform that lacks a protection."""
    for module in (recording, check_names):
        monkeypatch.setattr(module, "lacking", lambda: MISSING)


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_and_stderr_say_it(
    format: str, subject: Path, unprotected: None, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["audit", str(subject), "--select", "vocab/holes", "--format", format, "--quiet"])
    printed = capsys.readouterr()
    assert SAID in " ".join(printed.out.replace("\\", "").split())
    assert printed.err == f"tokaudit: {SAID}\n"


@pytest.mark.parametrize("format", FORMATS)
def test_nothing_is_said_where_nothing_is_lacking(
    format: str,
    subject: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(recording, "lacking", lambda: "")
    main(["audit", str(subject), "--select", "vocab/holes", "--format", format, "--quiet"])
    printed = capsys.readouterr()
    assert "not protected" not in printed.out + printed.err


def test_a_required_sandbox_that_is_not_whole_ends_the_command_before_any_work(
    subject: Path, unprotected: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", str(subject), "--require", "sandbox"]) == 3
    expected = f"require sandbox: this platform lacks {MISSING}; nothing was run"
    assert expected in capsys.readouterr().err
    with pytest.raises(tokaudit.UnreadableError, match="require sandbox: this platform lacks"):
        tokaudit.audit(subject, require=["sandbox"])


def test_a_gate_that_requires_the_sandbox_ends_with_three(
    subject: Path, unprotected: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    gate = '[[subjects]]\npath = "subject"\n'
    Path("tokaudit.toml").write_text(f'select = ["vocab/holes"]\nrequire = ["sandbox"]\n{gate}')
    assert main(["gate"]) == 3


def test_a_required_sandbox_that_is_whole_changes_nothing(
    subject: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check_names, "lacking", lambda: "")
    asked = tokaudit.audit(subject, select=["vocab/holes"], require=["sandbox", "vocab/holes"])
    assert asked.ok
