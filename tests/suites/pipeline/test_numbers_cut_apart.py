"""Numbers that are tokens, after a pattern that cuts at every digit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from run_here import Here

from tokaudit.engine.needs import Reference, Traces
from tokaudit.report.model import Finding, Severity
from tokaudit.subject.material import Subject
from tokaudit_reference.models.bpe.effective import effective_merges
from tokaudit_reference.spec import Component, ModelType, Piece, Standing, TokenizerSpec, TokenType

Call = Callable[..., list[Any]]
LETTERS = [chr(97 + at) + chr(97 + other) for at in range(26) for other in range(26)]
WORDS = [a + b for a in LETTERS for b in LETTERS[::7]][:5000]


def numbers(pattern: str) -> TokenizerSpec:
    """A byte-level vocabulary of many words and of all numbers of two digits."""
    pairs = LETTERS + [f"{number:02}" for number in range(100)]
    values = [bytes([byte]) for byte in range(256)] + [pair.encode() for pair in pairs]
    merges = [(pair[:1].encode(), pair[1:].encode()) for pair in pairs]
    longer = [word.encode() for word in WORDS]
    merges += [(word[:2], word[2:]) for word in longer]
    pieces = {id: Piece(TokenType.ORDINARY, value) for id, value in enumerate(values + longer)}
    level = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False}
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated"}
    steps = {"type": "Sequence", "pretokenizers": [split, level]}
    return TokenizerSpec(
        ModelType.BPE,
        pieces,
        merges=tuple(merges),
        byte_level=True,
        pre_tokenizer=Component(steps, Standing.STATED),
        files=("tokenizer.json",),
    )


@pytest.mark.parametrize(
    ("pattern", "severities"),
    [(r"[a-z]+|\p{N}{1,3}", []), (r"[a-z]+|\p{N}", [Severity.ERROR])],
)
def test_numbers_that_are_all_cut_apart_are_an_error_however_few(
    call: Call, pattern: str, severities: list[Severity]
) -> None:
    spec = numbers(pattern)
    here = Here(spec)
    output = call(
        "pipeline/split-apart",
        spec,
        effective_merges(spec),
        Reference(here),
        Traces(here),
        Subject("", Path(), ()),
    )
    found = [item.severity for item in output if isinstance(item, Finding)]
    assert found == severities
