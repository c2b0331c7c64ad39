"""Writes the catalogue of our own suites, which spares commands to import every check.

The modules are read as text, so that a wheel can be built where none of our requirements is
installed: `tools/hatch_build.py` does so, and `python tools/check_catalogue.py` in a clone.
"""

from __future__ import annotations

import ast
import os
import sys
from pathlib import Path
from typing import TypeGuard

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "suites" / "tokaudit_suites"
if str(ROOT / "audit") not in sys.path:  # while a wheel is built
    sys.path.insert(0, str(ROOT / "audit"))

from tokaudit import plugin  # noqa: E402
from tokaudit.foundation.plugins.catalogue import NAME, Catalogue, Listed, text_of  # noqa: E402

NEEDS = {"need", "need_from_worker"}  # decorators


def write(folder: Path = FOLDER) -> Path:
    """Write the catalogue into the package that it lists, whole or not at all, and say where."""
    file, being_written = folder / NAME, folder / f"{NAME}.{os.getpid()}"
    being_written.write_text(text_of(catalogue_of(folder), str(folder)), encoding="utf-8")
    being_written.replace(file)
    return file


def catalogue_of(folder: Path) -> Catalogue:
    """What a package holds, read from the decorators."""
    checks, needs = list[Listed](), list[tuple[str, str]]()
    for module in sorted(folder.glob("*/*.py")):
        name = ".".join(module.with_suffix("").parts[-3:])  # package, suite and check
        tree = ast.parse(module.read_text(encoding="utf-8"))
        for function in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
            checks += (_listed(made, name) for made in function.decorator_list if _is_check(made))
            if any(isinstance(m, ast.Name) and m.id in NEEDS for m in function.decorator_list):
                needs.append((_built_by(function, tree, name), name))
    return Catalogue(tuple(sorted(checks)), tuple(sorted(needs)))


def _is_check(decorator: ast.expr) -> TypeGuard[ast.Call]:
    return isinstance(decorator, ast.Call) and getattr(decorator.func, "id", "") == "check"


def _listed(made: ast.Call, module: str) -> Listed:
    given = {word.arg: word.value for word in made.keywords}
    title, severity = ast.literal_eval(given["title"]), given["severity"]
    assert isinstance(severity, ast.Attribute), "severity is a member of Severity"
    return Listed(ast.literal_eval(made.args[0]), severity.attr.lower(), title, module)


def _built_by(function: ast.FunctionDef, tree: ast.Module, module: str) -> str:
    """The full name of the type that a need builds, by the module that defines it."""
    assert isinstance(function.returns, ast.Name), f"{module} does not name the type it builds"
    built = function.returns.id
    imported = (node for node in tree.body if isinstance(node, ast.ImportFrom))
    home = next((n.module for n in imported if built in {a.name for a in n.names}), module)
    if home == plugin.__name__:
        home = next(names[built] for names in plugin.SECTIONS.values() if built in names)
    return f"{home}.{built}"


if __name__ == "__main__":
    write()
