"""A setting that cannot be is refused, with what was meant, before anything is done."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import tokaudit
from tokaudit.cli import main

# Opening this subject would be exit code 3: a 2 says that the setting was refused before that.
ABSENT = "does/not/exist"
HOLES = "did you mean vocab/holes"
EVENTS: list[str] = []
sys.addaudithook(lambda event, _: EVENTS.append(event) if event == "subprocess.Popen" else None)


@pytest.fixture(scope="module")
def workers_of_these_tests() -> None:
    """Workers start as users start them: which processes there are is asked here."""


@pytest.fixture(autouse=True)
def started() -> Iterator[list[str]]:
    """The processes that the test has started."""
    EVENTS.clear()
    yield EVENTS


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, but for a folder and a file in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "subject").mkdir()
    (tmp_path / "subject" / "tokenizer.json").write_text("{}")
    (tmp_path / "a file").write_text("")
    return tmp_path


def files_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


BOTH: list[tuple[dict[str, Any], str]] = [
    ({"tier": "quik"}, "tier 'quik': is not one of quick, default, full; did you mean quick?"),
    ({"tier": "enormous"}, "tier 'enormous': is not one of quick, default, full"),
    ({"jobs": 0}, "jobs 0: is not a number from 1 to 64"),
    ({"jobs": 65}, "jobs 65: is not a number from 1 to 64"),
    ({"timeout": 0.0}, "timeout 0.0: is not a number of seconds above 0 and at most 604,800"),
    ({"timeout": float("nan")}, "timeout nan: is not a number of seconds"),
    (
        {"timeout": 604801.0},
        "timeout 604801.0: is not a number of seconds above 0 and at most 604,800",
    ),
    ({"select": ["vocab/hole"]}, f"select 'vocab/hole': is neither a check nor a suite; {HOLES}"),
    (
        {"select": ["vocab", "vocabb"]},
        "select 'vocabb': is neither a check nor a suite; did you mean vocab",
    ),
    ({"select": ["voc"]}, "select 'voc': is neither a check nor a suite; did you mean vocab?"),
    ({"select": ["xyzzy"]}, "select 'xyzzy': is neither a check nor a suite"),
    ({"ignore": ["vocab/hole"]}, f"ignore 'vocab/hole': is neither a check nor a suite; {HOLES}"),
    ({"require": ["vocab/hole"]}, f"require 'vocab/hole': is neither a check nor a suite; {HOLES}"),
    (
        {"require": ["embedings"]},
        "require 'embedings': is neither a check nor a suite; did you mean embed",
    ),
    ({"corpus": ["no.txt"]}, "corpus 'no.txt': does not exist"),
]
PYTHON: list[tuple[dict[str, Any], str]] = [
    ({"select": "vocab"}, "select 'vocab': is not a list; write ['vocab']"),
    ({"ignore": "vocab"}, "ignore 'vocab': is not a list; write ['vocab']"),
    ({"require": "vocab"}, "require 'vocab': is not a list; write ['vocab']"),
    ({"corpus": "text.txt"}, "corpus 'text.txt': is not a list; write ['text.txt']"),
    ({"select": 7}, "select 7: is not a list"),
    ({"select": [""]}, "select '': is neither a check nor a suite"),
    ({"select": [7]}, "select 7: is neither a check nor a suite"),
    ({"jobs": True}, "jobs True: is not a number from 1 to 64"),
    ({"timeout": "90"}, "timeout '90': is not a number of seconds above 0"),
    ({"question_timeout": True}, "question_timeout True: is not a number of seconds"),
    ({"question_timeout": -1}, "question_timeout -1: is not a number of seconds above 0"),
    ({"jobs": "2"}, "jobs '2': is not a number from 1 to 64"),
    ({"seed": 0.5}, "seed 0.5: is not a whole number"),
    ({"tier": None}, "tier None: is not one of quick, default, full"),
    ({"special": "<s>=1"}, "special '<s>=1': is not a mapping from token to id"),
    ({"pattern": 7}, "pattern 7: is not a regular expression"),
]
COMMAND: list[tuple[tuple[str, ...], str]] = [
    (("--select", "vocab,merges/ordr"), "select 'merges/ordr': is neither a check nor a suite; did you mean merges/order"),
    (("--select", ""), "--select: the value is empty; write a value, or leave this argument out"),
    (("--require", "vocab,"), "--require: the value is empty; write a value, or leave this argument out"),
    (("--jobs", "many"), "argument --jobs: 'many' is not a whole number"),
    (("--timeout", "soon"), "argument --timeout: 'soon' is not a number"),
    (("--fail-on", "errors"), "argument --fail-on: invalid choice: 'errors'"),
    (("--special", "x"), "--special 'x': expected TOKEN=ID"),
    (("--format", "pdf"), "'pdf' is not a report format; known formats: "),
    (("--out", "r.pdf"), "r.pdf: no report format has this suffix; known formats: "),
    (("--out", "report"), "report: no report format has this suffix; known formats: "),
    (("--out", "nowhere/r.json"), "nowhere/r.json: cannot be written: there is no folder nowhere"),
    (("--out", "nowhere/deep/"), "deep: cannot be written: there is no folder nowhere"),
    (("--out", "a file/"), "a file: is a file, not a folder"),
    (("--out", "subject/", "--format", "json"), "--format json: --out names a folder, and a folder always gets two formats"),
    (("--out", "r.json", "--out", "./r.json"), "r.json: is named twice"),
    (("--out", "r.json", "--manifest", "r.json"), "r.json: is named twice"),
    (("--out", "new/", "--manifest", "new/manifest.json"), "there is no folder new"),
    (("--manifest", "nowhere/m.json"), "nowhere/m.json: cannot be written: there is no folder"),
    (("--base", "subject", "--out", "subject/r.json"), "subject/r.json: lies inside subject"),
    (("--corpus", "a file", "--out", "a file", "--format", "json"), "a file: is a file itself"),
]  # fmt: skip


@pytest.mark.parametrize(("settings", "says"), [*BOTH, *PYTHON])
def test_python_refuses_it(
    here: Path, started: list[str], settings: dict[str, Any], says: str
) -> None:
    with pytest.raises(tokaudit.UsageError) as refused:
        tokaudit.audit(ABSENT, **settings)
    assert str(refused.value).startswith(says)
    assert (started, files_in(here)) == ([], ["a file", "subject", "subject/tokenizer.json"])


def arguments(settings: dict[str, Any]) -> tuple[str, ...]:
    return tuple(
        part
        for name, value in settings.items()
        for each in (value if isinstance(value, list) else [value])
        for part in (f"--{name}", str(each))
    )


@pytest.mark.parametrize(
    ("given", "says"), [*((arguments(settings), says) for settings, says in BOTH), *COMMAND]
)
def test_the_command_refuses_it_with_exit_code_2(
    here: Path,
    started: list[str],
    capsys: pytest.CaptureFixture[str],
    given: tuple[str, ...],
    says: str,
) -> None:
    try:
        code = main(["audit", ABSENT, *given])
    except SystemExit as ended:  # argparse leaves by itself
        code = int(str(ended.code))
    printed = capsys.readouterr()
    assert (code, printed.out) == (2, "")
    assert says in printed.err
    assert (started, files_in(here)) == ([], ["a file", "subject", "subject/tokenizer.json"])


@pytest.mark.parametrize(
    ("subject", "out", "says"),
    [
        ("subject", "subject/report.json", "subject/report.json: lies inside subject"),
        ("subject", "subject", "subject/report.html: lies inside subject"),
        ("subject", "subject/", "subject/report.html: lies inside subject"),
        ("subject/tokenizer.json", "subject/tokenizer.json", "is subject/tokenizer.json itself"),
    ],
)
def test_a_report_is_never_written_into_its_subject(
    here: Path, capsys: pytest.CaptureFixture[str], subject: str, out: str, says: str
) -> None:
    assert main(["audit", subject, "--out", out]) == 2
    assert says in capsys.readouterr().err
    assert (here / "subject" / "tokenizer.json").read_text() == "{}"


def test_a_report_may_lie_next_to_a_subject_that_is_one_file(here: Path) -> None:
    from tokaudit.cli.terminal.output import plan

    planned = plan(["subject/report.json"], inputs=["subject/tokenizer.json"])
    assert [str(path) for path, _ in planned.reports] == ["subject/report.json"]


@pytest.mark.parametrize("command", ["manifest", "report", "verify"])
def test_every_command_looks_at_its_own_settings_first(
    here: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    given = {
        "manifest": ["manifest", ABSENT, "--out", "nowhere/m.json"],
        "report": ["report", ABSENT, "--out", "r.pdf"],
        "verify": ["verify", ABSENT, "a file", "--special", "x"],
    }[command]
    assert main(given) == 2
    assert capsys.readouterr().err.startswith("tokaudit: ")


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: tokaudit.run_check("vocab/hole", ABSENT), f"check 'vocab/hole': is not installed; {HOLES}"),
        (lambda: tokaudit.run_check("vocab/holes", ABSENT, tier="x"), "tier 'x': is not one of"),
        (lambda: tokaudit.open(ABSENT, special="x"), "special 'x': is not a mapping"),  # type: ignore[arg-type]
        (lambda: tokaudit.manifest(ABSENT, pattern=7), "pattern 7: is not a regular"),  # type: ignore[arg-type]
        (lambda: tokaudit.verify(ABSENT, {}), "manifest: is not a tokaudit manifest"),
    ],
)  # fmt: skip
def test_every_function_refuses_what_cannot_be(call: Callable[[], object], says: str) -> None:
    with pytest.raises(tokaudit.UsageError) as refused:
        call()
    assert str(refused.value).startswith(says)


def test_a_suite_with_a_slash_is_the_suite(small: Path) -> None:
    report = tokaudit.audit(small, select=["merges/"], ignore=["merges/order"])
    assert {result.check.split("/")[0] for result in report.results} == {"merges"}


def test_a_check_about_the_file_starts_no_process_and_encodes_nothing(
    small: Path, started: list[str]
) -> None:
    report = tokaudit.audit(small, select=["vocab/holes"])
    assert (report.ok, started) == (True, [])
    assert not any(found.name.startswith("behaviour") for found in report.identity)
    assert (report.timing.upstream_calls, report.timing.reference) == (0, 0.0)


def test_a_check_that_encodes_starts_its_worker(
    small: Path, started: list[str], processes: None
) -> None:
    report = tokaudit.audit(small, select=["round_trip/ids"], tier="quick")
    assert started
    assert [found.name.split("@")[1][:10] for found in report.identity if "@" in found.name] == [
        "tokenizers"
    ]
