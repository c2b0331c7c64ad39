"""What is known of other people's code is quoted in one room: no class is named outside of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

import tokaudit
from tokaudit.subject.upstream.model_type import every_type
from tokaudit.subject.upstream.tokenizer_class import ANY, every_class
from tokaudit.subject.upstream.versions import FIVE, FOUR

TREE = Path(tokaudit.__file__).parents[2]
ROOM = TREE / "audit" / "tokaudit" / "subject" / "upstream"
PACKAGES = ("audit", "suites", "reports", "reference_impl", "tools")
USERS = ("audit", "suites", "reports", "reference_impl")
"""What users install, where a text that is a model type is knowledge of its models."""
PROSE = frozenset(("title", "why", "remedy", "incident", "no_example"))
"""What a check's page shows."""
NAMED: Mapping[str, str] = {
    "audit/tokaudit/api/training/tokenizer_file.py": "writes the class of a trained tokenizer",
    "tools/tokaudit_defects": "the folders of published checkpoints, as they are",
    "tools/tokaudit_fuzz/of_formats": "the folders that it changes",
    "tools/tokaudit_fuzz/sample.py": "the settings of some of them",
    "tools/tokaudit_fuzz/samples.py": "the checkpoint that it changes",
    "tools/tokaudit_folders/sick.py": "a checkpoint as transformers saves it",
    "audit/tokaudit/api/demo/checkpoints.py": "writes the class of small checkpoints",
    "tools/tokaudit_mutants": "checkpoints as transformers saves them",
    "tools/tokaudit_upstream": "asks the library itself",
}
"""Where a class is named all the same, with the reason."""
TYPED: Mapping[str, str] = {
    "audit/tokaudit/api/demo/checkpoints.py": "writes the type of small checkpoints",
    "audit/tokaudit/api/training/": "writes files with the pattern of GPT-2",
    "audit/tokaudit/runtimes/adapters/mistral_common_adapter.py": "the name of a package",
    "audit/tokaudit/subject/formats/gguf/": "values that a file of llama.cpp states",
    "audit/tokaudit/subject/formats/rwkv_trie.py": "the name of a format",
    "audit/tokaudit/subject/formats/vocab_merges.py": "the family of a bare vocabulary",
    "audit/tokaudit/subject/formats/vocab_txt.py": "the family of a bare list",
    "suites/tokaudit_suites/special_tokens/_gguf_families.py": "values of llama.cpp",
    "reference_impl/tokaudit_reference/text/published_patterns.py": "the names of patterns",
}
"""Where a text is a model type, or spelled as one, with what it is there."""
QUOTED_VERSIONS = ("audit", "suites", "tools", "tests")
CITED = {"tests/helpers/samples/layouts.py": "cites a file as it was in that version"}
WORD = re.compile(r"\w+")
NAME = re.compile(r"[\w.-]+")
TYPES = frozenset(every_type())
NAMES = frozenset(name + end for name in (*every_class(), *ANY) for end in ("", "Fast"))


def quoted(tree: ast.AST) -> Iterator[str]:
    """The texts of a module, without its docstrings and without the prose of its checks."""
    passed: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            passed |= {id(each.value) for each in node.body if isinstance(each, ast.Expr)}
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "check":
            prose = (word.value for word in node.keywords if word.arg in PROSE)
            passed |= {id(each) for value in prose for each in ast.walk(value)}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in passed
        ):
            yield node.value


@cache
def source_of(path: Path) -> str:
    return path.read_text("utf-8")


@cache
def texts_of(path: Path) -> tuple[str, ...]:
    return tuple(quoted(ast.parse(source_of(path))))


def modules(*roots: str) -> Iterator[Path]:
    for root in roots:
        for path in sorted((TREE / root).rglob("*.py")):
            if not path.is_relative_to(ROOM):
                yield path


def named_in(path: Path) -> set[str]:
    """The classes that the texts of a module name; none is, if no word of its source is one."""
    if NAMES.isdisjoint(WORD.findall(source_of(path))):
        return set()
    return NAMES & {word for text in texts_of(path) for word in WORD.findall(text)}


def typed_in(path: Path) -> set[str]:
    """The texts of a module that are model types; none is, if its source has no such name."""
    return set() if TYPES.isdisjoint(NAME.findall(source_of(path))) else TYPES & {*texts_of(path)}


def test_no_class_of_a_library_is_quoted_outside_of_its_room() -> None:
    found = {
        f"{path.relative_to(TREE)}: {', '.join(sorted(names))}"
        for path in modules(*PACKAGES)
        if not str(path.relative_to(TREE)).startswith(tuple(NAMED)) and (names := named_in(path))
    }
    assert found == set()


def test_no_model_type_is_quoted_outside_of_the_room() -> None:
    found = {
        f"{path.relative_to(TREE)}: {', '.join(sorted(types))}"
        for path in modules(*USERS)
        if not str(path.relative_to(TREE)).startswith(tuple(TYPED)) and (types := typed_in(path))
    }
    assert found == set()


@pytest.mark.parametrize("place", sorted(NAMED))
def test_every_exception_is_one(place: str) -> None:
    paths = (path for path in modules(*PACKAGES) if str(path.relative_to(TREE)).startswith(place))
    assert any(named_in(path) for path in paths)


@pytest.mark.parametrize("place", sorted(TYPED))
def test_every_exception_of_model_types_is_one(place: str) -> None:
    paths = (path for path in modules(*USERS) if str(path.relative_to(TREE)).startswith(place))
    assert any(typed_in(path) for path in paths)


def test_the_versions_are_said_in_one_module() -> None:
    found = {
        str(path.relative_to(TREE))
        for path in modules(*QUOTED_VERSIONS)
        if FOUR in source_of(path) or FIVE in source_of(path)
        for text in texts_of(path)
        if FOUR in text or FIVE in text
    }
    assert found == set(CITED)
