"""Every value in the records is one that a recorded answer needs: without it, a test fails."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from leaves import KINDS, leaves, silent, without_leaf
from upstream_room import forget

RECORD = {"a": 1, "source": "x", "files": [], "b": {"c": [2, 3], "d": {}, "keys": "e f"}}


@pytest.fixture(autouse=True)
def nothing_is_remembered() -> Iterator[None]:
    yield
    forget()


def test_a_leaf_is_a_value_or_an_entry_of_a_list() -> None:
    found = [*leaves(RECORD)]
    of_list = [("b", "c"), ("b", "c", 0), ("b", "c", 1)]
    assert found == [("a",), *of_list, ("b", "d"), ("b", "keys"), *(("b", "keys", w) for w in "ef")]
    assert without_leaf(RECORD, ("b", "c", 0))["b"] == {"c": [3], "d": {}, "keys": "e f"}
    assert without_leaf(RECORD, ("b", "keys", "e"))["b"] == {"c": [2, 3], "d": {}, "keys": "f"}
    assert without_leaf(RECORD, ("a",)).keys() == RECORD.keys() - {"a"}


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_leaf_that_is_deleted_loses_an_answer(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found, count = silent(monkeypatch, kind)
    assert found == [] and count > 100
