"""Of two files that differ in one thing the facet of that thing differs, on a text, and no other."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from families import FAMILIES, Described
from run_here import trial_here

from tokaudit.engine.sides.side import Side
from tokaudit.engine.texts.probes import CONTEXTS
from tokaudit.engine.texts.suspects import added_token_texts, bare_texts, entry_texts
from tokaudit.products.compare.facets.compared import Searched, compared
from tokaudit.products.compare.recheck.proofs import rechecked
from tokaudit.report.comparison import Comparison, Outcome, Relation
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all

Change = Callable[[Described], Any]
ALL = tuple(FAMILIES)
BPE = ("byte_level", "byte_fallback", "word_ends")
WITH_STEPS = tuple(name for name in ALL if FAMILIES[name]()["pre_tokenizer"])
B = {"type": "Replace", "pattern": {"String": "b"}, "content": "a"}
AT_B = {"type": "Split", "pattern": {"String": "b"}, "behavior": "Isolated", "invert": False}
ENDING = {"type": "BertProcessing", "sep": ["<|pad|>", 1001], "cls": ["<|pad|>", 1001]}


def first(stage: str, children: str, step: Described) -> Change:
    """Puts a step before those of a stage."""

    def change(described: Described) -> None:
        inner = [step, *([described[stage]] if described[stage] else [])]
        described[stage] = {"type": "Sequence", children: inner}

    return change


def gone(stage: str) -> Change:
    return lambda described: described.update({stage: None})


def model(**settings: Any) -> Change:
    return lambda described: described["model"].update(settings)


def flag(name: str, value: bool) -> Change:
    return lambda described: described["added_tokens"][0].update({name: value})


def exchanged(described: Described) -> None:
    vocab = described["model"]["vocab"]
    vocab["a"], vocab["ab"] = vocab["ab"], vocab["a"]


def renamed(described: Described) -> None:
    vocab = described["model"]["vocab"]
    vocab["qqq"] = vocab.pop(".")


def another_entry(described: Described) -> None:
    vocab = described["model"]["vocab"]
    if isinstance(vocab, list):
        vocab.append(["in1", -2.0])
    else:
        vocab["in1"] = len(vocab)


def another_token(described: Described) -> None:
    described["added_tokens"].append(
        described["added_tokens"][0] | {"id": 1002, "content": "<|t|>"}
    )


def other_ids(described: Described) -> None:
    one, two = described["added_tokens"]
    one["id"], two["id"], described["added_tokens"] = two["id"], one["id"], [two, one]


CHANGES: list[tuple[str, Change, str, tuple[str, ...]]] = [
    ("a replaced letter", first("normalizer", "normalizers", B), "normalizer", ALL),
    ("no normalizer", gone("normalizer"), "normalizer", ("byte_fallback", "word_piece")),
    ("a cut more", first("pre_tokenizer", "pretokenizers", AT_B), "pre-tokenizer", ALL),
    ("no pre-tokenizer", gone("pre_tokenizer"), "pre-tokenizer", WITH_STEPS),
    ("no decoder", gone("decoder"), "decoder", ("byte_level", "byte_fallback", "word_piece")),
    ("other ends", lambda d: d.update(post_processor=ENDING), "post-processor", ALL),
    ("lstrip", flag("lstrip", True), "added tokens", ("byte_level", "byte_fallback")),
    ("single_word", flag("single_word", True), "added tokens", ALL),
    ("special", flag("special", False), "added tokens", ALL),
    ("normalized", flag("normalized", True), "added tokens", ("word_piece", "word_level")),
    ("one token more", another_token, "added tokens", ALL),
    ("tokens at other ids", other_ids, "added tokens", ("byte_level", "unigram", "word_level")),
    ("no merge", lambda d: d["model"]["merges"].pop(1), "merges", BPE),
    ("no byte fallback", model(byte_fallback=False), "merges", ("byte_fallback",)),
    ("another unknown token", model(unk_token="a"), "merges", ("word_piece", "word_level")),
    ("no suffix", model(end_of_word_suffix=None), "merges", ("word_ends",)),
    ("another prefix", model(continuing_subword_prefix="#"), "merges", ("word_piece",)),
    ("shorter words", model(max_input_chars_per_word=5), "merges", ("word_piece",)),
    (
        "another score",
        lambda d: d["model"]["vocab"][4].__setitem__(1, -30.0),
        "merges",
        ("unigram",),
    ),
    ("two ids exchanged", exchanged, "ids", ("byte_level", "word_piece", "word_level")),
    ("another name", renamed, "ids", ("byte_level", "word_ends", "word_piece", "word_level")),
    ("one entry more", another_entry, "ids", ("word_piece", "unigram", "word_level")),
]
CASES = [
    pytest.param(family, change, facet, id=f"{family}: {name}")
    for name, change, facet, families in CHANGES
    for family in families
]


def read(folder: Path, described: Described) -> Side:
    folder.mkdir()
    (folder / "tokenizer.json").write_text(json.dumps(described))
    subject = open_subject(str(folder))
    return Side(folder.name, parse_all(subject).parsed[0][1], subject)


def found_between(left: Side, right: Side) -> Comparison:
    suspects = added_token_texts(left.spec, right.spec), entry_texts(left.spec, right.spec)
    own = bare_texts(left.spec, right.spec)
    return compared(trial_here(left, right), Searched((*suspects[0], *suspects[1]), own, CONTEXTS))


@pytest.mark.parametrize(("family", "change", "facet"), CASES)
def test_the_facet_that_changed_differs_and_no_other(
    family: str, change: Change, facet: str, tmp_path: Path
) -> None:
    described = FAMILIES[family]()
    left = read(tmp_path / "one", described)
    change(described)
    found = found_between(left, read(tmp_path / "other", described))
    differing = [each for each in found.facets if each.outcome is Outcome.DIFFERS]
    assert [each.name for each in differing] == [facet]
    (shown,) = differing[0].evidence
    assert shown.text or shown.ids


def test_tables_that_no_step_reads_as_bytes_are_proved_as_they_are_written(tmp_path: Path) -> None:
    described = FAMILIES["byte_level"]()
    left = read(tmp_path / "one", described)
    described["pre_tokenizer"] = None
    right = read(tmp_path / "other", described)
    found = found_between(left, right)
    facets = {each.name: each for each in found.facets}
    assert facets["ids"].why == "263 entries are written at the same ids"
    assert facets["merges"].why == "the bpe models are written alike, whatever their entries mean"
    assert facets["merges"].outcome is facets["ids"].outcome is Outcome.IDENTICAL
    assert found.relation is Relation.RESEGMENTED
    assert [claim.objection for claim in rechecked(left, right, found) if claim.objection] == []
    described["model"]["merges"].pop()
    changed = read(tmp_path / "changed", described)
    objections = {c.claim: c.objection for c in rechecked(left, changed, found) if c.objection}
    assert objections == {"merges: proved identical": "the two sides do not state the same"}
