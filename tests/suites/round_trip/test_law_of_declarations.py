"""A declared step excuses exactly what it makes of a text, whatever it is and whatever is lost."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from tokaudit.runtimes.adapters.reference_adapter import Reference as Adapter
from tokaudit.runtimes.protocol import Encoding
from tokaudit_reference.spec import Component, ModelType, Piece, Standing, TokenizerSpec, TokenType
from tokaudit_reference.steps.normalizers import normalizer
from tokaudit_reference.tokenizer import ReferenceTokenizer
from tokaudit_suites.round_trip import _promise
from tokaudit_suites.round_trip._promise import Returned, unexplained

DRAWS = 150
WORDS = ("not", "cat", "ever", "left", "ab", "ABC", "caf\u00e9", "x1")
OTHER = "\u0436"  # a letter that no drawn step looks for or writes


class Reference:
    """The reference as checks are given it."""

    def __init__(self, spec: TokenizerSpec) -> None:
        self.run = Adapter(ReferenceTokenizer(spec))

    def pre_tokens(self, texts: Sequence[str]) -> list[list[str]]:
        return [self.run.pre_tokens(text) for text in texts]


def drawn_step(draw: random.Random) -> dict[str, Any]:
    """A step that loses text by its declaration."""
    word, content = draw.choice(WORDS), draw.choice(("", "dog", "a"))
    pattern = draw.choice(({"String": word}, {"Regex": f"{word}+"}, {"Regex": f"(?i){word}"}))
    return draw.choice(
        (
            {"type": "Replace", "pattern": pattern, "content": content},
            {"type": "Lowercase"},
            {"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "StripAccents"}]},
            {"type": "Sequence", "normalizers": [{"type": "NFKC"}, {"type": "Lowercase"}]},
        )
    )


def spec_of(step: dict[str, Any]) -> TokenizerSpec:
    pieces = {0: Piece(TokenType.UNKNOWN, "?"), 1: Piece(TokenType.ORDINARY, "a")}
    plain = TokenizerSpec(ModelType.WORDLEVEL, pieces, unk_id=0)
    none = Component(None, Standing.STATED)
    return replace(plain, normalizer=Component(step, Standing.STATED), pre_tokenizer=none)


def damaged(text: str, draw: random.Random) -> str:
    """The text with another letter in place of one that no step concerns."""
    return text.replace(OTHER, draw.choice(("\u0437", "", "\u0436\u0436")), 1)


def broken(draws: int) -> list[str]:
    """Texts excused and not declared, or declared and not excused."""
    draw, found = random.Random(44), list[str]()
    for _ in range(draws):
        step = drawn_step(draw)
        spec = spec_of(step)
        given = normalizer(spec.normalizer)
        words = [draw.choice((*WORDS, OTHER)) for _ in range(draw.randint(2, 6))]
        text = " ".join([*words, OTHER])
        encoding = Encoding((1,))
        declared = Returned(text, encoding, given(text))
        lost = Returned(text, encoding, damaged(given(text), draw))
        for each, expected in (([declared], []), ([lost], [lost]), ([declared, lost], [lost])):
            left, _ = unexplained(spec, Reference(spec), each)  # type: ignore[arg-type]
            if left != expected:
                found.append(f"{step} on {text!r}: {[one.output for one in left]}")
    return found


def test_drawn_steps_excuse_what_they_make_of_a_text_and_nothing_else() -> None:
    assert broken(DRAWS) == []


def test_a_declaration_that_excuses_everything_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The seeded breach: whatever is declared, every loss is put down to it."""
    monkeypatch.setattr(_promise, "_words", lambda pieces: [])
    assert len(broken(20)) >= 20


def test_a_declaration_that_excuses_nothing_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_promise, "_words", lambda pieces: object())
    assert broken(20) != []
