"""Writes the catalogue of our own checks, which spares `tokaudit checks` to import them.

The checks are read as text, so that a wheel can be built where none of our requirements is
installed: `tools/hatch_build.py` does so, and `python tools/check_catalogue.py` in a clone.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "suites" / "tokaudit_suites"
if str(ROOT / "audit") not in sys.path:  # while a wheel is built
    sys.path.insert(0, str(ROOT / "audit"))

from tokaudit.foundation.catalogue import NAME, Listed, catalogue_of  # noqa: E402


def write(folder: Path = FOLDER) -> Path:
    """Write the catalogue into the package that it lists, and say where."""
    file = folder / NAME
    file.write_text(catalogue_of(str(folder), listed_in(folder)), encoding="utf-8")
    return file


def listed_in(folder: Path) -> list[Listed]:
    """What the list shows of each check of a package, read from the decorators."""
    modules = sorted(folder.glob("*/*.py"))
    trees = (ast.parse(module.read_text(encoding="utf-8")) for module in modules)
    return sorted(listed for tree in trees for listed in _declared(tree))


def _declared(tree: ast.Module) -> Iterator[Listed]:
    for node in tree.body:
        for made in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
            if isinstance(made, ast.Call) and getattr(made.func, "id", "") == "check":
                given = {word.arg: word.value for word in made.keywords}
                title, severity = ast.literal_eval(given["title"]), given["severity"]
                assert isinstance(severity, ast.Attribute), "severity is a member of Severity"
                yield Listed(ast.literal_eval(made.args[0]), severity.attr.lower(), title)


if __name__ == "__main__":
    write()
