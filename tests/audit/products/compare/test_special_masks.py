"""Where the class is an encoder's, two loaders that mask other tokens differ, with a text."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tokaudit
from tokaudit.engine.sides.side import Side
from tokaudit.products.compare.settings.masks import masked_tokens
from tokaudit.report.comparison import Facet, Outcome, Purpose
from tokaudit.report.model import Severity
from tokaudit.report.report import Report
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_folders.folder import Folder

Write = Callable[..., Path]
ROBERTA = {"tokenizer_class": "RobertaTokenizer"}
NAMED = {"additional_special_tokens": ["<ent>"]}
ASK = """
import json, sys, transformers
found = transformers.AutoTokenizer.from_pretrained(sys.argv[1])
print(found.get_special_tokens_mask(json.loads(sys.argv[2]), already_has_special_tokens=True))
"""
CLASS = "RobertaTokenizer, for which no file lists it"


@pytest.fixture(scope="module")
def write(tmp_path_factory: pytest.TempPathFactory) -> Write:
    """Writes one tokenizer.json, with settings next to it; `<ent>` is a token of it."""

    def made(*settings: dict[str, Any]) -> Path:
        folder = Folder.bpe("ab").added("<s>", "</s>", "<unk>", "<mask>", "<ent>")
        merged = {key: value for each in (ROBERTA, *settings) for key, value in each.items()}
        return folder.tokenizer_config(**merged).write(tmp_path_factory.mktemp("side"))

    return made


def masks(report: Report) -> list[Facet]:
    assert report.comparison is not None
    differing = [f for f in report.comparison.facets if f.outcome is Outcome.DIFFERS]
    assert {each.name for each in differing} <= {"special-token mask"}
    return differing


def test_a_token_that_one_loader_masks_is_shown_with_both_masks(
    write: Write, processes: None
) -> None:
    one, other = write(NAMED), write()
    report = tokaudit.compare(one, other, tier="quick")
    (found,) = masks(report)
    assert found.why == (f"the mask of '<ent>' is true by tokenizer_config.json, false by {CLASS}")
    (shown,) = found.evidence
    assert (shown.text, shown.expected) == ("<ent>", shown.actual)
    assert shown.note.startswith("special-token mask [1] and [0]; run by ")
    assert [place.pointer for place in found.places] == [
        "/additional_special_tokens",
        "/tokenizer_class",
    ]
    assert not [each for each in tokaudit.recheck(report) if each.objection]


@pytest.mark.parametrize("purpose", Purpose)
def test_training_alone_asks_for_a_mask(purpose: Purpose, write: Write, processes: None) -> None:
    report = tokaudit.compare(write(NAMED), write(), tier="quick", purpose=purpose)
    assert (str(report.verdict) == "fail") == (purpose is Purpose.TRAINING)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (NAMED, {"extra_special_tokens": {"entity_token": "<ent>"}}),  # in another form
        ({}, {"mask_token": "<mask>"}),  # which the class takes anyway
        ({"additional_special_tokens": ["<mask>"]}, {}),  # special to both, by its role
        ({"additional_special_tokens": ["<unk>"]}, {}),  # which the class takes for unknown
        (
            {"tokenizer_class": "LlamaTokenizer", **NAMED},  # whose models fill no masks
            {"tokenizer_class": "LlamaTokenizer"},
        ),
    ],
)
def test_what_is_masked_alike_is_no_facet(
    one: dict[str, Any], other: dict[str, Any], write: Write, processes: None
) -> None:
    assert masks(tokaudit.compare(write(one), write(other), tier="quick")) == []


def test_a_token_that_a_list_adds_is_one_of_the_loader_and_not_of_the_mask(
    write: Write, processes: None
) -> None:
    report = tokaudit.compare(write({"additional_special_tokens": ["<new>"]}), write())
    assert report.comparison is not None
    differing = [f.name for f in report.comparison.facets if f.outcome is Outcome.DIFFERS]
    assert differing == ["added tokens of loaders"]


def test_another_mask_than_the_base_has_is_told_as_no_fault(write: Write, processes: None) -> None:
    found = tokaudit.run_check("baseline/loader-settings", write(NAMED), base=write())
    (finding,) = found.findings
    assert finding.severity is Severity.INFO
    assert "the mask of '<ent>' is true (from tokenizer_config.json)" in finding.message


@pytest.mark.classes
@pytest.mark.parametrize("version", [FOUR, FIVE])
@pytest.mark.parametrize("settings", [{}, NAMED, {"extra_special_tokens": {"entity": "<ent>"}}])
def test_the_mask_is_that_of_the_library(
    version: str, settings: dict[str, Any], write: Write
) -> None:
    python = Path(sys.prefix) / f"transformers-{version}" / "bin" / "python"
    if not python.is_file():
        pytest.skip("no environments: make classes builds them")
    folder = write(settings)
    subject = open_subject(folder)
    side = Side("side", parse_all(subject).parsed[0][1], subject)
    ids, masked = sorted(side.names), masked_tokens(side)
    asked = [python, "-c", ASK, str(folder), json.dumps(ids)]
    said = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    assert masked is not None and masked.mask(ids) == json.loads(said.splitlines()[-1])
