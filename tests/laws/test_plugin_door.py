"""The door for plug-ins: what strangers and reports import, documented name by name."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest
from locations import ROOT

from tokaudit import plugin
from tokaudit_pages.plugin import first_sentence, page

SOURCE = Path(plugin.__file__).read_text(encoding="utf-8")
STRANGERS = (
    *sorted((ROOT / "tests" / "third_party").rglob("*.py")),
    *sorted((ROOT / "reports" / "tokaudit_reports").rglob("*.py")),
)
OF_THE_CORE = {"tokaudit", "tokaudit.plugin"}


def seen_by_type_checkers() -> dict[str, str]:
    """Name -> module, of the imports under `if TYPE_CHECKING`."""
    (branch,) = (node for node in ast.parse(SOURCE).body if isinstance(node, ast.If))
    return {
        alias.name: str(node.module)
        for node in branch.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def imported_modules(file: Path) -> set[str]:
    """The modules of the core that a file imports names from."""
    return {
        node.module
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module and not node.level
        if node.module.partition(".")[0] == "tokaudit"
    }


def test_type_checkers_see_the_names_that_are_there() -> None:
    homes = {name: home for names in plugin.SECTIONS.values() for name, home in names.items()}
    assert seen_by_type_checkers() == homes


@pytest.mark.parametrize("name", plugin.__all__)
def test_each_name_is_the_object_of_its_home_and_is_documented(name: str) -> None:
    homes = {each: home for names in plugin.SECTIONS.values() for each, home in names.items()}
    assert getattr(plugin, name) is getattr(importlib.import_module(homes[name]), name)
    assert first_sentence(name)


def test_the_page_lists_them_all() -> None:
    written = (ROOT / "docs" / "plugin.md").read_text(encoding="utf-8")
    assert written == page(), "run make docs"


def test_a_third_party_imports_the_door_alone() -> None:
    files = [file for file in STRANGERS if "third_party" in file.parts]
    others = {file.name: imported_modules(file) - OF_THE_CORE for file in files}
    assert {name: found for name, found in others.items() if found} == {}
