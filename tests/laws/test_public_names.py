"""What `import tokaudit` gives, and what it costs."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import tokaudit

SOURCE = Path(tokaudit.__file__).read_text(encoding="utf-8")
EXPECTED = {
    *("audit", "open", "run_check", "manifest", "verify", "check", "Check", "Opened", "Drift"),
    *("Drifts", "Cause"),
    *("Finding", "Measurement", "Evidence", "Place", "Severity", "Basis", "Status", "Verdict"),
    *("CheckResult", "Report", "Skip", "NotApplicable"),
    *("gate", "Gate", "Suppressed"),
    *("chat", "hold_chats", "HeldChats", "trace", "render"),
    *("train", "train_sizes", "retrain", "reproduce"),
    *("data", "expect_data", "who_wrote", "Writers", "compare_runtimes", "demo"),
    *("vectors", "replay"),
    *("preflight", "Mismatch"),
    *("fix", "Fixed", "Repair", "Change", "ChangeKind", "Decider", "Alternative"),
    *("compare", "recheck", "identify", "Comparison", "Facet", "Outcome", "Relation"),
    *("TokauditError", "UsageError", "UnreadableError", "UpstreamTrouble"),
}


def seen_by_type_checkers() -> dict[str, str]:
    """Name -> module, of the imports under `if TYPE_CHECKING`."""
    (branch,) = (
        node
        for node in ast.parse(SOURCE).body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    )
    return {
        alias.asname or alias.name: str(node.module)
        for node in branch.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def modules_after(code: str) -> set[str]:
    """What a fresh Python has loaded after running some code, beyond what it loads by itself."""
    program = f"import sys; before = set(sys.modules)\n{code}\nprint(*set(sys.modules) - before)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120
    )
    return set(done.stdout.splitlines()[-1].split())


def test_the_public_names_are_these() -> None:
    assert set(tokaudit.__all__) == {"__version__"} | EXPECTED


def test_type_checkers_and_python_see_the_same_names_from_the_same_modules() -> None:
    assert seen_by_type_checkers() == tokaudit._HOMES
    assert {*tokaudit._HOMES, "__version__"} == {*tokaudit.__all__}


def test_a_function_that_a_module_of_the_api_speaks_of_is_public() -> None:
    spoken = {
        name
        for file in Path(tokaudit.__file__).parent.glob("api/**/*.py")
        for name in re.findall(
            r"`tokaudit\.(\w+)`", ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""
        )
    }
    assert spoken - EXPECTED == set()


def test_a_public_name_is_the_object_of_its_home() -> None:
    homes = {name: importlib.import_module(tokaudit._HOMES[name]) for name in sorted(EXPECTED)}
    assert [n for n, home in homes.items() if getattr(tokaudit, n) is not getattr(home, n)] == []


def test_no_public_name_is_also_a_module() -> None:
    assert [name for name in EXPECTED if importlib.util.find_spec(f"tokaudit.{name}")] == []


def test_dir_shows_every_public_name() -> None:
    assert set(dir(tokaudit)) >= EXPECTED


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'adit'"):
        tokaudit.adit  # type: ignore[attr-defined]  # noqa: B018


def test_the_version_is_the_one_that_was_installed() -> None:
    assert tokaudit.__version__ == version("tokaudit")


def test_importing_tokaudit_loads_nothing_else(processes: None) -> None:
    assert modules_after("import tokaudit") == {"tokaudit"}


def test_the_version_is_printed_before_argparse_is_loaded(processes: None) -> None:
    loaded = modules_after("from tokaudit.cli import main; main(['--version'])")
    assert loaded == {"__future__", "tokaudit", "tokaudit.cli"}


def test_help_is_printed_before_argparse_is_loaded(processes: None) -> None:
    loaded = modules_after("from tokaudit.cli import main; main(['--help'])")
    assert {name for name in loaded if name.startswith("tokaudit")} == {
        *("tokaudit", "tokaudit.cli", "tokaudit.cli.terminal", "tokaudit.cli.terminal.streams"),
        *("tokaudit.foundation", "tokaudit.foundation.errors"),
    }
    assert loaded.isdisjoint({"argparse", "typing", "dataclasses", "re", "json"})


def test_an_audit_of_one_tokenizer_loads_nothing_that_compares_proves_or_writes_manifests(
    processes: None,
) -> None:
    code = (
        "import tokaudit, tokaudit.engine.check, tokaudit.engine.resolver\n"
        "from tokaudit.products.audit import auditing\n"
        "tokaudit.engine.check.all_checks(); tokaudit.engine.resolver.all_needs()"
    )
    others = {
        "tokaudit.products.compare.facets.compared",
        "tokaudit.products.compare.patterns",
        "tokaudit.products.compare.proofs",
        "tokaudit.products.compare.work",
        "tokaudit.products.identity.statement",
        "tokaudit.products.data.shards.carrying_out",
        "tokaudit.subject.weights.torch_pickle",
        "http.client",
    }
    assert modules_after(code) & others == set()
