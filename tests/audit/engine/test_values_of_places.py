"""What a finding shows of a place is what the file holds there, and never what a check gave."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from places import untrue

from tokaudit.engine.outcome.lines import with_lines
from tokaudit.engine.outcome.present_values import with_present_values
from tokaudit.report.model import CheckResult, Finding, Place, Severity, Status
from tokaudit.report.wording import located
from tokaudit.subject.opening import open_subject
from tokaudit_folders import example_folders
from tokaudit_folders.folder import Folder

MODEL, TOKENIZER = "config.json", "tokenizer.json"
OF_GGUF = example_folders.gguf(
    {
        "general.architecture": "llama",
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.tokens": ["a", "b", "</s>"],
        "tokenizer.ggml.eos_token_id": 2,
        "tokenizer.ggml.add_eos_token": True,
    }
)
OF_PIECES = example_folders.sentencepiece(
    {"pieces": [["<unk>", 2], ["</s>", 3], "b"], "trainer_spec": {"input": "/home/corpus.txt"}}
)


def shown(folder: Path, place: Place) -> Place:
    """A place as a report shows it, of a checkpoint of Llama's kind with one added token."""
    made = Folder.bpe("ab", ["a b"]).added("</s>").config(model_type="llama", ids=[1, 2])
    made = made.file("model.gguf", OF_GGUF).file(PIECES, OF_PIECES).file(LINES, "a\nb\n")
    made.write(folder)
    subject = open_subject(folder)
    own, others = ([], [subject]) if place.outside else ([subject], [])
    if place.outside:
        place = replace(place, file=located(subject.name, place.file))
    finding = Finding(Severity.ERROR, "m", (place,), cause="c")
    result = CheckResult("x/y", Status.FAILED, findings=(finding,))
    (found,) = with_present_values(with_lines([result], own, others), own, others)
    assert untrue(found.findings, own, others) == []
    return found.findings[0].places[0]


GGUF, PIECES, LINES = "model.gguf", "tokenizer.model", "vocab.txt"


def test_absent_keys_are_what_a_file_lacks(tmp_path: Path) -> None:
    found = shown(tmp_path, Place("roles", MODEL, "/eos_token_id", 7))
    assert (found.pointer, found.value, found.lacks) == ("", None, "eos_token_id")


@pytest.mark.parametrize(
    ("file", "pointer", "said", "value"),
    [
        (GGUF, "tokenizer.ggml.eos_token_id", 7, 2),
        (GGUF, "tokenizer.ggml.tokens/1", "'x'", "b"),
        (GGUF, "tokenizer.ggml.add_eos_token", False, True),
        (PIECES, "pieces/1/type", 1, 3),
        (PIECES, "pieces/1", "</s>", "</s>"),
        (PIECES, "trainer_spec.input", "corpus", "corpus"),
        (PIECES, "trainer_spec.input", "other", "/home/corpus.txt"),
        (LINES, "line 2", 1, "b"),
        (LINES, "line 2", "'b'", "'b'"),
    ],
)
@pytest.mark.parametrize("outside", [False, True])
def test_a_place_of_any_form_shows_what_its_file_holds(
    tmp_path: Path, file: str, pointer: str, said: object, value: object, outside: bool
) -> None:
    found = shown(tmp_path, Place("vocab", file, pointer, said, outside=outside))
    assert (found.value, found.lacks) == (value, None)


def test_a_key_that_a_gguf_file_lacks_is_no_place_in_it(tmp_path: Path) -> None:
    found = shown(tmp_path, Place("model", GGUF, "tokenizer.ggml.pre", "gpt-2"))
    assert (found.pointer, found.value, found.lacks) == ("", None, "tokenizer.ggml.pre")


@pytest.mark.parametrize(
    ("file", "pointer", "said", "value", "lacks"),
    [
        (MODEL, "/model_type", "LlamaTokenizer", "llama", None),
        (MODEL, "/ids/1", 7, 2, None),
        (MODEL, "/ids", [1, 2], [1, 2], None),
        (MODEL, "/ids", [1, 9], [1, 2], None),
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


@pytest.mark.parametrize(
    "place",
    [
        Place("vocab", GGUF, "tokenizer.ggml.tokens/1", "x"),
        Place("vocab", PIECES, "pieces/1/type", 1),
        Place("vocab", LINES, "line 2", "x", line=2),
        Place("vocab", GGUF, "tokenizer.ggml.tokens", lacks="b"),
    ],
)
def test_untrue_values_of_every_form_are_seen(tmp_path: Path, place: Place) -> None:
    """Seeded breaches of the other forms."""
    made = Folder().file(GGUF, OF_GGUF).file(PIECES, OF_PIECES).file(LINES, "a\nb\n")
    subject = open_subject(made.write(tmp_path))
    assert untrue([Finding(Severity.ERROR, "m", (place,), cause="c")], [subject]) != []


def test_a_file_that_is_said_to_be_missing_and_is_there_is_seen(tmp_path: Path) -> None:
    subject = open_subject(Folder.bpe("ab").config(model_type="llama").write(tmp_path))
    message = "tokenizer_config.json names 'config.json', which is not in the folder."
    [said] = untrue([Finding(Severity.ERROR, message, cause="c")], [subject])
    assert said.endswith("config.json is in the folder")
