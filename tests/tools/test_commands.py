"""The one command for developers runs what it lists, and lists what the Makefile runs."""

from __future__ import annotations

import ast
import re
import sys
from types import SimpleNamespace

import pytest
from locations import ROOT

from tokaudit_tools import __main__ as tools
from tokaudit_tools.__main__ import COMMANDS, first_line, main


def test_help_lists_each_command_with_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["tokaudit_tools", "--help"])
    assert main() == 0
    lines = capsys.readouterr().out.splitlines()[2:]
    assert [line.split()[0] for line in lines] == sorted(COMMANDS)
    assert "mutants              Scores the audit on mutants, by component and by operator;" in [
        line.partition(" --write")[0] for line in lines
    ]


def test_a_command_that_is_not_there_is_wrong_usage(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["tokaudit_tools", "mutant"])
    assert main() == 2
    assert "there is no command mutant" in capsys.readouterr().err


def test_a_command_is_given_what_follows_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[list[str]] = []
    ran = SimpleNamespace(main=lambda: given.append(sys.argv))
    monkeypatch.setattr(sys, "argv", ["tokaudit_tools", "lock", "--quick", "a"])
    monkeypatch.setattr(tools, "import_module", {"lock": ran}.__getitem__)
    assert main() == 0
    assert given == [["python -m tokaudit_tools lock", "--quick", "a"]]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_a_main_and_a_sentence(name: str) -> None:
    file = tools.TOOLS.joinpath(*COMMANDS[name].split(".")).with_suffix(".py")
    functions = [each for each in ast.parse(file.read_text()).body if hasattr(each, "args")]
    assert "main" in [each.name for each in functions]
    assert re.fullmatch(r"[A-Z].*\.", first_line(COMMANDS[name]))


def test_the_makefile_runs_commands_that_are_there() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    run = set(re.findall(r"(?:\$\(TOOL\)|-m tokaudit_tools) ([a-z-]+)", text))
    assert len(run) > 20 and run <= {*COMMANDS}


def test_the_help_of_a_command_names_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["tokaudit_tools", "causes", "--help"])
    with pytest.raises(SystemExit):
        main()
    assert capsys.readouterr().out.startswith("usage: python -m tokaudit_tools causes [-h]")
