"""`tokaudit trace`, as it is installed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

GPT2 = "tokenizers/gpt2"


def test_every_stage_is_a_line(tokaudit_in_fork, material: Path) -> None:  # type: ignore[no-untyped-def]
    done = tokaudit_in_fork("trace", material / GPT2, "hell<|endoftext|>")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "text         'hell' [0, 4)",
        "  piece      'hell' [0, 4)",
        "    merge    'h' + 'e'  rank 2",
        "    merge    'l' + 'l'  rank 41",
        "    merge    'he' + 'll'  rank 12502",
        "    token      12758 'hell' [0, 4)",
        "added token  '<|endoftext|>' [4, 17) -> 50256",
        "ids          12758 50256",
    ]


def test_the_stages_are_to_be_had_as_json(tokaudit_in_fork, material: Path) -> None:  # type: ignore[no-untyped-def]
    done = tokaudit_in_fork("trace", material / GPT2, "hi<|endoftext|>", "--no-special", "--json")
    [segment] = json.loads(done.stdout)
    assert segment["normalized"] == "hi<|endoftext|>"
    assert segment["pieces"][0]["tokens"] == [{"id": 5303, "token": "hi", "offsets": [0, 2]}]


def test_what_a_terminal_would_obey_is_escaped(tokaudit_in_fork, material: Path) -> None:  # type: ignore[no-untyped-def]
    done = tokaudit_in_fork("trace", material / GPT2, "\x1b[31m\u202e")
    assert "\x1b" not in done.stdout and "\u202e" not in done.stdout
    assert r"\x1b" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("nowhere", "text"), 3, "nowhere"),
        (("GPT2", "text", "--format", "gguf"), 2, "its formats: tokenizer.json"),
        (("CL100K", "text"), 3, "the split pattern is not stated; give it with --pattern"),
    ],
)
def test_what_cannot_be_traced_is_one_line(
    tokaudit_in_fork,  # type: ignore[no-untyped-def]
    material: Path,
    tmp_path: Path,
    arguments: tuple[str, ...],
    code: int,
    says: str,
) -> None:
    ranks = tmp_path / "unknown.tiktoken"
    ranks.write_text("YQ== 0\nYg== 1\n")
    places = {"GPT2": str(material / GPT2), "CL100K": str(ranks)}
    done = tokaudit_in_fork("trace", *(places.get(part, part) for part in arguments))
    assert (done.returncode, done.stdout) == (code, "")
    assert says in done.stderr and len(done.stderr.splitlines()) == 1
