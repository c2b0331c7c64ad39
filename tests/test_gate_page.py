"""The page of the gate: its examples run in the folder that it describes, in the order of reading."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from locations import ROOT

from tokaudit.cli import main
from tokaudit.products.demo.showing import write_pair
from tokaudit.products.gate.sources import configuration
from tokaudit_pages.blocks import Written, steps

PAGE = (ROOT / "docs" / "gate.md").read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The two tokenizers of the page; both have a hole in their ids."""
    write_pair(tmp_path / "models")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("workers_in_forks")
def test_the_examples_run(
    folder: Path, capsys: pytest.CaptureFixture[str], processes: None
) -> None:
    examples = list(steps(PAGE))
    assert [type(each).__name__[0] for each in examples] == list("WTTTWWT")
    configured = ""
    for step in examples:
        if isinstance(step, Written):
            configured += step.text
            (folder / "tokaudit.toml").write_text(configured)
            configuration(None, folder)
            continue
        program, *arguments = shlex.split(step.text)
        assert program == "tokaudit"
        assert main(arguments) == 0, capsys.readouterr()
    assert configuration(None, folder).thresholds[0].dimensions == {"language": "deu_Latn"}
