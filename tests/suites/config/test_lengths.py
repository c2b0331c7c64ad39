"""A length is a whole number above zero, whatever a file of JSON can spell."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokaudit_folders.folder import Folder

Ask = Callable[..., list[Any]]


@pytest.mark.parametrize(
    ("length", "severities"),
    [
        (512, []),
        (512.0, []),
        (1e30, []),
        (10**400, []),
        (float("inf"), []),
        (0, ["error"]),
        (-1, ["error"]),
        (2.5, ["error"]),
        (float("nan"), ["error"]),
    ],
)
def test_a_maximum_length_that_is_none_is_an_error(
    tmp_path: Path, ask: Ask, length: float, severities: list[str]
) -> None:
    folder = Folder.bpe("ab").tokenizer_config(model_max_length=length).write(tmp_path)
    found = ask("config/lengths", folder)
    assert [str(finding.severity) for finding in found] == severities
