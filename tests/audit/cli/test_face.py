"""What the commands offer: folders, lists, help, and pages about checks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tokaudit
from check_pages import pages
from tokaudit.cli import COMMANDS, GROUPS, _parser_of, main
from tokaudit.engine.check import all_checks

HOLES = ("--quiet", "--select", "vocab/holes")


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("out", ["there", "there/", "new/"])
def test_a_folder_gets_the_page_the_data_and_the_manifest(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, out: str, processes: None
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there").mkdir()
    assert main(["audit", "small", *HOLES, "--out", out]) == 0
    assert names_in(tmp_path / out) == ["manifest.json", "report.html", "report.json"]
    statement = json.loads((tmp_path / out / "manifest.json").read_text())
    assert tokaudit.verify(small, statement) == []


def test_a_manifest_next_to_a_report_is_the_one_that_the_command_manifest_writes(
    small: Path, tmp_path: Path, processes: None
) -> None:
    same_run, alone = tmp_path / "same_run.json", tmp_path / "alone.json"
    main(
        [
            "audit",
            str(small),
            *HOLES,
            "--out",
            str(tmp_path / "r.json"),
            "--manifest",
            str(same_run),
        ]
    )
    main(["manifest", str(small), "--out", str(alone)])
    assert same_run.read_text() == alone.read_text()
    assert "behaviour-v1" in json.loads(same_run.read_text())["predicate"]["identity"]


def test_a_report_rendered_again_into_a_folder_has_no_manifest(small: Path, tmp_path: Path) -> None:
    main(["audit", str(small), *HOLES, "--out", str(tmp_path / "r.json")])
    assert main(["report", str(tmp_path / "r.json"), "--out", f"{tmp_path}/again/"]) == 0
    assert names_in(tmp_path / "again") == ["report.html", "report.json"]


def test_names_are_listed_with_commas_and_by_giving_the_option_again(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = ("--select", "vocab/holes,merges", "--select", "vocab/id-order", "--ignore", "merges")
    main(["audit", str(small), "--quiet", "--format", "json", *chosen])
    results = json.loads(capsys.readouterr().out)["results"]
    assert [result["check"] for result in results] == ["vocab/holes", "vocab/id-order"]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_says_what_it_does_and_what_holds_without_it(command: str) -> None:
    for action in _parser_of(command)._actions:
        if action.option_strings and "--help" not in action.option_strings:
            text = action.help or ""
            assert "(default: " in text or (action.required and "(required)" in text), action
            if isinstance(action.default, str | int) and not isinstance(action.default, bool):
                assert f"(default: {action.default})" in text, action
        else:
            assert action.help, action


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_has_examples_and_the_exit_codes(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["help", command] if command else ["--help"]) == 0
    shown = capsys.readouterr().out
    assert f"examples:\n  tokaudit {command}" in shown
    assert "exit codes: 0 pass;" in shown


def test_help_lists_the_commands_in_groups(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help"]) == 0
    shown = capsys.readouterr().out
    titles = [line for line in shown.splitlines() if line.rstrip(":") in GROUPS]
    assert titles == ["Audit:", "Compare:", "Release:", "Look:", "Data:"]
    assert sorted(name for names in GROUPS.values() for name in names) == sorted(COMMANDS)


def test_help_of_a_command_is_that_of_its_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "audit"]) == 0
    shown = capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["audit", "--help"])
    assert capsys.readouterr().out == shown
    assert shown.startswith("usage: tokaudit audit [options] SUBJECT\n")


def test_help_of_audit_has_groups_and_leaves_options_of_others_to_their_commands(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    main(["help", "audit"])
    shown = capsys.readouterr().out
    for title in ("choosing checks", "how much to test", "comparing with another tokenizer"):
        assert f"\n{title}:\n" in shown
    elsewhere = (
        "further options, explained by tokaudit data --help: --resume, --ray, --dtype, --column, "
        "--sample, --data\nfurther options, explained by tokaudit runtimes --help: --runtime\n"
    )
    assert elsewhere in shown
    assert "  --dtype" not in shown


def test_help_of_what_is_no_command_names_the_nearest(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["help", "chekcs"])
    assert ended.value.code == 2
    assert "'chekcs' is not a command; did you mean checks?" in capsys.readouterr().err


def test_an_output_may_be_named_by_a_letter(small: Path, tmp_path: Path) -> None:
    main(["audit", str(small), *HOLES, "-o", str(tmp_path / "r.json")])
    assert json.loads((tmp_path / "r.json").read_text())["verdict"] == "pass"


def test_two_ids_are_compared(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    text = (small / "tokenizer.json").read_text()
    (other / "tokenizer.json").write_text(text)
    assert main(["id", str(small), str(other)]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.split("  ") == [second.split("  ")[0], str(small)]
    (other / "tokenizer.json").write_text(text.replace('"ab": 3', '"ab": 2'))
    assert main(["id", str(small), str(other)]) == 1
    assert "the ids differ; tokaudit compare " in capsys.readouterr().err


def test_a_folder_that_is_spelled_wrong_is_named_before_the_hub(
    small: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(small.parent)
    assert main(["audit", f"{small.name[:-1]}/checkpoint"]) == 3
    assert f"did you mean {small.name}?" in capsys.readouterr().err


def test_the_page_of_a_check_is_what_the_command_prints(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for check in all_checks():
        assert main(["checks", check.id]) == 0
        assert capsys.readouterr().out == f"##{pages([check])[f'checks/{check.id}.md']}"


def test_the_page_of_a_suite_leads_to_each_of_its_checks() -> None:
    made = pages([check for check in all_checks() if check.suite == "vocab"])
    row = "| [vocab/holes](vocab/holes.md) | warning | The ids have no holes |"
    assert row in made["checks/vocab.md"].splitlines()
    assert len(made["checks/vocab.md"].splitlines()) == 6 + len(made) - 1


def test_no_sentence_of_a_page_ends_twice() -> None:
    lines = "".join(pages(all_checks()).values()).splitlines()
    assert [line for line in lines if line.endswith(("..", "?.", "!."))] == []
