"""The page of the gate: its examples run in the folder that it describes, in the order of reading."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from conftest import ROOT

from tokaudit.api.gate.sources import configuration
from tokaudit.cli import main

PAGE = (ROOT / "docs" / "gate.md").read_text(encoding="utf-8")
EXAMPLE = re.compile(r"^```(toml|console)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
WORDS = 800
MERGES = 200  # enough to be a tokenizer, and few enough to be audited often


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The two tokenizers of the page; both have a hole in their ids."""
    tokenizer = json.loads((ROOT / "suites/tokaudit_suites/throughput/yardstick.json").read_text())
    model = tokenizer["model"]
    pairs = [merge if isinstance(merge, list) else merge.split(" ") for merge in model["merges"]]
    model["merges"] = pairs[:MERGES]
    made = {"".join(pair) for pair in model["merges"]}
    kept = sorted(
        (token for token in model["vocab"] if len(token) == 1 or token in made),
        key=model["vocab"].__getitem__,
    )
    model["vocab"] = {token: id for id, token in enumerate(kept)}
    model["vocab"][kept[-1]] += 1
    for name in ("base", "chat"):
        path = tmp_path / "models" / name
        path.mkdir(parents=True)
        (path / "tokenizer.json").write_text(json.dumps(tokenizer))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_examples_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    examples = EXAMPLE.findall(PAGE)
    assert [kind for kind, _ in examples] == ["toml", "console", "toml", "toml", "console"]
    configured = ""
    for kind, text in examples:
        if kind == "toml":
            configured += text
            (folder / "tokaudit.toml").write_text(configured)
            configuration(None, folder)
            continue
        for line in text.splitlines():
            program, *arguments = shlex.split(line.removeprefix("$ "))
            assert program == "tokaudit"
            assert main(arguments) == 0, capsys.readouterr()
    assert configuration(None, folder).thresholds[0].dimensions == {"language": "deu_Latn"}


def test_the_page_is_short() -> None:
    assert len(PAGE.split()) <= WORDS
