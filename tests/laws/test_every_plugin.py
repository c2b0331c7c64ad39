"""What everything that plugs in must look like, whoever wrote it."""

from __future__ import annotations

import inspect
import re
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from plug_ins import FOUND, KINDS, every

import tokaudit_reports
from tokaudit.engine.check import CHECKS, Check
from tokaudit.engine.harms import exceeds, worst
from tokaudit.engine.options import TIERS
from tokaudit.engine.providers import GIVEN
from tokaudit.engine.resolver import NEEDS, Need, parameters
from tokaudit.foundation.plugins.installed import Kind, installed
from tokaudit.report.writer import WRITERS, ReportWriter
from tokaudit.runtimes.registry import ADAPTERS, Adapter
from tokaudit.subject.formats import FORMATS, Format

CHECK_ID = re.compile(r"[a-z]+(_[a-z]+)*/[a-z0-9]+(-[a-z0-9]+)*")
BUILT = {need.made for need in FOUND["need"].values()}


def code_of(plugin: object) -> Callable[..., Any]:
    """The function that does what the plug-in is for."""
    match plugin:
        case Check(function=code) | Need(build=code) | Format(parse=code):
            return code
        case Adapter(load=code) | ReportWriter(write=code):
            return code
    raise AssertionError(plugin)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.word)
def test_every_package_can_be_imported_and_no_two_plugins_share_a_name(kind: Kind[Any]) -> None:
    assert installed(kind).troubles == ()
    assert FOUND[kind.word]


def test_a_module_at_the_root_of_the_reports_is_a_format() -> None:
    root = Path(tokaudit_reports.__path__[0])
    modules = {path.stem for path in root.glob("*.py")} - {"__init__", "schema"}
    homes = (writer.write.__module__.partition(".") for writer in FOUND["report format"].values())
    assert modules == {module for package, _, module in homes if package == root.name}


def test_the_module_says_what_it_is_about() -> None:
    docs = {name: sys.modules[code_of(p).__module__].__doc__ for name, p in every(*KINDS).items()}
    first = {name: (doc or "").partition("\n")[0] for name, doc in docs.items()}
    assert [name for name, line in first.items() if not line.endswith((".", "?"))] == []


def test_the_function_says_what_it_does() -> None:
    docs = {name: code_of(plugin).__doc__ or "" for name, plugin in every(*KINDS).items()}
    first = {name: doc.partition("\n\n")[0].rstrip() for name, doc in docs.items()}
    assert [name for name, sentence in first.items() if not sentence.endswith(".")] == []


def test_the_id_is_suite_slash_words_with_dashes() -> None:
    assert [each.id for each in every(CHECKS).values() if not CHECK_ID.fullmatch(each.id)] == []


def test_the_texts_a_reader_needs_are_there() -> None:
    checks = every(CHECKS).values()
    assert [each.id for each in checks if not each.title or each.title.endswith(".")] == []
    assert [each.id for each in checks if not each.why.endswith(".")] == []
    assert [each.id for each in checks if not each.remedy.endswith((".", ")"))] == []


def test_a_check_lies_alone_in_a_file_of_its_suites_folder() -> None:
    files = {each.id: Path(inspect.getfile(each.function)) for each in every(CHECKS).values()}
    suites = {each.id: each.suite for each in every(CHECKS).values()}
    assert {id: file for id, file in files.items() if file.parent.name != suites[id]} == {}
    shared = {file for file, number in Counter(files.values()).items() if number > 1}
    assert {id: file for id, file in files.items() if file in shared} == {}


def test_a_check_names_its_evidence_and_a_tier_that_there_is() -> None:
    assert [each.id for each in every(CHECKS).values() if not each.basis] == []
    assert [each.id for each in every(CHECKS).values() if each.tier not in TIERS] == []


def test_a_check_of_ours_names_its_harm_and_why_it_is_milder_where_it_is() -> None:
    ours = [c for c in every(CHECKS).values() if c.function.__module__.startswith("tokaudit_")]
    assert [each.id for each in ours if each.harm is None] == []
    harms = {each.id: worst(each.harm) for each in ours if each.harm is not None}
    assert [each.id for each in ours if exceeds(each.severity, harms[each.id])] == []
    judging = [each for each in ours if not each.only_measures]
    milder = [each.id for each in judging if exceeds(harms[each.id], each.severity)]
    assert [each.id for each in ours if each.milder] == milder


def test_what_is_asked_for_can_be_built() -> None:
    known = BUILT | set(GIVEN)
    asked = {
        name: {parameter.kind for parameter in parameters(code_of(plugin)).values()} - known
        for name, plugin in every(CHECKS, NEEDS).items()
    }
    assert {name: kinds for name, kinds in asked.items() if kinds} == {}


def test_what_is_given_is_not_built_as_well() -> None:
    assert [name for name, need in every(NEEDS).items() if need.made in GIVEN] == []


def test_a_format_is_run_by_an_adapter_that_there_is_or_by_none() -> None:
    runners = {"", *FOUND["adapter"]}
    assert [name for name, each in every(FORMATS).items() if each.adapter not in runners] == []


def test_an_adapter_that_requires_a_package_says_which_is_too_old() -> None:
    adapters = every(ADAPTERS).items()
    assert [name for name, each in adapters if bool(each.package) != bool(each.minimum)] == []


def test_a_report_format_claims_a_suffix() -> None:
    assert [name for name, each in every(WRITERS).items() if not each.suffixes] == []
