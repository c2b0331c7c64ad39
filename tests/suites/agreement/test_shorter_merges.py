"""Where one list of merges ends early, the place is the list and no entry that it lacks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

Ask = Callable[..., list[Any]]


def test_a_list_that_ends_early_is_blamed_as_a_list(
    folder: Path, ask: Ask, sick: ModuleType
) -> None:
    lines = (folder / "merges.txt").read_text("utf-8").splitlines()
    (folder / "merges.txt").write_text("\n".join([*lines[:-1], ""]), "utf-8")
    (finding,) = ask("agreement/merges", folder)
    assert "differ at rank 119" in finding.message and "the end in merges.txt." in finding.message
    places = {place.file: place.pointer for place in finding.places}
    assert places["tokenizer.json"] == "/model/merges/119"
    assert "119" not in places["merges.txt"]
