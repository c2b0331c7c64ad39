"""What the vocabulary says of steps that were lost: cuts at words and numbers, and a normalizer."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from run_here import Here

from tokaudit.engine.needs import Traces
from tokaudit.foundation.errors import NotApplicable
from tokaudit.report.model import Finding
from tokaudit.subject.material import Subject
from tokaudit_reference.spec import Component, ModelType, Piece, Standing, TokenizerSpec, TokenType
from tokaudit_suites.pipeline._learned_texts import learned_texts

Call = Callable[..., list[Any]]
NUMBERS = [f"{number:0{length}}" for length in (1, 2, 3) for number in range(10**length)]
WORDS = ["".join(letters) for letters in product("abcdefghij", repeat=4)]
LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False}


def split(pattern: str) -> dict[str, Any]:
    return {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated"}


def byte_level(texts: list[str], *patterns: str) -> TokenizerSpec:
    """A vocabulary of bytes and of these texts after some patterns."""
    values = [bytes([byte]) for byte in range(256)] + [text.encode() for text in texts]
    steps = {"type": "Sequence", "pretokenizers": [*map(split, patterns), LEVEL]}
    return TokenizerSpec(
        ModelType.BPE,
        {id: Piece(TokenType.ORDINARY, value) for id, value in enumerate(values)},
        merges=(),
        byte_level=True,
        pre_tokenizer=Component(steps, Standing.STATED),
        files=("tokenizer.json",),
    )


@pytest.mark.parametrize(
    ("texts", "patterns", "causes"),
    [
        ([*WORDS, *NUMBERS], ("[0-9]{1,3}", " ?[a-z]+"), []),
        ([*WORDS, *NUMBERS], (" ?[a-z]+",), ["numbers"]),
        ([*WORDS, *NUMBERS], ("[0-9]{1,3}",), ["words"]),
        ([*WORDS, *NUMBERS, "1234"], (" ?[a-z]+",), []),
        ([*WORDS, *NUMBERS[:500]], (" ?[a-z]+",), []),
        ([*WORDS, "of the"], (), []),
        (WORDS[:3000], (), []),
    ],
    ids=["whole", "numbers", "words", "longer numbers", "few numbers", "two words", "few words"],
)
def test_a_cut_that_the_vocabulary_shows_and_no_step_makes_is_an_error(
    call: Call, texts: list[str], patterns: tuple[str, ...], causes: list[str]
) -> None:
    spec = byte_level(texts, *patterns)
    found = call(
        "pipeline/left-whole",
        spec,
        learned_texts.build(spec),
        Traces(Here(spec)),
        Subject("", Path(), ()),
    )
    assert [(str(item.severity), item.cause) for item in found] == [("error", c) for c in causes]


PLAIN = ["\u2581The", *(f"\u2581{word}" for word in WORDS[:8000]), "–", "—", "’", "“"]


def unigram(texts: list[str], normalizer: dict[str, Any] | None) -> TokenizerSpec:
    pieces = {0: Piece(TokenType.UNKNOWN, "<unk>")}
    pieces |= {id: Piece(TokenType.ORDINARY, text) for id, text in enumerate(texts, start=1)}
    return TokenizerSpec(
        ModelType.UNIGRAM,
        pieces,
        scores=dict.fromkeys(pieces, -1.0),
        unk_id=0,
        normalizer=Component(normalizer, Standing.STATED),
        pre_tokenizer=Component(None, Standing.STATED),
        files=("tokenizer.json",),
    )


@pytest.mark.parametrize(
    ("texts", "normalizer", "reported"),
    [
        (PLAIN, None, 1),
        (PLAIN, {"type": "NFC"}, 1),
        (PLAIN, {"type": "NFKC"}, 0),
        ([*PLAIN, "…", "½"], None, 0),
        (PLAIN[:8001], None, 0),
    ],
    ids=["lost", "another", "there", "never there", "ASCII alone"],
)
def test_a_normalizer_that_the_vocabulary_was_learned_after_is_missed(
    call: Call, texts: list[str], normalizer: dict[str, Any] | None, reported: int
) -> None:
    spec = unigram(texts, normalizer)
    output = call("pipeline/lost-normalizer", spec, learned_texts.build(spec), Traces(Here(spec)))
    assert len([item for item in output if isinstance(item, Finding)]) == reported


@pytest.mark.parametrize(
    ("more", "normalizer", "causes"),
    [
        ([], None, ["capitals"]),
        ([], {"type": "Lowercase"}, []),
        (["A", "B"], None, ["capitals"]),
        (["The"], None, []),
    ],
    ids=["lost", "there", "letters alone", "never there"],
)
def test_capitals_that_no_token_has_and_the_normalizer_keeps_are_an_error(
    call: Call, more: list[str], normalizer: dict[str, Any] | None, causes: list[str]
) -> None:
    spec = unigram([*WORDS[:8000], *more], normalizer)
    found = call("pipeline/lost-normalizer", spec, learned_texts.build(spec), Traces(Here(spec)))
    assert [(str(item.severity), item.cause) for item in found] == [("error", c) for c in causes]


def test_a_small_vocabulary_shows_nothing_of_its_normalizer(call: Call) -> None:
    spec = unigram(PLAIN[4000:], None)
    with pytest.raises(NotApplicable):
        call("pipeline/lost-normalizer", spec, learned_texts.build(spec), Traces(Here(spec)))
