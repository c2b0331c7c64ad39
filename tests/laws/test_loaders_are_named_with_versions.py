"""A sentence of a finding about a library that loads names the version that it is true of.

What checks say of themselves (why, remedy, title) holds for all versions, and is left out.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import tokaudit_suites

ROOT = Path(tokaudit_suites.__path__[0])
LIBRARY = re.compile(r"(?:sentence-)?\btransformers\b(?! \d|\.js\b)")  # transformers.js is another
OF_CHECKS = ("title", "why", "remedy", "milder", "incident", "no_example", "source")
VALUE = "7"  # stands for what is filled in
BY_TITLE = {
    "chat_template/_failing_shapes.py": "what the path of this library sends; the dialect is named",
    "chat_template/dialects.py": "both versions",
}


def sentences(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The line and the text of each string that a check may say, values filled in."""
    left = {
        id(inner)
        for node in ast.walk(tree)
        for own in (_docstrings(node), _of_checks(node))
        for each in own
        for inner in ast.walk(each)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr) and id(node) not in left:
            left |= {id(part) for part in node.values}
            parts = (p.value if isinstance(p, ast.Constant) else VALUE for p in node.values)
            yield node.lineno, "".join(map(str, parts))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in left:
            yield node.lineno, node.value


def _docstrings(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        yield node


def _of_checks(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.keyword) and node.arg in OF_CHECKS:
        yield node


def unnamed() -> Iterator[str]:
    for path in sorted(ROOT.rglob("*.py")):
        for line, text in sentences(ast.parse(path.read_text("utf-8"))):
            if LIBRARY.search(text):
                yield f"{path.relative_to(ROOT)}:{line}: {text[:80]}"


def test_a_sentence_about_transformers_names_its_version() -> None:
    found = [each for each in unnamed() if each.split(":")[0] not in BY_TITLE]
    assert found == []


def test_a_sentence_without_a_version_is_found() -> None:
    said = ast.parse('x = f"{y}: transformers refuses it"; z = f"transformers {v} takes it"')
    assert [bool(LIBRARY.search(text)) for _, text in sentences(said)] == [True, False]
