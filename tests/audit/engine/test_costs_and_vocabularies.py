"""Costs of two tokenizers side by side, and the entries that both vocabularies have."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import jsonschema
import pytest
from processes import starts_processes

import tokaudit
from tokaudit.engine.samples import Sample
from tokaudit.products.compare.work.side_by_side import Running, cost
from tokaudit.report.comparison import Comparison, Cost, Entries, Rate
from tokaudit.runtimes.request import LoadRequest
from tokaudit.runtimes.worker.client import WorkerTokenizer
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_folders.folder import Folder
from tokaudit_reports.html import write as page
from tokaudit_reports.json_report import schema
from tokaudit_reports.json_report import write as as_json
from tokaudit_reports.terminal import write as terminal

pytestmark = pytest.mark.usefixtures("processes")

Command = Callable[..., "CompletedProcess[str]"]
LETTERS = [chr(code) for code in range(0x20, 0x7F)]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Characters of ASCII alone, and the same with two words."""

    def written(name: str, words: list[str], merges: list[list[str]]) -> Path:
        made = tmp_path_factory.mktemp(name)
        tokens = ["<unk>", *LETTERS, *words]
        return Folder.bpe(tokens, merges, unk_token="<unk>").added("<unk>").write(made)

    return (
        written("letters", [], []),
        written("words", ["th", "the"], [["t", "h"], ["th", "e"]]),
    )


@pytest.fixture(scope="module")
@starts_processes
def report(folders: tuple[Path, Path]) -> tokaudit.Report:
    return tokaudit.compare(*folders, tier="default")


def comparison(report: tokaudit.Report) -> Comparison:
    assert report.comparison is not None and report.comparison.side_by_side is not None
    return report.comparison


def costs_of(folders: tuple[Path, Path], texts: tuple[str, ...]) -> Cost:
    running = []
    for folder in folders:
        path = folder / "tokenizer.json"
        spec = parse_all(open_subject(str(folder))).parsed[0][1]
        request = LoadRequest("tokenizers", str(path), "tokenizer.json", files=(str(path),))
        running.append(Running(spec, WorkerTokenizer(request)))
    with running[0].encoder, running[1].encoder:
        return cost(Sample("x", "X", "language", "", "", texts), running[0], running[1], seed=0)


def test_a_cost_is_tokens_per_character_and_their_ratio(folders: tuple[Path, Path]) -> None:
    assert costs_of(folders, ("the a", "a the")) == Cost(
        "x", "X", 2, Rate(1.0), Rate(0.6), Rate(0.6)
    )


def test_thirty_texts_have_an_interval(folders: tuple[Path, Path]) -> None:
    found = costs_of(folders, ("the the",) * 15 + ("aaaaaaa",) * 15)
    assert found.left == Rate(1.0, (1.0, 1.0))
    assert found.right is not None and found.right.interval is not None
    low, high = found.right.interval
    assert 3 / 7 < low < found.right.value == (3 + 7) / 14 < high < 1


def test_text_that_is_lost_is_not_cheap(folders: tuple[Path, Path]) -> None:
    assert costs_of(folders, ("жжжж", "а те")) == Cost("x", "X", 2)


def test_every_language_and_domain_of_the_sample_is_there(report: tokaudit.Report) -> None:
    found = comparison(report).side_by_side
    assert found is not None and found.run_by.startswith("tokenizers ")
    costs = {each.key: each for each in (*found.languages, *found.domains)}
    assert {"eng_Latn", "rus_Cyrl", "tha_Thai"} <= costs.keys()
    assert costs["rus_Cyrl"] == Cost("rus_Cyrl", "Russian", 30)
    english = costs["eng_Latn"]
    assert english.left == Rate(1.0, (1.0, 1.0))
    assert english.ratio is not None and 0.85 < english.ratio.value < 1


def test_shared_and_own_entries_are_counted(report: tokaudit.Report) -> None:
    found = comparison(report).side_by_side
    assert found is not None
    assert found.by_script == (Entries("Latin", 52, 0, 2), Entries("no letters", 43, 0, 0))
    assert found.by_length == (
        Entries("1", 95, 0, 0),
        Entries("2", 0, 0, 1),
        Entries("3", 0, 0, 1),
    )


def test_the_figures_are_in_the_json_the_page_and_the_terminal(report: tokaudit.Report) -> None:
    written = json.loads(as_json(report))
    jsonschema.validate(written, schema())
    assert written["comparison"]["side_by_side"]["by_length"][1]["only_right"] == 1
    drawn = page(report)
    assert "Side by side" in drawn and "Vocabulary by script" in drawn
    assert "Latin 52 + 0 + 2; no letters 43 + 0 + 0" in terminal(report)


def test_the_quick_tier_leaves_them_out(folders: tuple[Path, Path]) -> None:
    found = tokaudit.compare(*folders, tier="quick").comparison
    assert found is not None and found.side_by_side is None
