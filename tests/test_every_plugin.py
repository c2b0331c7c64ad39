"""What everything that plugs in must look like, whoever wrote it."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokaudit.engine.check import CHECKS, Check
from tokaudit.engine.options import TIERS
from tokaudit.engine.providers import GIVEN
from tokaudit.engine.resolver import NEEDS, Need, parameters
from tokaudit.foundation.plugins import Kind, installed
from tokaudit.report.writer import WRITERS, ReportWriter
from tokaudit.runtimes.registry import ADAPTERS, Adapter
from tokaudit.subject.formats import FORMATS, Format

KINDS: tuple[Kind[Any], ...] = (CHECKS, NEEDS, FORMATS, ADAPTERS, WRITERS)
FOUND = {kind.word: dict(installed(kind).by_name) for kind in KINDS}
PAGE = Path(__file__).parents[1] / "docs" / "checks.md"
CHECK_ID = re.compile(r"[a-z]+(_[a-z]+)*/[a-z0-9]+(-[a-z0-9]+)*")
BUILT = {need.made for need in FOUND["need"].values()}


def every(*kinds: Kind[Any]) -> pytest.MarkDecorator:
    """Runs a test for each plug-in of these kinds, with the kind's word and its name as its id."""
    chosen = [
        (kind.word, name, plugin) for kind in kinds for name, plugin in FOUND[kind.word].items()
    ]
    return pytest.mark.parametrize(
        "plugin",
        [plugin for _, _, plugin in chosen],
        ids=[f"{word} {name}" for word, name, _ in chosen],
    )


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


@every(*KINDS)
def test_the_module_says_what_it_is_about(plugin: object) -> None:
    doc = sys.modules[code_of(plugin).__module__].__doc__
    assert doc and doc.splitlines()[0].endswith((".", "?"))


@every(*KINDS)
def test_the_function_says_what_it_does(plugin: object) -> None:
    doc = code_of(plugin).__doc__
    assert doc and doc.partition("\n\n")[0].rstrip().endswith(".")


@every(CHECKS)
def test_the_id_is_suite_slash_words_with_dashes(plugin: Check) -> None:
    assert CHECK_ID.fullmatch(plugin.id)


@every(CHECKS)
def test_the_texts_a_reader_needs_are_there(plugin: Check) -> None:
    assert plugin.title and not plugin.title.endswith(".")
    assert plugin.why.endswith(".")
    assert plugin.remedy.endswith((".", ")"))


@every(CHECKS)
def test_a_check_lies_alone_in_a_file_of_its_suites_folder(plugin: Check) -> None:
    file = inspect.getfile(plugin.function)
    assert Path(file).parent.name == plugin.suite
    assert [c.id for c in FOUND["check"].values() if inspect.getfile(c.function) == file] == [
        plugin.id
    ]


@every(CHECKS)
def test_a_check_names_its_evidence_and_a_tier_that_there_is(plugin: Check) -> None:
    assert plugin.basis
    assert plugin.tier in TIERS


@every(CHECKS)
def test_a_check_of_ours_has_its_place_on_the_page_of_checks(plugin: Check) -> None:
    if not plugin.function.__module__.startswith("tokaudit_suites."):
        pytest.skip("the page is about the checks that we ship")
    assert f"\n### {plugin.id}\n" in PAGE.read_text()


@every(CHECKS, NEEDS)
def test_what_is_asked_for_can_be_built(plugin: object) -> None:
    asked = {parameter.kind for parameter in parameters(code_of(plugin)).values()}
    assert asked <= BUILT | set(GIVEN)


@every(NEEDS)
def test_what_is_given_is_not_built_as_well(plugin: Need) -> None:
    assert plugin.made not in GIVEN


@every(FORMATS)
def test_a_format_is_run_by_an_adapter_that_there_is_or_by_none(plugin: Format) -> None:
    assert plugin.adapter in {"", *FOUND["adapter"]}


@every(ADAPTERS)
def test_an_adapter_that_requires_a_package_says_which_is_too_old(plugin: Adapter) -> None:
    assert bool(plugin.package) == bool(plugin.minimum)


@every(WRITERS)
def test_a_report_format_claims_a_suffix(plugin: ReportWriter) -> None:
    assert plugin.suffixes
