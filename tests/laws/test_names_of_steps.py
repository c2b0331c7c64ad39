"""What a step means is written in its own file: nobody else asks for its name or its class."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import tokaudit
import tokaudit_reference
import tokaudit_reports
import tokaudit_suites
from tokaudit_reference.steps.registered import PACKAGES, step_types
from tokaudit_reference.steps.sequence import SEQUENCE

ROOM = "tokaudit_reference.steps"
ROOTS = [
    Path(package.__path__[0]).parent
    for package in (tokaudit, tokaudit_reference, tokaudit_suites, tokaudit_reports)
]
# What is quoted in a file that is not the step's, because it is not the step's name there.
OTHER_THINGS = {
    "tokaudit_reference/steps/sequence.py": {"Sequence"},  # how several steps are stated
    "tokaudit_reference/steps/post_processors/template_processing.py": {"Sequence"},  # a text
    "tokaudit_reference/steps/normalizers/unicode_forms.py": {"NFC", "NFD", "NFKC", "NFKD"},
    "tokaudit/subject/formats/common/model_types.py": {"WordPiece"},  # the model of this name
    "tokaudit/products/train/reproducing.py": {"SentencePiece"},  # the trainer of this name
}

# A checker of a proof shares nothing with its prover, which asks the steps: it reads their options.
CHECKER = re.compile(
    r"tokaudit/products/compare/proofs/"
    r"(\w+/(check|options)|defaults|steps_of_files|cuts/splitting|scalars/characters)\.py"
)


@cache
def homes() -> dict[str, set[str]]:
    """Type -> the modules that define a step of this type."""
    found: dict[str, set[str]] = {SEQUENCE: set()}
    for stage in PACKAGES:
        for type, step in step_types(stage).items():
            found.setdefault(type, set()).add(step.__module__.replace(".", "/") + ".py")
    return found


class Names(NamedTuple):
    """What one file names: the strings that it quotes, and the classes of steps it asks for."""

    quoted: frozenset[str]
    asked_for: tuple[str, ...]


@cache
def files() -> dict[str, Names]:
    """What each file of ours names; its tree is not kept, since all of them fill memory."""
    return {
        path.relative_to(root).as_posix(): names_in(ast.parse(path.read_text()))
        for root in ROOTS
        for path in sorted(root.rglob("*.py"))
    }


def names_in(tree: ast.AST) -> Names:
    return Names(frozenset(quoted(tree)), tuple(classes_asked_for(tree)))


def quoted(tree: ast.AST) -> Iterator[str]:
    """The strings of a file, but those that name a Unicode form to `normalize`."""
    forms = {
        id(call.args[0])
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and call.args and _name(call.func) == "normalize"
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in forms:
            yield node.value


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def strangers(name: str, quoted: Iterable[str]) -> list[str]:
    """The types of steps that a file quotes and does not define."""
    if CHECKER.fullmatch(name):
        return []
    allowed = OTHER_THINGS.get(name, set())
    types = [text for text in quoted if text in homes() and text not in allowed]
    return [type for type in types if name not in homes()[type]]


def classes_asked_for(tree: ast.AST) -> list[str]:
    """The classes of steps by which a file tells objects apart, or whose names it compares."""
    imported = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(ROOM)
        for alias in node.names
        if alias.name[0].isupper()
    }
    asked: list[ast.AST] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _name(node.func) in ("isinstance", "issubclass"):
            asked += node.args[1:]
        elif isinstance(node, ast.MatchClass):
            asked.append(node.cls)
        elif isinstance(node, ast.Compare):
            asked += [node.left, *node.comparators]
    names = [n.id for part in asked for n in ast.walk(part) if isinstance(n, ast.Name)]
    return [name for name in names if name in imported - {"Component", "Standing", "Pattern"}]


def test_a_quoted_type_of_a_step_occurs_in_its_own_files_only() -> None:
    found = {name: strangers(name, names.quoted) for name, names in files().items()}
    assert {name: types for name, types in found.items() if types} == {}


def test_nothing_outside_the_steps_asks_for_the_class_of_a_step() -> None:
    asked = {name: names.asked_for for name, names in files().items() if names.asked_for}
    assert [name for name in asked if not name.startswith("tokaudit_reference/steps/")] == []


def test_every_exception_is_needed() -> None:
    unneeded = {name: sorted(other - files()[name].quoted) for name, other in OTHER_THINGS.items()}
    assert {name: types for name, types in unneeded.items() if types} == {}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('kind == "Strip"', ["Strip"]),
        ('CUTS = {"Split", "Digits"}', ["Split", "Digits"]),
        ('unicodedata.normalize("NFC", text)', []),
        ('normalizer("NFC")', ["NFC"]),
        ('"""Strip"s are not quoted in prose."""', []),
    ],
)
def test_a_name_that_is_asked_for_is_noticed(source: str, found: list[str]) -> None:
    assert sorted(strangers("elsewhere.py", quoted(ast.parse(source)))) == sorted(found)


@pytest.mark.parametrize(
    "asking",
    [
        "isinstance(step, Strip)",
        "isinstance(step, (str, Strip))",
        "type(step) is Strip",
        "step.type == Strip.type",
        "match step:\n    case Strip():\n        pass",
    ],
)
def test_a_class_that_is_asked_for_is_noticed(asking: str) -> None:
    source = f"from {ROOM}.normalizers.strip import Strip\n{asking}\n"
    assert classes_asked_for(ast.parse(source)) == ["Strip"]
