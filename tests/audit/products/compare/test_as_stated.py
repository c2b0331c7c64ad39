"""A fault in what reads files gives both sides the same wrong specs, and is noticed by a recheck."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from broken_code import put

from tokaudit.engine.facet_names import (
    ADDED,
    DECODER,
    IDS,
    MERGES,
    NORMALIZER,
    POST_PROCESSOR,
    PRE_TOKENIZER,
)
from tokaudit.engine.sides.side import Side
from tokaudit.engine.sides.trial import Trial
from tokaudit.products.compare.facets.compared import Searched, compared
from tokaudit.products.compare.recheck.as_stated import AsStated
from tokaudit.products.compare.recheck.proofs import rechecked
from tokaudit.report.comparison import PROVED
from tokaudit.subject.formats.tokenizer_json import _added_tokens, _Reading, _stage
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_folders.folder import Folder
from tokaudit_reference.spec import AddedToken, Component, Standing

READER = "tokaudit.subject.formats.tokenizer_json"
Change = Callable[[dict[str, Any]], None]


def no_flags(data: Any, file: str) -> list[AddedToken]:
    return [AddedToken(each.id, each.content) for each in _added_tokens(data, file)]


def no_stage(data: Any, stage: str, file: str) -> Component:
    return replace(_stage(data, stage, file), options=None, standing=Standing.STATED)


def sorted_merges(self: _Reading) -> Any:
    pairs = MERGES_READ(self)
    return pairs and tuple(sorted(pairs))


def no_values(self: _Reading) -> Any:
    pieces, scores = PIECES_READ(self)
    return dict(enumerate(sorted(pieces.values(), key=repr))), dict.fromkeys(scores, 0.0)


MERGES_READ, PIECES_READ = _Reading.merges, _Reading.pieces


def in_model(**changed: Any) -> Change:
    return lambda described: described["model"].update(changed)


def in_file(**changed: Any) -> Change:
    return lambda described: described.update(changed)


def bpe() -> Folder:
    return Folder.bpe("ab?", ["a b", "b a"]).added("<e>")


def unigram() -> Folder:
    folder = bpe()
    vocab = [["a", -1.0], ["b", -2.0]]
    folder.tokenizer["model"] = {"type": "Unigram", "vocab": vocab, "unk_id": 0}
    return folder


def flagged(described: dict[str, Any]) -> None:
    described["added_tokens"][0]["lstrip"] = True


def exchanged(described: dict[str, Any]) -> None:
    described["model"]["merges"].reverse()


def renumbered(described: dict[str, Any]) -> None:
    vocab = described["model"]["vocab"]
    vocab["a"], vocab["b"] = vocab["b"], vocab["a"]


LOWER, SPLIT = {"type": "Lowercase"}, {"type": "WhitespaceSplit"}
BERT = {"type": "BertProcessing", "cls": ["a", 0], "sep": ["b", 1]}
FAULTS: dict[str, tuple[str, str, Any, Callable[[], Folder], Change]] = {
    "flags": (ADDED, "_added_tokens", no_flags, bpe, flagged),
    "order of merges": (MERGES, "_Reading.merges", sorted_merges, bpe, exchanged),
    "entries": (IDS, "_Reading.pieces", no_values, bpe, renumbered),
    "scores": (
        *(MERGES, "_Reading.pieces", no_values, unigram),
        in_model(vocab=[["a", -1.0], ["b", -3.0]]),
    ),
    "the unknown token": (
        *(MERGES, "_Reading.unk_id", lambda self: 2, bpe, in_model(unk_token="?")),
    ),
    "dropout": (MERGES, "_dropout", lambda model, file: None, bpe, in_model(dropout=0.5)),
    "marks": (
        *(MERGES, "_affix", lambda model, key, file: "", bpe),
        in_model(end_of_word_suffix="</w>"),
    ),
    "the longest word": (
        *(MERGES, "_longest_word", lambda model, file: 100, bpe),
        in_model(max_input_chars_per_word=2),
    ),
    "a normalizer": (NORMALIZER, "_stage", no_stage, bpe, in_file(normalizer=LOWER)),
    "cuts": (PRE_TOKENIZER, "_stage", no_stage, bpe, in_file(pre_tokenizer=SPLIT)),
    "what is around": (POST_PROCESSOR, "_stage", no_stage, bpe, in_file(post_processor=BERT)),
    "a decoder": (DECODER, "_stage", no_stage, bpe, in_file(decoder={"type": "Fuse"})),
}


def side(name: str, folder: Folder, place: Path) -> Side:
    subject = open_subject(folder.write(place / name))
    return Side(name, parse_all(subject).parsed[0][1], subject)


def both(folder: Callable[[], Folder], change: Change, place: Path) -> tuple[Side, Side]:
    second = deepcopy(folder())
    change(second.tokenizer)
    return side("a", folder(), place), side("b", second, place)


@pytest.mark.parametrize("fault", FAULTS)
def test_what_was_misread_is_refused(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, broken, wrong, folder, change = FAULTS[fault]
    put(monkeypatch, f"{READER}:{broken}", wrong)
    left, right = both(folder, change, tmp_path)
    found = compared(Trial(left, right, ()), Searched(()))
    assert next(each for each in found.facets if each.name == name).outcome in PROVED
    said = [each.objection for each in rechecked(left, right, found) if each.claim.startswith(name)]
    assert said == [f"b was not read as its file states it: {name}"] or said == [
        f"a was not read as its file states it: {name}"
    ]


@pytest.mark.parametrize("fault", FAULTS)
def test_of_a_reader_without_fault_nothing_is_said(fault: str, tmp_path: Path) -> None:
    name, _, _, folder, change = FAULTS[fault]
    assert [AsStated(each).misread(name) for each in both(folder, change, tmp_path)] == ["", ""]


def test_of_a_spec_without_a_file_nothing_is_said(tmp_path: Path) -> None:
    spec = side("a", bpe(), tmp_path).spec
    assert AsStated(Side("a", spec)).misread(IDS) == ""
