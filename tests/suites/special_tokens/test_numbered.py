"""Numbered added tokens have ids in the order of their numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tokaudit.foundation.errors import NotApplicable
from tokaudit_folders.folder import Folder

Ask = Callable[..., list[Any]]
CHECK = "special_tokens/numbered"


def said(ask: Ask, tokens: Sequence[str], path: Path) -> list[tuple[str, str]]:
    found = ask(CHECK, Folder.bpe("ab").added(*tokens).write(path))
    return [(str(each.severity), each.cause) for each in found]


def family(form: str, numbers: Sequence[int]) -> list[str]:
    return [form.format(number) for number in numbers]


CODES = family("<code_{}>", range(40))
ORDER, GAP = [("warning", "another order")], [("warning", "left out")]
SHUFFLED = Random(1).sample(CODES, 40)


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        (CODES, []),
        (CODES[::-1], []),
        (sorted(CODES), ORDER),
        (family("<code_{}|>", sorted(range(40), key=str)), ORDER),
        (sorted(family("<code_{}|>", range(40))), ORDER),
        (SHUFFLED, ORDER),
        ([each for each in SHUFFLED if each != "<code_7>"], []),
        (family("<loc{:04}>", range(40)), []),
        ([*CODES[:17], *CODES[18:]], GAP),
        ([*CODES[:17], "<other>", *CODES[18:]], []),
        ([*CODES[:17], *CODES[19:]], []),
        ([*CODES[:9], *CODES[10:20], *CODES[21:]], []),
        (family("<{}>", range(0, 80, 2)), []),
        ([*CODES[20:], *CODES[:20]], []),
    ],
    ids=[
        "rising", "falling", "by text", "by digits",
        "by text where digits end in a bar", "shuffled", "shuffled and one lacks", "padded", "one lacks", "one is replaced",
        "two lack", "two alone lack", "even numbers", "two runs",
    ],
)  # fmt: skip
def test_ids_that_do_not_follow_the_numbers_are_a_warning(
    tmp_path: Path, ask: Ask, tokens: list[str], expected: list[tuple[str, str]]
) -> None:
    assert said(ask, tokens, tmp_path) == expected


def test_a_few_numbered_tokens_are_no_family(tmp_path: Path, ask: Ask) -> None:
    with pytest.raises(NotApplicable):
        said(ask, sorted(CODES[:11]), tmp_path)


def test_times_of_day_are_no_numbered_tokens(ask: Ask, tmp_path: Path) -> None:
    minutes = [at * 23 % 60 for at in range(60)]
    with pytest.raises(NotApplicable):
        folder = Folder.bpe("ab").added(*family("09.{:02}", minutes), special=False)
        ask(CHECK, folder.write(tmp_path / "a"))
    assert said(ask, family("<09.{:02}>", minutes), tmp_path / "b") == ORDER
