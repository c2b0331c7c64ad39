"""Settings next to a tokenizer are not compared yet: that is said, and where they differ judged."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tokaudit
from tokaudit.report.report import Report
from tokaudit_folders.folder import Folder

pytestmark = pytest.mark.usefixtures("processes")

Write = Callable[..., Path]


@pytest.fixture
def folder(tmp_path: Path) -> Write:
    """Writes a tokenizer with files next to it, each as text or as JSON."""

    def write(name: str, **files: Any) -> Path:
        made = tmp_path / name
        made.mkdir()
        Folder.bpe("ab", [["a", "b"]]).write(made)
        for stem, content in files.items():
            suffix = ".jinja" if stem == "chat_template" else ".json"
            shown = content if isinstance(content, str) else json.dumps(content)
            (made / f"{stem}{suffix}").write_text(shown)
        return made

    return write


def served(left: Path, right: Path, purpose: str | None = "serving") -> Report:
    return tokaudit.compare(left, right, tier="quick", purpose=purpose)


def why_unknown(report: Report) -> str:
    """What the facet about settings says; empty where there is none."""
    assert report.comparison is not None
    found = {facet.name: facet for facet in report.comparison.facets}
    return found["settings files"].why if "settings files" in found else ""


@pytest.mark.parametrize(
    ("stem", "one", "other", "says"),
    [
        ("tokenizer_config", {"legacy": True}, {"legacy": False}, "differs in /legacy"),
        ("special_tokens_map", {"eos_token": "a"}, {"eos_token": {"content": "a"}}, "/eos_token"),
        ("generation_config", {"suppress_tokens": [1]}, {}, "differs in /suppress_tokens"),
        ("preprocessor_config", {"size": 1}, {"size": 2}, "differs in /size"),
        ("config", {"eos_token_id": [1]}, {"eos_token_id": 1}, "differs in /eos_token_id"),
        ("tokenizer_config", {"n": 1}, {"n": True}, "differs in /n"),
    ],
)
def test_a_settings_file_that_differs_leaves_serving_unknown(
    stem: str, one: Any, other: Any, says: str, folder: Write
) -> None:
    report = served(folder("a", **{stem: one}), folder("b", **{stem: other}))
    assert str(report.verdict) == "unverifiable"
    assert says in why_unknown(report)
    assert report.comparison is not None
    assert report.comparison.relation == "unknown"
    assert report.sentence.startswith(f"The effect of {stem}.json was not compared; ")


def test_a_file_on_one_side_only_counts(folder: Write) -> None:
    left, right = folder("a"), folder("b", tokenizer_config={"legacy": True})
    report = served(left, right)
    assert str(report.verdict) == "unverifiable"
    assert why_unknown(report).startswith(f"tokenizer_config.json is only in {right}; ")
    (facet,) = [each for each in report.comparison.facets if each.name == "settings files"]  # type: ignore[union-attr]
    assert [(place.file, place.pointer) for place in facet.places] == [
        (f"{right}/tokenizer_config.json", "")
    ]


def test_every_place_is_there(folder: Write) -> None:
    left = folder("a", tokenizer_config={"legacy": True, "same": 1})
    right = folder("b", tokenizer_config={"same": 1, "other": 2})
    (facet,) = [each for each in served(left, right).comparison.facets if each.places]  # type: ignore[union-attr]
    assert [(place.file, place.pointer) for place in facet.places] == [
        (f"{left}/tokenizer_config.json", "/legacy"),
        (f"{right}/tokenizer_config.json", "/other"),
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('{"a": 1, "b": {"c": 1, "d": 2}}', '{\n  "b": {"d": 2, "c": 1},\n  "a": 1\n}\n'),
        ('{"a": "\\u00e9"}', '{"a": "é"}'),
        ("{}", "{ }"),
    ],
)
def test_order_and_white_space_are_no_difference(one: str, other: str, folder: Write) -> None:
    report = served(folder("a", tokenizer_config=one), folder("b", tokenizer_config=other))
    assert str(report.verdict) == "pass"
    assert why_unknown(report) == ""
    assert report.sentence.startswith("a and b can be exchanged for serving: ")


def test_of_the_config_of_a_model_only_what_tokenizers_are_about_counts(folder: Write) -> None:
    left = folder("a", config={"hidden_size": 8, "model_type": "gpt2"})
    right = folder("b", config={"hidden_size": 9, "model_type": "gpt2"})
    assert why_unknown(served(left, right)) == ""


def test_a_file_by_itself_is_compared_and_not_judged_by_the_settings_of_the_other(
    folder: Write,
) -> None:
    left, right = folder("a", tokenizer_config={"legacy": True}), folder("b") / "tokenizer.json"
    report = served(left, right, None)
    assert str(report.verdict) == "pass"
    assert report.comparison is not None
    assert report.comparison.relation == "same"
    assert report.sentence == (
        "The effect of tokenizer_config.json was not compared; "
        "a and tokenizer.json give the same ids on every text, which is proved."
    )


def test_two_files_by_themselves_have_no_settings(folder: Write) -> None:
    left, right = (folder(name) / "tokenizer.json" for name in "ab")
    report = served(left, right, None)
    assert report.sentence == ("the 2 tokenizers give the same ids on every text, which is proved.")


def test_without_a_purpose_settings_that_differ_decide_too(folder: Write) -> None:
    left, right = (folder(name, tokenizer_config={"legacy": name == "a"}) for name in "ab")
    assert str(served(left, right, None).verdict) == "unverifiable"


def test_purposes_that_are_about_ids_alone_are_judged_by_their_facets(folder: Write) -> None:
    left, right = (folder(name, tokenizer_config={"legacy": name == "a"}) for name in "ab")
    report = served(left, right, "cached-ids")
    assert str(report.verdict) == "pass"
    assert report.sentence.startswith("The effect of tokenizer_config.json was not compared")


def test_a_token_that_a_loader_adds_on_one_side_breaks_ids_that_were_stored(folder: Write) -> None:
    left, right = folder("a", added_tokens={}), folder("b", added_tokens={"<x>": 3})
    report = served(left, right, "cached-ids")
    assert str(report.verdict) == "fail"
    assert report.verdict_reason == "for cached-ids: they differ in added tokens of loaders"


def test_what_differs_anyway_is_said_first(folder: Write) -> None:
    left = folder("a", tokenizer_config={"padding_side": "left", "legacy": True})
    right = folder("b", tokenizer_config={"padding_side": "right"})
    assert served(left, right, "training").sentence == (
        "a and b are not interchangeable for training: they differ in padding side; "
        "the effect of tokenizer_config.json was not compared."
    )


def test_more_than_two_are_not_grouped_where_settings_differ(folder: Write) -> None:
    sides = [folder(name, tokenizer_config={"legacy": name == "a"}) for name in "abc"]
    report = tokaudit.compare(*sides, tier="quick")
    assert report.groups == ((str(sides[0]),), (str(sides[1]), str(sides[2])))
    assert [str(each) for each in report.matrix[0]] == ["same", "unknown", "unknown"]


def test_a_report_that_leaves_settings_out_is_refused(folder: Write) -> None:
    left, right = (
        folder("a", tokenizer_config={"legacy": True}),
        folder("b", tokenizer_config={"legacy": False}),
    )
    report = served(left, right, None)
    assert report.comparison is not None
    kept = tuple(each for each in report.comparison.facets if each.name != "settings files")
    changed = replace(report, comparison=replace(report.comparison, facets=kept))
    refused = [each for each in tokaudit.recheck(changed) if each.objection]
    assert "settings files, searched again" in [each.claim for each in refused]
    assert not [each for each in tokaudit.recheck(report) if each.objection]
