"""Counts lines, doors, small modules and wordings over the syntax trees of a checkout."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOTS = {
    "tokaudit": "audit",
    "tokaudit_reference": "reference_impl",
    "tokaudit_suites": "suites",
    "tokaudit_reports": "reports",
}
CORE = ("foundation", "report", "subject", "runtimes", "shards", "engine", "plugin")
MOST_ENTRIES = 15  # of a folder, at the second level and below
SMALL = 60  # lines
QUESTIONS = ("What", "Whether", "How", "Where", "Who", "Which", "Those", "Whose", "When", "Why")


@dataclass(frozen=True)
class Tree:
    """The modules of the product by their full names, each parsed once."""

    root: Path

    @cached_property
    def files(self) -> dict[str, Path]:
        """Name of a module -> its file."""
        found: dict[str, Path] = {}
        for package, folder in ROOTS.items():
            for file in sorted((self.root / folder / package).rglob("*.py")):
                parts = file.relative_to(self.root / folder).with_suffix("").parts
                found[".".join(parts).removesuffix(".__init__")] = file
        return found

    @cached_property
    def texts(self) -> dict[str, str]:
        """Name of a module -> its text."""
        return {name: file.read_text(encoding="utf-8") for name, file in self.files.items()}

    @cached_property
    def parsed(self) -> dict[str, ast.Module]:
        """Name of a module -> its syntax tree."""
        return {name: ast.parse(text) for name, text in self.texts.items()}

    def lines(self, *prefixes: str) -> int:
        """Lines of all modules whose names begin so."""
        return sum(
            text.count("\n")
            for name, text in self.texts.items()
            if any(name == each or name.startswith(f"{each}.") for each in prefixes)
        )

    @cached_property
    def imported(self) -> dict[str, dict[str, set[str]]]:
        """Importing module -> imported module -> names, those for typing and in functions too."""
        found: dict[str, dict[str, set[str]]] = {}
        for name, tree in self.parsed.items():
            mine: dict[str, set[str]] = defaultdict(set)
            for node in ast.walk(tree):
                if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    for alias in node.names:
                        whole = f"{node.module}.{alias.name}"
                        if whole in self.files:
                            mine[whole].add("")
                        elif node.module in self.files:
                            mine[node.module].add(alias.name)
            found[name] = dict(mine)
        return found


def figures(root: Path) -> dict[str, int]:
    """Every figure by its name in `ratchets.toml`."""
    tree = Tree(root)
    used = imports_of_suites(tree)
    return {
        "product_lines": tree.lines(*ROOTS),
        "core_lines": tree.lines(*(f"tokaudit.{room}" for room in CORE)),
        "modules_that_suites_import": len(used),
        "names_that_suites_import": sum(map(len, used.values())),
        "modules_in_import_cycles": len(in_cycles(tree)),
        "folders_of_more_than_fifteen": sum(1 for _ in wide_folders(tree)),
        "small_modules_with_one_importer": sum(1 for _ in small_with_one_importer(tree)),
        "docstrings_that_begin_with_a_question": sum(1 for _ in questions(tree)),
    }


def imports_of_suites(tree: Tree) -> Mapping[str, set[str]]:
    """What suites import of the core and of the reference: names by module."""
    found: dict[str, set[str]] = defaultdict(set)
    for name, imported in tree.imported.items():
        if name.startswith("tokaudit_suites"):
            for module, names in imported.items():
                if not module.startswith("tokaudit_suites"):
                    found[module] |= names
    return found


def in_cycles(tree: Tree) -> set[str]:
    """Modules that import each other, for typing or in functions too, or lie between such."""
    left = set(tree.imported)
    while True:
        importing = {name for name in left if left & tree.imported[name].keys()}
        imported = {module for name in left for module in tree.imported[name]}
        if left == importing & imported:
            return left
        left &= importing & imported


def wide_folders(tree: Tree) -> Iterator[str]:
    """Folders of `tokaudit`, the top one left out, that hold too many modules and folders."""
    entries = Counter(
        name.rpartition(".")[0] for name in tree.files if name.startswith("tokaudit.")
    )
    for package, count in sorted(entries.items()):
        if package != "tokaudit" and count > MOST_ENTRIES:
            yield package


def small_with_one_importer(tree: Tree) -> Iterator[str]:
    """Small modules that one other module imports, the checks left out, which none does."""
    importers = Counter(module for imported in tree.imported.values() for module in imported)
    for name, text in tree.texts.items():
        package = tree.files[name].name == "__init__.py"
        if not package and text.count("\n") < SMALL and importers[name] == 1:
            yield name


def questions(tree: Tree) -> Iterator[str]:
    """Docstrings that begin with a clause where a noun or a verb would do."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for name, parsed in tree.parsed.items():
        for node in ast.walk(parsed):
            words = ast.get_docstring(node, clean=False) if isinstance(node, kinds) else None
            if words and words.split(maxsplit=1)[0].rstrip(",.:") in QUESTIONS:
                yield f"{name}: {words.splitlines()[0]}"
