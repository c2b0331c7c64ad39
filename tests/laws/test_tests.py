"""What tests owe each other: nothing imports one, fixtures say what starts, one builder writes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
TOOLS = TESTS.parent / "tools"
TREES = (TESTS, TOOLS, TESTS.parent / "benchmarks")
IMPORTS_A_TEST = re.compile(r"\b(?:from|import) (?:[\w.]+\.)?test_\w+")  # also in a program's text
MARKED = re.compile(r"mark\.process\b")
BY_HAND = re.compile(r"""["']type["']: ["']BPE["']""")
# Each with the reason why it spells a model out; the list may only become shorter.
SPELLED = {
    "audit/cli/test_command_line.py": "a file that breaks off in the middle",
    "audit/test_largest_layout.py": "262,144 entries, next to a model of SentencePiece",
    "audit/products/identity/test_recomputed_by_another_program.py": "nothing of ours makes what is hashed",
    "tools/test_folders.py": "what the builder is to write",
}
SPELLED_BY_TOOLS = {
    "tokaudit_folders/folder.py": "the builder itself, in its example",
    "tokaudit_folders/sick.py": "the healthy checkpoint, in the order in which the library writes",
}


def test_nothing_imports_a_test() -> None:
    texts = {
        file: file.read_text(encoding="utf-8") for tree in TREES for file in tree.rglob("*.py")
    }
    found = {
        file.relative_to(TESTS.parent).as_posix(): of_tests
        for file, text in texts.items()
        if (of_tests := IMPORTS_A_TEST.findall(text))
    }
    assert found == {}, "what two tests use is a module of tests/ without tests"


def test_what_starts_a_process_is_said_by_a_fixture_and_never_by_a_mark() -> None:
    files = sorted(TESTS.rglob("*.py"))
    found = [f.relative_to(TESTS).as_posix() for f in files if MARKED.search(f.read_text("utf-8"))]
    assert found == [], "decorate the fixture with @starts_processes, or ask for `processes`"


def test_tools_import_no_helper_of_the_tests() -> None:
    tests = {file.stem for file in TESTS.rglob("*.py")} - {"__init__"}
    own = {file.stem for file in TOOLS.iterdir()}
    found = {file.relative_to(TOOLS).as_posix(): {*imported(file)} for file in TOOLS.rglob("*.py")}
    used = {file: sorted(names & (tests - own)) for file, names in found.items()}
    assert {file: names for file, names in used.items() if names} == {}


@pytest.mark.parametrize(("root", "spelled"), [(TESTS, SPELLED), (TOOLS, SPELLED_BY_TOOLS)])
def test_no_test_and_no_tool_writes_a_bpe_model_by_hand(
    root: Path, spelled: Mapping[str, str]
) -> None:
    texts = {file: file.read_text(encoding="utf-8") for file in sorted(root.rglob("*.py"))}
    found = {
        file.relative_to(root).as_posix() for file, text in texts.items() if BY_HAND.search(text)
    }
    assert found == spelled.keys(), "write it with tokaudit_folders.folder.Folder"


def imported(file: Path) -> Iterator[str]:
    """The first part of every module that a file imports."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield str(node.module).partition(".")[0]
