"""A setting is one field: every way to give it is made from that."""

from __future__ import annotations

import datetime as dt
import inspect
import re
from dataclasses import make_dataclass, replace
from itertools import combinations
from pathlib import Path

import pytest
from public_functions import FUNCTIONS

import tokaudit
from tokaudit import cli
from tokaudit.cli import _parser_of
from tokaudit.engine.settings import settings
from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.settings.setting import Kind, inherited, settings_of
from tokaudit.foundation.settings.toml_table import Table
from tokaudit.products.chat.chatting import ChatSettings
from tokaudit.products.data.api.examining import DataCall
from tokaudit.products.engines.runtimes import RuntimesSettings
from tokaudit.products.engines.vectors import ReplaySettings
from tokaudit.products.fix.settings import FixSettings
from tokaudit.products.gate.configuration import Configuration, read_configuration
from tokaudit.products.gate.manifests import VerifyCall
from tokaudit.products.gate.settings import GateSettings
from tokaudit.products.gate.subjects import HeldTo, OfAllSubjects
from tokaudit.products.trace.tracing import TraceSettings
from tokaudit.products.train.choices import recipe_of
from tokaudit.products.train.recipe import split_patterns
from tokaudit.products.train.settings import TrainSettings
from tokaudit.products.train.training_run import TrainingRun
from tokaudit.subject.upstream.versions import FIVE
from tokaudit.testing.pytest_plugin import OPTIONS

ONLY_IN_PROGRAMS = {"checks", "on_result", "on_pair", "on_answer", "on_step", "heard"}
COMMANDS = {
    "audit": settings.AuditSettings,
    "compare": settings.CompareSettings,
    "id": settings.Identified,
    "manifest": settings.ManifestSettings,
    "verify": VerifyCall,
    "gate": GateSettings,
    "chat": ChatSettings,
    "data": DataCall,
    "trace": TraceSettings,
    "train": TrainingRun,
    "fix": FixSettings,
    "vectors": ReplaySettings,
    "runtimes": RuntimesSettings,
}

PRINTED = {  # what is written where, and a page in a browser
    *("--out", "--manifest", "--report", "--json", "--merges", "--dry-run", "--no-open"),
}
ANOTHER_QUESTION = {  # which function is called, and for whom
    *("--template", "--recheck", "--check", "--init", "--replay", "--diff"),
    *("--tokenizer", "--among", "--reproduce", "--save", "--expect", "--watch", "--setting"),
}


def names(kind: type) -> set[str]:
    return {each.name for each in settings_of(kind)}


def gate_of(table: dict[str, object], folder: Path) -> Configuration:
    return read_configuration(Table("tokaudit.toml", {"subjects": ["a"], **table}), folder)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_keyword_arguments_of_a_function_are_its_settings(name: str) -> None:
    function, kind = FUNCTIONS[name]
    keywords = {
        each.name: each.default
        for each in inspect.signature(function).parameters.values()
        if each.kind is each.KEYWORD_ONLY and each.name not in ONLY_IN_PROGRAMS
    }
    assert keywords == {each.name: each.default for each in settings_of(kind)}


def test_a_setting_that_several_functions_have_is_declared_once() -> None:
    """What differs is its help or its default, by `inherited`; equal values are one object."""
    kinds = {kind for _, kind in FUNCTIONS.values()} | {*COMMANDS.values()}
    declared: dict[str, list[Kind]] = {}
    for each in (each for kind in kinds for each in settings_of(kind)):
        known = declared.setdefault(each.name, [])
        if not any(each.setting.kind is one for one in known):
            known.append(each.setting.kind)
    assert [
        name
        for name, found in declared.items()
        if any(one == other for one, other in combinations(found, 2))
    ] == []


def test_an_inherited_setting_keeps_what_is_not_said_again() -> None:
    said = inherited(settings.Facts, "facts", "said again", "nothing", default=None)
    (was,) = settings_of(settings.Facts)
    (now,) = settings_of(make_dataclass("Again", [("facts", dict, said)]))
    assert (now.default, now.setting) == (
        None,
        replace(was.setting, help="said again", default_words="nothing"),
    )


def test_any_number_of_subjects_come_before_the_keywords_of_a_comparison() -> None:
    kinds = [each.kind for each in inspect.signature(tokaudit.compare).parameters.values()]
    assert kinds[:3] == [
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        inspect.Parameter.VAR_POSITIONAL,
    ]
    with pytest.raises(TypeError, match=r"compare\(\) missing a required argument: 'second'"):
        tokaudit.compare("one")  # type: ignore[call-overload]


def test_the_arguments_of_the_gate_are_its_settings_and_the_file_needs_no_name() -> None:
    parameters = inspect.signature(tokaudit.gate).parameters.values()
    by_place = [each.name for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD]
    of_programs = ONLY_IN_PROGRAMS | {"folder", "today", "on_read"}
    named = {each.name: each.default for each in parameters if each.name not in of_programs}
    assert by_place == ["config"]
    assert named == {each.name: each.default for each in settings_of(GateSettings)}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_has_an_option_for_each_setting_and_its_help_says_the_default(
    command: str,
) -> None:
    actions = {each.dest: each for each in _parser_of(command)._actions}
    assert names(COMMANDS[command]) <= set(actions)
    for each in settings_of(COMMANDS[command]):
        assert str(actions[each.name].help).startswith(each.setting.help)
        assert "(default: " in str(actions[each.name].help)


def test_an_option_that_is_no_field_says_what_is_printed_or_asks_another_question() -> None:
    commands = Path(cli.__file__).parent
    modules = [*commands.glob("*_command.py"), *commands.glob("*_command/*.py")]
    declared = {
        option
        for module in modules
        for option in re.findall(r'add_argument\(\s*"(--[a-z-]+)"', module.read_text("utf-8"))
    }
    assert declared == PRINTED | ANOTHER_QUESTION


def test_each_setting_of_a_run_is_a_key_of_the_gate(tmp_path: Path) -> None:
    table = {
        "tier": "quick",
        "seed": 7,
        "timeout": 90,
        "corpus": ["text.txt"],
        "question_timeout": 5,
        "memory": 4000,
        "data": ["ids"],
        "dtype": "uint16",
        "column": ["tokens_v2", "labels=y"],
        "sample": 900,
        "resume": "kept",
        "ray": "local",
        "jobs": 2,
        "conversations": "chats.jsonl",
        "use": "sft",
        "read_embeddings": True,
        "runtime": ["tokenizers"],
        "loaders": [f"transformers=={FIVE}"],
    }
    options = gate_of(table, tmp_path).options
    assert set(table) == names(settings.Options)
    assert (options.tier, options.seed, options.timeout) == ("quick", 7, 90.0)
    assert (options.data, options.dtype, options.ray) == (
        (str(tmp_path / "ids"),),
        "uint16",
        "local",
    )
    assert options.resume == str(tmp_path / "kept")
    assert (options.memory, options.jobs, options.question_timeout) == (4000, 2, 5.0)
    assert options.corpus == (str(tmp_path / "text.txt"),)
    assert options.conversations == str(tmp_path / "chats.jsonl")
    assert options.read_embeddings


def test_the_page_of_the_gate_names_each_key_for_a_setting() -> None:
    page = (Path(__file__).parents[3] / "docs" / "gate.md").read_text("utf-8")
    kinds = (settings.Options, settings.ChoiceOfChecks, settings.OfSubject, HeldTo, OfAllSubjects)
    keys = {each.key for kind in kinds for each in settings_of(kind)}
    assert "for" in keys
    assert [key for key in sorted(keys) if f"`{key}`" not in page] == []


def test_a_key_of_the_gate_is_read_by_hand_only_where_it_leads_to_tables() -> None:
    """What has one value is a setting, with its kind; `path` has a value in its short form too."""
    asks = re.compile(r"""\b(?:table|root)\.(?!at\b)(\w+)\(\s*"(\w+)\"""")
    modules = [Path(str(inspect.getsourcefile(each))) for each in (HeldTo, Configuration)]
    read = {found for each in modules for found in asks.findall(each.read_text("utf-8"))}
    assert read == {
        ("required", "path"),
        ("table", "severity"),
        ("tables", "subjects"),
        ("tables", "suppressions"),
        ("tables", "thresholds"),
    }


def test_the_least_severity_that_fails_is_one_setting_of_an_audit_and_the_gate(
    tmp_path: Path,
) -> None:
    (declared,) = settings_of(settings.Failing)
    [option] = [each for each in _parser_of("audit")._actions if each.dest == declared.name]
    assert (option.default, gate_of({}, tmp_path).fail_on) == (declared.default, declared.default)
    assert option.choices == ("info", "warning", "error", "never")
    assert gate_of({declared.name: "never"}, tmp_path).fail_on == "never"


def test_a_key_of_the_gate_of_another_type_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refused:
        gate_of({"memory": "4 GB"}, tmp_path)
    assert str(refused.value) == "tokaudit.toml: memory: '4 GB' is not a whole number"


def test_an_unknown_keyword_names_the_function() -> None:
    with pytest.raises(TypeError, match=r"audit\(\) got an unexpected keyword argument 'tire'"):
        tokaudit.audit("x", tire="quick")  # type: ignore[call-arg]


def test_the_defaults_that_the_help_of_a_training_names_are_those_of_its_recipe() -> None:
    words = {each.name: each.setting.default_words for each in settings_of(TrainSettings)}
    plain = recipe_of(300, TrainSettings())
    characters = recipe_of(300, TrainSettings(alphabet="characters"))
    assert plain.patterns == split_patterns(words["pattern"])
    assert (words["tie_break"], words["alphabet"]) == (plain.tie_break, plain.alphabet)
    assert words["min_frequency"] == str(plain.min_frequency)
    assert words["coverage"] == str(characters.coverage)


def test_an_option_of_pytest_is_one_of_the_commands_that_it_stands_for() -> None:
    known = {
        option
        for command in ("audit", "verify", "chat")
        for action in _parser_of(command)._actions
        for option in action.option_strings
    }
    given = {name.removeprefix("--tokaudit").removeprefix("-") for name, _, _ in OPTIONS}
    assert {f"--{name}" for name in given if name} <= known


def test_an_option_of_pytest_with_few_values_names_all_of_them() -> None:
    (tier,) = [each for each in settings_of(settings.AuditSettings) if each.name == "tier"]
    assert {name: help for name, _, help in OPTIONS}["--tokaudit-tier"] == tier.setting.help


OF_GATES = [
    each.key
    for kind in (settings.Options, settings.ChoiceOfChecks, settings.Failing, OfAllSubjects)
    for each in settings_of(kind)
]
OF_SUBJECTS = [each.key for kind in (settings.OfSubject, HeldTo) for each in settings_of(kind)]


@pytest.mark.parametrize("key", OF_GATES)
def test_every_key_of_the_gate_refuses_what_it_does_not_take(tmp_path: Path, key: str) -> None:
    with pytest.raises(UsageError) as refused:
        gate_of({key: dt.date(2027, 1, 31)}, tmp_path)
    assert str(refused.value).startswith(f"tokaudit.toml: {key}: datetime.date(2027, 1, 31) is ")


@pytest.mark.parametrize("key", OF_SUBJECTS)
def test_every_key_of_a_subject_refuses_what_it_does_not_take(tmp_path: Path, key: str) -> None:
    table = {"path": "a", key: dt.date(2027, 1, 31)}
    with pytest.raises(UsageError) as refused:
        gate_of({"subjects": [table]}, tmp_path)
    place = f"tokaudit.toml: subjects[0].{key}: "
    assert str(refused.value).startswith(f"{place}datetime.date(2027, 1, 31) is ")
