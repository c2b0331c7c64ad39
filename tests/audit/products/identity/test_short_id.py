"""Equal ids prove equal behaviour: what acts the same has one id, and what differs has another."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from split_mutants import mutants

import tokaudit
from tokaudit.products.compare.patterns.canonical import acceptor
from tokaudit.products.compare.patterns.splits import BYTE_LEVEL, Split, tiktoken
from tokaudit.products.compare.patterns.verdicts import NotDecided, Proved
from tokaudit.products.compare.proofs.cuts.prove import compare
from tokaudit.products.compare.proofs.merges.model import merge_model
from tokaudit.products.identity.short_id import short_id
from tokaudit_folders.folder import Folder
from tokaudit_reference.spec import (
    AddedToken,
    Component,
    ModelType,
    Piece,
    Standing,
    TokenizerSpec,
    TokenType,
)
from tokaudit_reference.text.published_patterns import GPT2

Command = Callable[..., "CompletedProcess[str]"]
WORDS = ["a", "b", "c", "ab", "abc", " ", " a"]
MERGES = (("a", "b"), ("ab", "c"), (" ", "a"))
SPELLED = GPT2.replace("'s|'t|'re|'ve|'m|'ll|'d", "'(?:[sdmt]|ll|ve|re)")
R50K = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"


def splitting(pattern: str) -> Component:
    options = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated"}
    return Component(options, Standing.STATED)


@pytest.fixture
def plain() -> TokenizerSpec:
    pieces = {id: Piece(TokenType.ORDINARY, word) for id, word in enumerate(WORDS)}
    none = Component(None, Standing.STATED)
    return TokenizerSpec(
        ModelType.BPE,
        pieces,
        merges=MERGES,
        added_tokens=(AddedToken(7, "<end>", special=True),),
        normalizer=none,
        pre_tokenizer=splitting(GPT2),
        decoder=none,
    )


def id_of(spec: TokenizerSpec) -> str:
    bpe = spec.model_type is ModelType.BPE
    return short_id(spec, merge_model(spec) if bpe else None).id


def test_what_is_written_differently_and_acts_the_same_has_one_id(plain: TokenizerSpec) -> None:
    for other in (
        replace(plain, merges=(MERGES[0], MERGES[2], MERGES[1])),
        replace(plain, pre_tokenizer=splitting(SPELLED)),
        replace(plain, added_tokens=(AddedToken(7, "<end>", special=True, normalized=False),)),
        replace(plain, pieces={**plain.pieces, 7: Piece(TokenType.CONTROL, "<end>")}),
        replace(plain, format="another", files=("other.json",)),
    ):
        assert id_of(other) == id_of(plain)


@pytest.mark.parametrize(
    "changed",
    [
        {"merges": (MERGES[0], MERGES[2])},
        {"merges": (MERGES[1], MERGES[0], MERGES[2])},
        {"pre_tokenizer": splitting(GPT2.replace("'s|", ""))},
        {"pre_tokenizer": Component()},
        {"normalizer": Component({"type": "NFC"}, Standing.STATED)},
        {"decoder": Component({"type": "Fuse"}, Standing.STATED)},
        {"post_processor": Component({"type": "BertProcessing", "sep": ["a", 0], "cls": ["b", 1]})},
        {"added_tokens": ()},
        {"added_tokens": (AddedToken(7, "<end>", special=True, lstrip=True),)},
        {"added_tokens": (AddedToken(8, "<end>", special=True),)},
        {"unk_id": 0},
        {"ignore_merges": True, "merges": MERGES[:1]},
        {"control_from_text": False},
    ],
)
def test_what_may_act_differently_has_another_id(
    plain: TokenizerSpec, changed: dict[str, Any]
) -> None:
    assert id_of(replace(plain, **changed)) != id_of(plain)


def test_entries_that_trade_ids_give_another_id(plain: TokenizerSpec) -> None:
    pieces = {**plain.pieces, 0: plain.pieces[1], 1: plain.pieces[0]}
    assert id_of(replace(plain, pieces=pieces)) != id_of(plain)


def test_an_entry_that_the_model_makes_counts_even_where_it_is_an_added_token(
    plain: TokenizerSpec,
) -> None:
    there = replace(plain, added_tokens=(AddedToken(4, "abc"),))
    gone = replace(there, pieces={id: p for id, p in plain.pieces.items() if id != 4})
    assert id_of(there) != id_of(gone)


def test_scores_enter_as_they_are_stated(plain: TokenizerSpec) -> None:
    one = replace(
        plain,
        model_type=ModelType.UNIGRAM,
        merges=None,
        scores=dict.fromkeys(plain.pieces, -1.0),
        unk_id=0,
    )
    assert id_of(one) != id_of(replace(one, scores={**one.scores, 3: -1.0000001}))
    assert "model" in short_id(one, None).as_listed


def test_a_part_that_is_not_canonical_is_named_with_the_reason(plain: TokenizerSpec) -> None:
    digits = Component({"type": "Digits", "individual_digits": True}, Standing.STATED)
    spec = replace(plain, pre_tokenizer=digits)
    assert short_id(spec, merge_model(spec)).as_listed == {
        "pre_tokenizer": "the pre-tokenizer Digits"
    }


def test_acceptors_are_equal_exactly_where_cuts_are_proved_to_be() -> None:
    assert acceptor((BYTE_LEVEL,)) == acceptor((tiktoken(R50K),)) == acceptor((Split(SPELLED),))
    compared = 0
    for _, _, changed in mutants({"gpt2": (Split(GPT2),)}, 12, seed=3):
        found = compare((BYTE_LEVEL,), changed)
        if not isinstance(found, NotDecided):
            same = acceptor((BYTE_LEVEL,)) == acceptor(changed)
            assert same is isinstance(found, Proved), changed
            compared += 1
    assert compared >= 9


def test_gpt2_has_one_id_in_three_formats(material: Path, tmp_path: Path) -> None:
    source = material / "tokenizers" / "gpt2"
    for name in ("vocab.json", "merges.txt"):
        shutil.copy(source / name, tmp_path)
    ids = {
        tokaudit.identify(path).id
        for path in (source / "tokenizer.json", tmp_path, source / "gpt2.tiktoken")
    }
    assert len(ids) == 1


def test_a_sentencepiece_model_is_not_the_same_as_its_tokenizer_json(
    material: Path, processes: None
) -> None:
    """SentencePiece takes no control token from text, and tokenizers does."""
    folder = material / "tokenizers" / "mistral-7b-v0.1"
    with (
        tokaudit.open(folder / "tokenizer.model") as model,
        tokaudit.open(folder / "tokenizer.json") as converted,
    ):
        texts = [each.reference.encode(["<s>"])[0].ids for each in (model, converted)]
        assert texts == [(523, 28713, 28767), (1,)]
        assert tokaudit.identify(model).id != tokaudit.identify(converted).id


def test_the_command_prints_the_id_and_checks_one(
    tmp_path: Path, tokaudit_in_fork: Command
) -> None:
    Folder.bpe("ab", [["a", "b"]]).write(tmp_path)
    printed = tokaudit_in_fork("id", tmp_path)
    found = printed.stdout.strip()
    assert printed.returncode == 0 and found == tokaudit.identify(tmp_path).id
    assert tokaudit_in_fork("id", tmp_path, "--check", found).returncode == 0
    other = tokaudit_in_fork("id", tmp_path, "--check", found[:-4] + "0000")
    assert (other.returncode, other.stderr) == (1, "another id\n")
    older = tokaudit_in_fork("id", tmp_path, "--check", "id1-u9.0-" + "0" * 32)
    assert (older.returncode, older.stderr) == (3, "an id made with another table of Unicode\n")
    assert tokaudit_in_fork("id", tmp_path, "--check", "sha256:0").returncode == 2
