"""The installed command `tokaudit gate`: table, outputs and exit codes."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tokaudit.cli import main
from tokaudit.products.demo.checkpoints import write_checkpoints

STRICT = 'tier = "quick"\nselect = ["vocab/holes"]\nfail_on = "warning"\nsubjects = ["small"]\n'
HELD = STRICT + '[[suppressions]]\nidentity = "vocab/holes:inner"\nreason = "old ids"\n'


@pytest.fixture
def place(small: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a tokenizer in it that has a hole."""
    monkeypatch.chdir(small.parent)
    return small.parent


def test_the_table_names_each_subject_and_what_was_decided(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "tokaudit.toml").write_text(STRICT.replace('["small"]', '["small", "gone"]'))
    assert main(["gate"]) == 3
    shown = capsys.readouterr()
    assert shown.err.splitlines() == [
        "subject  verdict     errors  warnings  suppressed  manifest  compare",
        "small    pass        0       1         0           -         -",
        "gone     unreadable  0       0         0           -         -",
    ]
    (last,) = re.findall("^UNVERIFIABLE .*", shown.out, re.M | re.S)
    assert " ".join(last.split()).startswith(
        "UNVERIFIABLE 2 tokenizers: Cannot tell whether to ship: gone: does not exist; "
    )


def test_the_table_counts_causes_and_not_what_they_explain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_checkpoints(tmp_path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tokaudit.toml").write_text(
        'tier = "quick"\nselect = ["baseline/merges", "merges/missing"]\n'
        '[[subjects]]\npath = "finetuned"\nbase = "checkpoint"\n'
    )
    assert main(["gate"]) == 1
    shown = capsys.readouterr()
    assert "finetuned  fail     1       0 " in shown.err
    assert "findings: 1 error; explained by these: 1 more" in shown.out


def test_the_report_goes_to_stdout_or_to_files(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "tokaudit.toml").write_text(HELD)
    assert main(["gate", "--quiet"]) == 0
    assert "Suppressed: 1 finding" in capsys.readouterr().out
    assert main(["gate", "--quiet", "--out", "r.json", "--out", "r.sarif"]) == 0
    assert capsys.readouterr().out == ""
    (result,) = json.loads((place / "r.sarif").read_text())["runs"][0]["results"]
    assert result["suppressions"][0]["justification"] == "old ids"
    assert json.loads((place / "r.json").read_text())["summary"]["warning"] == 0


@pytest.mark.parametrize("out", ["small/r.json", "tokaudit.toml", "known.json"])
def test_nothing_is_written_over_what_it_is_about(
    out: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "tokaudit.toml").write_text(f'baseline = "known.json"\n{STRICT}')
    (place / "known.json").write_text("{}")
    assert main(["gate", "--out", out, "--format", "json"]) == 2
    assert "write the output elsewhere" in capsys.readouterr().err


def test_a_baseline_that_is_not_recorded_is_said(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "tokaudit.toml").write_text(
        f'baseline = "known.json"\n{STRICT}'.replace('["small"]', '["gone"]')
    )
    assert main(["gate", "--update-baseline"]) == 3
    said = "known.json: not recorded, because not every subject could be decided"
    assert said in capsys.readouterr().err


def test_a_baseline_takes_what_is_there_and_nothing_more(place: Path) -> None:
    (place / "tokaudit.toml").write_text(f'baseline = "known.json"\n{STRICT}')
    assert main(["gate", "--quiet", "--update-baseline", "--out", "r.json"]) == 0
    assert main(["gate", "--quiet", "--out", "r.json"]) == 0
    (place / "known.json").write_text('{"subjects": {"small": {}}}')
    assert main(["gate", "--quiet", "--out", "r.json"]) == 1


def test_the_installed_command_gates_a_good_and_a_bad_commit(
    place: Path, tokaudit_in_fork: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    (place / "tokaudit.toml").write_text(HELD)
    assert tokaudit_in_fork("gate", "--quiet").returncode == 0
    (place / "tokaudit.toml").write_text(STRICT)
    done = tokaudit_in_fork("gate", "--out", "r.json")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[-1] == "exit code 1: findings at or above warning"


def test_a_configuration_that_is_not_there_is_one_line(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["gate"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
