"""Checker and prover share nothing but the spec, the certificate and the engine that runs."""

from __future__ import annotations

import ast
from importlib import util
from importlib.machinery import ModuleSpec
from pathlib import Path
from pkgutil import iter_modules

import pytest

from tokaudit.comparison import proofs

ROOT = "tokaudit.comparison"
KINDS = sorted(each.name for each in iter_modules(proofs.__path__) if each.ispkg)
SHARED = {
    "tokaudit.comparison": "a package with nothing in it",
    "tokaudit.comparison.proofs": "a package with nothing in it",
    "tokaudit.comparison.facet_names": "names alone",
    "tokaudit.comparison.proofs.claim": "the certificate and what it is about",
}


USED_BY_BOTH = {
    "tokaudit.subject.weights:read_headers": "reads files, as the parser of a spec does",
    "tokaudit_reference.text.patterns:compiled": "the engine that runs patterns",
}
"""What a prover and its checker use of other rooms, besides data."""
DATA = ("tokaudit_reference.spec", "tokaudit.report.comparison", "tokaudit.subject.material")
REFUSALS = ("tokaudit.foundation.errors", "tokaudit_reference.errors")


def find_spec(name: str) -> ModuleSpec | None:
    """What is known of a module; None of a name that is none."""
    try:
        return util.find_spec(name)
    except ModuleNotFoundError:
        return None


def imported(module: str) -> set[str]:
    """The modules of this room that a module imports, and all that these do."""
    found, waiting = set[str](), [module]
    while waiting:
        name = waiting.pop()
        spec = find_spec(name) if name.startswith(ROOT) else None
        if name in found or spec is None or spec.origin is None:
            continue
        found.add(name)
        waiting += name.rpartition(".")[:1]  # importing a module runs its package
        for node in ast.walk(ast.parse(Path(spec.origin).read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                waiting += [node.module, *(f"{node.module}.{each.name}" for each in node.names)]
            elif isinstance(node, ast.Import):
                waiting += [each.name for each in node.names]
    return {name for name in found if _is_module(name)}


def _is_module(name: str) -> bool:
    spec = find_spec(name)
    return spec is not None and spec.origin is not None


def used(module: str) -> set[str]:
    """What a module, and what it imports here, use of other rooms: functions and classes that act."""
    found = set[str]()
    for name in imported(module):
        spec = find_spec(name)
        assert spec is not None and spec.origin is not None
        for node in ast.walk(ast.parse(Path(spec.origin).read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tokaudit"):
                found |= {f"{node.module}:{each.name}" for each in node.names}
    return {each for each in found if not each.startswith((ROOT, *DATA, *REFUSALS))}


def of_every_prover() -> set[str]:
    return {name for kind in KINDS for name in imported(f"{proofs.__name__}.{kind}.prove")}


def test_there_are_eleven_kinds_each_with_a_prover_a_checker_and_an_argument() -> None:
    assert len(KINDS) == 11
    for kind in KINDS:
        assert _is_module(f"{proofs.__name__}.{kind}.prove")
        assert _is_module(f"{proofs.__name__}.{kind}.check")
        package = find_spec(f"{proofs.__name__}.{kind}")
        assert package is not None and package.origin is not None
        argument = ast.get_docstring(ast.parse(Path(package.origin).read_text(encoding="utf-8")))
        assert argument is not None and len(argument) > 400, kind


@pytest.mark.parametrize("kind", KINDS)
def test_a_checker_imports_nothing_that_a_prover_imports(kind: str) -> None:
    packages = {f"{proofs.__name__}.{each}" for each in KINDS}  # an argument, and no code
    ours = imported(f"{proofs.__name__}.{kind}.check")
    assert ours & of_every_prover() - SHARED.keys() - packages == set()


def test_a_prover_and_its_checker_share_data_and_two_functions_that_read_and_run() -> None:
    found = {
        name
        for kind in KINDS
        for name in used(f"{proofs.__name__}.{kind}.prove")
        & used(f"{proofs.__name__}.{kind}.check")
    }
    assert found == set(USED_BY_BOTH)


@pytest.mark.parametrize("kind", KINDS)
def test_the_package_of_a_kind_holds_an_argument_and_no_code(kind: str) -> None:
    package = find_spec(f"{proofs.__name__}.{kind}")
    assert package is not None and package.origin is not None
    body = ast.parse(Path(package.origin).read_text(encoding="utf-8")).body
    assert [type(node) for node in body] == [ast.Expr]
