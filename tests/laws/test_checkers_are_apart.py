"""Checker and prover share nothing but the spec, the certificate and the engine that runs."""

from __future__ import annotations

import ast
import sys
from importlib import import_module, util
from importlib.machinery import ModuleSpec
from pathlib import Path
from pkgutil import iter_modules

import pytest

from tokaudit.products.compare import proofs

ROOT = "tokaudit.products.compare"
KINDS = sorted(each.name for each in iter_modules(proofs.__path__) if each.ispkg)
SHARED = {
    "tokaudit.products.compare": "a package with nothing in it",
    "tokaudit.products.compare.proofs": "a package with nothing in it",
    "tokaudit.engine.facet_names": "names alone",
    "tokaudit.products.compare.proofs.claim": "the certificate and what it is about",
}


USED_BY_BOTH = {
    "tokaudit.subject.weights.headers": "reads files, as the parser of a spec does",
    "tokaudit_reference.text.patterns": "the engine that runs patterns",
    "tokaudit_reference.steps.pre_tokenizers.split": "the engine that cuts at their matches",
}
"""The modules of other rooms that a prover and its checker use, besides data; each has its faults in
`test_seeded_faults.py` or `test_what_both_run.py`."""
DATA = ("tokaudit_reference.spec", "tokaudit_reference.steps.component")
DATA_OF_REPORTS = ("tokaudit.report.comparison", "tokaudit.subject.material")
REFUSALS = ("tokaudit.foundation.errors", "tokaudit_reference.errors")
NO_CODE = (
    "tokaudit.engine.facet_names",
    *DATA,
    *DATA_OF_REPORTS,
    *REFUSALS,
    "tokaudit_reference.steps.pattern",
)
HANDED_ON = {"equal": ["tokaudit.products.compare.facets.stated"]}
"""What a prover is handed to call, as if it imported it."""
FIELDS_OF_CHECKERS = {"at": "a place in a pattern, in the checkers' own reader"}
MADE_AS_IT_RUNS = {"import_module", "__import__", "importlib", "exec", "eval"}
PARTS = (
    ("**Lemma.**", "**Theorem.**", "**The lemma"),
    ("**Example.**", "*Example.*", "**One machine, drawn**"),
    ("**Literature.**",),
    ("**Stored.**",),
)
"""What every argument has, each in one of several words."""


def find_spec(name: str) -> ModuleSpec | None:
    """What is known of a module; None of a name that is none."""
    try:
        return util.find_spec(name)
    except ModuleNotFoundError:
        return None


def imported(module: str, root: str = ROOT) -> set[str]:
    """The modules of this room that a module imports, and all that these do."""
    found, waiting = set[str](), [module]
    while waiting:
        name = waiting.pop()
        spec = find_spec(name) if name.startswith(root) else None
        if name in found or spec is None or spec.origin is None:
            continue
        found.add(name)
        waiting += name.rpartition(".")[:1]  # importing a module runs its package
        package = name if spec.submodule_search_locations else name.rpartition(".")[0]
        for node in ast.walk(ast.parse(Path(spec.origin).read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                base = util.resolve_name("." * node.level + (node.module or ""), package)
                waiting += [base, *(f"{base}.{each.name}" for each in node.names)]
            elif isinstance(node, ast.Import):
                waiting += [each.name for each in node.names]
    return {name for name in found if _is_module(name)}


def _is_module(name: str) -> bool:
    spec = find_spec(name)
    return spec is not None and spec.origin is not None


def used(module: str) -> set[str]:
    """The modules of other rooms whose functions and classes a module uses, or one it imports."""
    found = set[str]()
    for name in imported(module):
        for node in ast.walk(syntax(name)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tokaudit"):
                found |= {home(str(node.module), each.name) for each in node.names}
    return {each for each in found if not each.startswith((ROOT, *NO_CODE))}


def home(module: str, name: str) -> str:
    """The module in which a name is defined that another one may only hand on."""
    found = str(getattr(getattr(import_module(module), name), "__module__", module))
    return found if found.startswith("tokaudit") else module


def syntax(module: str) -> ast.Module:
    spec = find_spec(module)
    assert spec is not None and spec.origin is not None
    return ast.parse(Path(spec.origin).read_text(encoding="utf-8"))


def functions_of_data() -> set[str]:
    """The functions and properties of a spec and of what it consists of, but for how it is made."""
    return {
        each.name
        for name in DATA
        for node in ast.walk(syntax(name))
        if isinstance(node, ast.ClassDef)
        for each in node.body
        if isinstance(each, ast.FunctionDef) and not each.name.startswith("__")
    }


def provers(kind: str) -> list[str]:
    """The prover of a kind, and what it is handed."""
    return [f"{proofs.__name__}.{kind}.prove", *HANDED_ON.get(kind, [])]


def of_every_prover() -> set[str]:
    return {name for kind in KINDS for each in provers(kind) for name in imported(each)}


def argument(kind: str) -> ast.Module:
    """The package of a kind, which holds its argument."""
    return syntax(f"{proofs.__name__}.{kind}")


def test_there_are_eleven_kinds_each_with_a_prover_and_a_checker() -> None:
    assert len(KINDS) == 11
    modules = (f"{proofs.__name__}.{kind}.{name}" for kind in KINDS for name in ("prove", "check"))
    assert [module for module in modules if not _is_module(module)] == []


def test_each_argument_has_a_lemma_an_example_literature_and_what_is_stored() -> None:
    texts = {kind: ast.get_docstring(argument(kind)) or "" for kind in KINDS}
    lacking = [
        f"{kind} lacks {part[0]}"
        for kind, text in texts.items()
        for part in PARTS
        if not any(word in text for word in part)
    ]
    assert lacking == []


def test_no_checker_imports_what_a_prover_imports() -> None:
    packages = {f"{proofs.__name__}.{each}" for each in KINDS}  # an argument, and no code
    apart = SHARED.keys() | packages
    shared = {
        kind: sorted(both)
        for kind in KINDS
        if (both := imported(f"{proofs.__name__}.{kind}.check") & of_every_prover() - apart)
    }
    assert shared == {}


def test_a_checker_imports_what_is_of_proofs_alone() -> None:
    """So neither a facet, nor what reads patterns or vocabularies for a prover, is in reach."""
    found = {
        module
        for kind in KINDS
        for module in imported(f"{proofs.__name__}.{kind}.check")
        if not module.startswith(f"{proofs.__name__}.")
    }
    assert found <= SHARED.keys()


def test_nothing_of_proofs_is_imported_by_a_name_made_as_it_runs() -> None:
    modules = {name for kind in KINDS for name in imported(f"{proofs.__name__}.{kind}.check")}
    names = {
        f"{module}: {word}"
        for module in modules | of_every_prover()
        for node in ast.walk(syntax(module))
        if (word := getattr(node, "id", getattr(node, "attr", ""))) in MADE_AS_IT_RUNS
    }
    assert names == set()


@pytest.mark.parametrize(
    "statement",
    [
        "import room.found",
        "import room.found as other",
        "from room import found",
        "from room.found import something",
        "from . import found",
        "from .found import something",
        "def lazily():\n    from room.found import something",
        "import room.inner.module",
        "from .inner.module import something",
    ],
)
def test_no_way_to_import_is_overlooked(
    statement: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = {
        "__init__.py": "",
        "check.py": statement,
        "found.py": "something = 1",
        "inner/__init__.py": "import room.found",  # a package runs before its modules
        "inner/module.py": "something = 1",
    }
    (tmp_path / "room" / "inner").mkdir(parents=True)
    for name, source in sources.items():
        (tmp_path / "room" / name).write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    assert "room.found" in imported("room.check", "room")
    for name in [name for name in sys.modules if name.partition(".")[0] == "room"]:
        del sys.modules[name]  # the next room of this name lies elsewhere


def test_a_prover_and_its_checker_use_data_and_the_modules_that_read_and_run() -> None:
    found = {
        module
        for kind in KINDS
        for prover in provers(kind)
        for module in used(prover) & used(f"{proofs.__name__}.{kind}.check")
    }
    assert found == set(USED_BY_BOTH)


def test_to_a_checker_a_spec_is_data_none_of_whose_functions_it_calls() -> None:
    names = functions_of_data() - FIELDS_OF_CHECKERS.keys()
    assert {"steps", "surface", "ids_by_surface", "size"} <= names
    called = sorted(
        f"{module}: {node.attr}"
        for kind in KINDS
        for module in imported(f"{proofs.__name__}.{kind}.check")
        for node in ast.walk(syntax(module))
        if isinstance(node, ast.Attribute) and node.attr in names
    )
    assert called == []


def test_the_package_of_a_kind_holds_an_argument_and_no_code() -> None:
    bodies = {kind: [type(node) for node in argument(kind).body] for kind in KINDS}
    assert {kind: body for kind, body in bodies.items() if body != [ast.Expr]} == {}
