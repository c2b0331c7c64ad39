"""Suites judge what they are given: only the provider of a need opens a file or starts a worker."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import tokaudit_suites

ROOT = Path(tokaudit_suites.__path__[0])
READS = ("open", "read_bytes", "read_text", "open_regular", "head", "sha256", "load", "Path")
STARTS = ("Popen", "Workers", "WorkerTokenizer", "LoadRequest", "open_subject")
OPENING = frozenset([*READS, *STARTS, "files", "as_file"])


def modules() -> list[str]:
    return sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py"))


def used(tree: ast.AST) -> Iterator[str]:
    """Every name that is imported, and every function that is called."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom | ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            yield node.func.id if isinstance(node.func, ast.Name) else node.func.attr


def decorators(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        for one in getattr(node, "decorator_list", ()):
            name = one.func if isinstance(one, ast.Call) else one
            yield getattr(name, "id", "")


def test_what_opens_a_file_or_starts_a_worker_builds_a_need_and_judges_nothing() -> None:
    trees = {module: ast.parse((ROOT / module).read_text()) for module in modules()}
    opening = {module: set(decorators(t)) for module, t in trees.items() if OPENING & set(used(t))}
    needs = {"need", "need_from_worker"}
    assert [module for module, found in opening.items() if not found & needs] == []
    assert [module for module, found in opening.items() if "check" in found] == []


def test_it_is_seen_where_the_built_in_texts_are_read() -> None:
    tree = ast.parse((ROOT / "shared" / "sample_texts.py").read_text())
    assert {"files", "read_text", "load"} <= set(used(tree))
