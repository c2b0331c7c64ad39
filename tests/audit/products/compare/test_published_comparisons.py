"""Published tokenizers against themselves, written differently or with one thing changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tokaudit
from comparison_pairs import reordered
from tokaudit.engine.sides.side import Side
from tokaudit.engine.sides.trial import Trial
from tokaudit.products.compare.facets.compared import Searched, compared
from tokaudit.report.comparison import Comparison, Outcome, Relation
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_reference.text.published_patterns import GPT2

Change = Callable[[Any], None]


@pytest.fixture
def gpt2(material: Path) -> Path:
    return material / "tokenizers" / "gpt2" / "tokenizer.json"


def changed(source: Path, folder: Path, change: Change) -> Path:
    data = json.loads(source.read_text(encoding="utf-8"))
    change(data)
    folder.mkdir()
    (folder / "tokenizer.json").write_text(json.dumps(data), encoding="utf-8")
    return folder


def proofs(first: Path, second: Path) -> Comparison:
    """The facets with nothing run, so that only proofs speak."""
    sides = [
        Side(str(path), parse_all(open_subject(str(path))).parsed[0][1]) for path in (first, second)
    ]
    return compared(Trial(sides[0], sides[1], ()), Searched(()))


def outcome(found: Comparison, name: str) -> Outcome:
    return next(facet.outcome for facet in found.facets if facet.name == name)


def split_by(pattern: str) -> Change:
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated"}
    level = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False}

    def change(data: Any) -> None:
        data["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [split, level]}

    return change


@pytest.mark.parametrize(
    ("change", "name"),
    [
        (split_by(GPT2), "pre-tokenizer"),
        (
            split_by(GPT2.replace("'s|'t|'re|'ve|'m|'ll|'d", "'(?:[sdmt]|ll|ve|re)")),
            "pre-tokenizer",
        ),
        (reordered, "merges"),
    ],
    ids=["its pattern written out", "its contractions spelled anew", "its merges reordered"],
)
def test_gpt2_written_in_another_way_is_proved_the_same(
    gpt2: Path, tmp_path: Path, change: Change, name: str
) -> None:
    found = proofs(gpt2, changed(gpt2, tmp_path / "other", change))
    assert (found.relation, outcome(found, name)) == (Relation.SAME, Outcome.EQUIVALENT)


def test_gpt2_with_its_merges_reordered_is_no_error_against_its_base(
    gpt2: Path, tmp_path: Path, processes: None
) -> None:
    other = changed(gpt2, tmp_path / "other", reordered)
    report = tokaudit.audit(other, base=gpt2, select=["baseline"], tier="quick")
    assert (report.verdict, report.findings) == ("pass", ())


def test_phi_3_without_one_merge_differs_on_the_text_of_its_token(
    material: Path, tmp_path: Path, processes: None
) -> None:
    source = material / "tokenizers" / "phi-3-mini" / "tokenizer.json"

    def delete(data: Any) -> None:
        merges = data["model"]["merges"]
        merges.remove("▁decl aring")  # "▁decla" + "ring" and "▁declar" + "ing" never get there

    other = changed(source, tmp_path / "other", delete)
    report = tokaudit.audit(other, against=source, select=["agreement/against"], tier="quick")
    assert report.comparison is not None and report.comparison.minimal is not None
    minimal = report.comparison.minimal
    assert minimal.text == "declaring"
    assert [token.piece for token in minimal.expected] == ["▁decl", "aring"]
    assert [token.piece for token in minimal.actual] == ["▁declaring"]
