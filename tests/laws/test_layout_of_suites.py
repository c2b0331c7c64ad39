"""Where things are in the suites: a file is a check named as its id, or its name has an underscore."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import tokaudit_suites
from tokaudit.engine.check import all_checks
from tokaudit.engine.examples import FOLDER

ROOT = Path(tokaudit_suites.__path__[0])
SHARED = "shared"
OURS = [c for c in all_checks() if c.function.__module__.startswith("tokaudit_suites.")]


def modules() -> list[tuple[str, ...]]:
    """Every module below the root but the packages themselves, as the parts of its name."""
    paths = (path.relative_to(ROOT).with_suffix("") for path in ROOT.rglob("*.py"))
    return sorted(p.parts for p in paths if p.name != "__init__" and FOLDER not in p.parts)


def suites() -> set[str]:
    return {check.suite for check in OURS}


def imported(module: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """What a module imports of the suites, as the parts of the names below the root."""
    tree = ast.parse(ROOT.joinpath(*module).with_suffix(".py").read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tokaudit_suites."):
            parts = tuple(str(node.module).split(".")[1:])
            yield from [parts] if len(parts) > 1 else [(*parts, name.name) for name in node.names]


def test_each_file_of_a_suite_is_the_check_that_it_is_named_as_or_has_an_underscore() -> None:
    named = {tuple(c.id.replace("-", "_").split("/")) for c in OURS}
    assert {m for m in modules() if m[0] != SHARED and not m[-1].startswith("_")} == named


def test_each_check_is_in_the_file_of_its_name() -> None:
    named = {c.id: ["tokaudit_suites", *c.id.replace("-", "_").split("/")] for c in OURS}
    assert {c.id: c.function.__module__.split(".") for c in OURS} == named


def test_what_several_suites_share_holds_no_check_and_nothing_is_loose_at_the_root() -> None:
    assert {m[0] for m in modules()} == {SHARED, *suites()}
    assert {len(m) for m in modules()} == {2}


def test_no_module_imports_a_check_and_no_suite_imports_another() -> None:
    used = {(module, other) for module in modules() for other in imported(module)}
    assert [u for u in sorted(used) if u[1][0] not in (SHARED, u[0][0]) and u[0][0] != SHARED] == []
    assert [u for u in sorted(used) if u[1][0] != SHARED and not u[1][-1].startswith("_")] == []
