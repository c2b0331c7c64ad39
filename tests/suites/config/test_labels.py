"""Labels of a classifier have one number each, from 0 up."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokaudit_folders.folder import Folder

Ask = Callable[..., list[Any]]
THREE = {"0": "no", "1": "maybe", "2": "yes"}
INVERSE = {"no": 0, "maybe": 1, "yes": 2}


@pytest.mark.parametrize(
    ("names", "numbers", "causes"),
    [
        (THREE, INVERSE, []),
        (THREE, None, []),
        (THREE, {"LABEL_0": 0, "LABEL_1": 1}, []),
        (THREE, {"no": 2, "maybe": 1, "yes": 0}, ["two maps"]),
        (THREE, {"no": 1, "maybe": 2, "yes": 3}, ["two maps"]),
        ({"1": "no", "2": "yes"}, {"no": 1, "yes": 2}, ["rows"]),
        ({"0": "O", "1": "O"}, {"O": 1}, []),
        ({"a": "b"}, {"b": 5}, []),
        ({"0": 0, "1": 1}, {"0": 1}, []),
        (["no", "yes"], {"no": 1}, []),
        ({"9" * 5000: "no"}, {"no": 1}, []),
    ],
)
def test_both_maps_of_labels_agree_and_begin_at_zero(
    ask: Ask, tmp_path: Path, names: Any, numbers: Any, causes: list[str]
) -> None:
    folder = Folder.bpe("ab").config(id2label=names, label2id=numbers)
    found = ask("config/labels", folder.write(tmp_path)) if _named(names) else []
    assert [(str(each.severity), each.cause) for each in found] == [("error", c) for c in causes]


def _named(names: Any) -> bool:
    """Whether the check has a map to look at; what is none is not applicable."""
    return isinstance(names, dict) and all(
        len(key) < 10 and key.isdecimal() and isinstance(text, str) for key, text in names.items()
    )


def test_labels_exchanged_are_told_with_both_numbers(ask: Ask, tmp_path: Path) -> None:
    folder = Folder.bpe("ab").config(id2label=THREE, label2id={**INVERSE, "no": 2, "yes": 0})
    [only] = ask("config/labels", folder.write(tmp_path))
    assert (
        "2 labels have another number in label2id than in id2label of config.json" in only.message
    )
    assert "'no' has 2 instead of 0, 'yes' has 0 instead of 2" in only.message
