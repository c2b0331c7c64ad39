"""What a finding shows of a place is what the file holds there, and never what a check gave."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from places import untrue

from tokaudit.engine.outcome.lines import with_lines
from tokaudit.engine.outcome.present_values import with_present_values
from tokaudit.report.model import CheckResult, Finding, Place, Severity, Status
from tokaudit.subject.opening import open_subject
from tokaudit_folders.folder import Folder

MODEL, TOKENIZER = "config.json", "tokenizer.json"


def shown(folder: Path, place: Place) -> Place:
    """A place as a report shows it, of a checkpoint of Llama's kind with one added token."""
    made = Folder.bpe("ab", ["a b"]).added("</s>").config(model_type="llama", ids=[1, 2])
    made.write(folder)
    subject = open_subject(folder)
    finding = Finding(Severity.ERROR, "m", (place,), cause="c")
    result = CheckResult("x/y", Status.FAILED, findings=(finding,))
    (found,) = with_present_values(with_lines([result], [subject]), [subject])
    assert untrue(found.findings, [subject]) == []
    return found.findings[0].places[0]


@pytest.mark.parametrize(
    ("file", "pointer", "said", "value", "lacks"),
    [
        (MODEL, "/model_type", "LlamaTokenizer", "llama", None),
        (MODEL, "/ids/1", 7, 2, None),
        (MODEL, "/ids", [1, 2], [1, 2], None),
        (MODEL, "/ids", [1, 9], None, None),
        (TOKENIZER, "/added_tokens", ["</s>"], ["</s>"], None),
        (TOKENIZER, "/added_tokens", ["<|asssistant|>"], None, ["<|asssistant|>"]),
        (TOKENIZER, "/model/vocab", "'ab'", "'ab'", None),
        (TOKENIZER, "/model/vocab", [0, 1], [0, 1], None),
        (TOKENIZER, "", 3, 3, None),
    ],
)
def test_a_place_shows_what_its_file_holds(
    tmp_path: Path, file: str, pointer: str, said: object, value: object, lacks: object
) -> None:
    component = "added_tokens" if "added" in pointer else "vocab"
    found = shown(tmp_path, Place(component, file, pointer, said))
    assert (found.value, found.lacks) == (value, lacks)


def test_a_value_that_a_check_gave_is_seen_to_be_untrue(tmp_path: Path) -> None:
    """The seeded breach: without reading the file, the judge of places objects."""
    Folder.bpe("ab", ["a b"]).config(model_type="llama").write(tmp_path)
    subject = open_subject(tmp_path)
    text = (tmp_path / MODEL).read_text()
    line = next(n for n, each in enumerate(text.split("\n"), 1) if "model_type" in each)
    place = Place("config", MODEL, "/model_type", "LlamaTokenizer", line=line)
    assert json.loads(text)["model_type"] == "llama"
    [said] = untrue([Finding(Severity.ERROR, "m", (place,), cause="c")], [subject])
    assert said.endswith("is 'llama' and not 'LlamaTokenizer'")
