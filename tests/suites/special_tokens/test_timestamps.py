"""Whisper's timestamps are where its class counts them, and each way to move them is found."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from real_tokenizers import put

import tokaudit
from tokaudit.report.model import Finding, Severity, Status
from tokaudit.subject.material import Fact, Subject
from tokaudit.subject.upstream.published.speech_prompt import times
from tokaudit_reference.spec import AddedToken, ModelType, Piece, TokenizerSpec, TokenType

Call = Callable[..., list[Any]]
NONE, TIMES = "<|notimestamps|>", times()
BEGIN = 6


def whisper(*times: AddedToken, special: bool = True) -> TokenizerSpec:
    """A vocabulary of four letters, silence, the marker, and timestamps after it."""
    pieces = {id: Piece(TokenType.ORDINARY, letter) for id, letter in enumerate("abcd")}
    before = (
        AddedToken(4, "<|nospeech|>", special=True),
        AddedToken(5, NONE, special=special),
    )
    return TokenizerSpec(
        ModelType.BPE,
        pieces,
        added_tokens=(*before, *times),
        format="tokenizer.json",
        files=("tokenizer.json",),
    )


ALL = tuple(AddedToken(BEGIN + at, text) for at, text in enumerate(TIMES))


def subject(**facts: int) -> Subject:
    stated = (Fact(name, value, "c.json", f"/{name}") for name, value in facts.items())
    return Subject("m", Path(), (), tuple(stated))


def reported(call: Call, spec: TokenizerSpec, **facts: int) -> list[tuple[Severity, str]]:
    found = call("special_tokens/timestamps", spec, subject(**facts))
    return [(f.severity, f.cause) for f in found if isinstance(f, Finding)]


def test_the_class_has_times_from_zero_to_thirty_seconds() -> None:
    assert (len(TIMES), TIMES[0], TIMES[1], TIMES[-1]) == (
        1501,
        "<|0.00|>",
        "<|0.02|>",
        "<|30.00|>",
    )


def test_timestamps_after_the_marker_are_silent(call: Call) -> None:
    assert reported(call, whisper(*ALL), no_timestamps_token_id=5, vocab_size=BEGIN + 1501) == []


def test_a_tokenizer_saved_without_them_leaves_them_room(call: Call) -> None:
    assert reported(call, whisper(), vocab_size=BEGIN + 1501) == []
    assert reported(call, whisper(), vocab_size=BEGIN + 1500) == [(Severity.WARNING, "room")]


@pytest.mark.parametrize(
    ("times", "cause"),
    [
        (ALL[:-1], "ids"),
        (tuple(replace(token, id=token.id + 1) for token in ALL), "ids"),
        ((replace(ALL[0], id=ALL[1].id), replace(ALL[1], id=ALL[0].id), *ALL[2:]), "ids"),
        ((*ALL[:7], replace(ALL[7], special=True), *ALL[8:]), "special"),
    ],
)
def test_a_timestamp_that_is_moved_or_special_is_an_error(
    call: Call, times: tuple[AddedToken, ...], cause: str
) -> None:
    assert reported(call, whisper(*times)) == [(Severity.ERROR, cause)]


def test_a_time_that_the_class_does_not_know_is_a_warning(call: Call) -> None:
    more = AddedToken(ALL[-1].id + 1, "<|30.02|>")
    assert reported(call, whisper(*ALL, more)) == [(Severity.WARNING, "others")]


def test_generation_that_counts_from_another_id_is_an_error(call: Call) -> None:
    assert reported(call, whisper(*ALL), no_timestamps_token_id=50363) == [
        (Severity.ERROR, "config")
    ]


def test_a_marker_that_is_not_special_is_an_error(call: Call) -> None:
    assert reported(call, whisper(*ALL, special=False)) == [(Severity.ERROR, "marker")]


def test_another_tokenizer_has_no_timestamps(tmp_path: Path) -> None:
    model = {"type": "WordLevel", "vocab": {"[UNK]": 0}, "unk_token": "[UNK]"}
    put(tmp_path / "tokenizer.json", json.dumps({"model": model, "added_tokens": []}).encode())
    result = tokaudit.run_check("special_tokens/timestamps", tmp_path)
    assert result.status is Status.NOT_APPLICABLE
