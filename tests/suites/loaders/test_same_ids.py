"""Loaders that run: one alone is held to the files, and the default tier runs what is installed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import tokaudit
from tokaudit.engine.providers import loaders
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_folders.folder import Folder
from tokaudit_reference.text.bytes_alphabet import BYTE_OF

PYTHONS = {v: Path(sys.prefix) / f"transformers-{v}" / "bin" / "python" for v in (FOUR, FIVE)}
LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
WHITE = {"type": "WhitespaceSplit"}


def folder(path: Path, named: str, cuts: Any = LEVEL) -> Path:
    made = Folder.bpe([*BYTE_OF], ["t h", "th e"]).changed(pre_tokenizer=cuts, decoder=LEVEL)
    return made.added("<|endoftext|>").tokenizer_config(tokenizer_class=named).write(path)


class Installed:
    """A stand-in for a package of this environment, with its version."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, installed: str) -> None:
        monkeypatch.setattr(loaders, "lacks", lambda name: "")
        monkeypatch.setattr(loaders, "version", lambda name: installed)


@pytest.fixture(params=PYTHONS)
def running(request: pytest.FixtureRequest) -> str:
    if not PYTHONS[request.param].is_file():
        pytest.skip("no environments: make classes builds them")
    return f"transformers=={request.param}@{PYTHONS[request.param]}"


pytestmark = pytest.mark.usefixtures("processes")


@pytest.mark.classes
@pytest.mark.parametrize(
    ("named", "causes"), [("PreTrainedTokenizerFast", []), ("GPT2Tokenizer", [FIVE])]
)
def test_a_loader_that_runs_alone_is_held_to_the_files(
    tmp_path: Path, running: str, named: str, causes: list[str]
) -> None:
    """Version 5 builds the steps of a class anew, which cut at other places than the file's."""
    path = folder(tmp_path, named, {"type": "Sequence", "pretokenizers": [WHITE, LEVEL]})
    report = tokaudit.audit(path, select=["loaders/same-ids"], tier="quick", loaders=[running])
    found = [str(each.severity) for each in report.findings]
    assert found == ["warning"] * any(version in running for version in causes)
    (record,) = [each for each in report.loaders if "transformers" in each.name]
    assert (record.known_by, record.other) == ("run", "the reference")


@pytest.mark.parametrize(("tier", "asked"), [("quick", 0), ("default", 1)])
def test_the_default_tier_runs_what_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tier: str, asked: int
) -> None:
    Installed(monkeypatch, FIVE)
    ran = []

    def run(subject: Any, found: Any, workers: Any, loader: Any) -> Any:
        ran.append(loader.name)
        return loaders.LoadedBy(loader, loaders.How.RUN)

    monkeypatch.setattr(loaders, "_run", run)
    report = tokaudit.audit(folder(tmp_path, "GPT2Tokenizer"), select=["loaders/loads"], tier=tier)
    assert ran == [f"transformers {FIVE}"] * asked
    assert [each.known_by for each in report.loaders] == [
        "emulated",
        "run" if asked else "emulated",
    ]
