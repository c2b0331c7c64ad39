"""Nothing of one poisonous subject acts on a terminal, a log or a build service.

The same string is its name, a file's name, a token, a value in each config and a GGUF key; every
installed writer, every command and every kind of error then has to show it.
"""

from __future__ import annotations

import argparse
import json
import re
import struct
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from processes import starts_processes

import tokaudit
from tokaudit.cli import _guarded, main
from tokaudit.products.identity.statement import write
from tokaudit.report.report import Report
from tokaudit.report.visible import escaped_json, visible, visible_lines
from tokaudit.report.writer import all_writers
from tokaudit_reports import terminal

POISON = "x\n::error file=a::P\x1b[31m\u202e##[group]##vso[task]##VSO[t] std::y ::\x9b\u2028:"
TOKENS = {"<unk>": 0, "a": 1, "b": 2, "##ing": 3, POISON: 4, f"##{POISON}": 5, "::": 6, "##[": 7}
Shown = Callable[[str], None]

OUR_COMMAND = re.compile(r"^::(?:error|warning|notice) (?:file=[^:,]*,)?title=[^:,]*::")


def assert_harmless(text: str) -> None:
    lines = text.split("\n")
    assert [line for line in lines if line.strip().startswith("::")] == []
    assert re.findall(r"##(?:vso)?\[", text, re.IGNORECASE) == []
    acting = {c for c in text if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp")}
    assert acting == set()


@pytest.fixture(scope="module")
def subject(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("subjects") / POISON
    (folder / POISON).mkdir(parents=True)
    special = {"lstrip": False, "rstrip": False, "single_word": False, "normalized": False}
    model = {"type": "WordPiece", "unk_token": "<unk>", "continuing_subword_prefix": "##"}
    files = {
        "tokenizer.json": {
            "version": "1.0",
            "added_tokens": [{"id": 4, "content": POISON, "special": True, **special}],
            "normalizer": None,
            "pre_tokenizer": {"type": "Whitespace"},
            "post_processor": None,
            "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": False},
            "model": {**model, "max_input_chars_per_word": 100, "vocab": TOKENS},
        },
        "tokenizer_config.json": {
            "tokenizer_class": POISON,
            "eos_token": POISON,
            "bos_token": {"content": POISON, POISON: POISON},
            "chat_template": "{{ raise_exception(" + json.dumps(POISON) + ") }}" + POISON,
            "model_max_length": POISON,
        },
        "config.json": {"vocab_size": 3, "eos_token_id": POISON, "model_type": POISON},
        f"{POISON}/config.json": {"vocab_size": 3, "eos_token_id": 9},
    }
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content))
    return folder


@pytest.fixture(scope="module")
@starts_processes
def report(subject: Path) -> Report:
    return tokaudit.audit(subject, tier="quick")


def test_the_subject_is_poisonous_to_those_who_print_it_raw(report: Report) -> None:
    assert report.errors
    assert "\x1b" in "".join(finding.message for finding in report.findings)
    with pytest.raises(AssertionError):
        assert_harmless(POISON)


@pytest.mark.parametrize("format", sorted(all_writers()))
def test_every_writer_shows_it_harmless(format: str, report: Report) -> None:
    text = all_writers()[format].write(report)
    if format == "github":  # each line is a command of ours, whose words are the rest
        text = "\n".join(OUR_COMMAND.sub("", line, count=1) for line in text.split("\n"))
    assert_harmless(text)
    shown = text.replace("\\#", "#") if format == "markdown" else text
    assert "##ing" in shown or "##ing" not in str(report.results)


@pytest.mark.parametrize("width", range(20, 121))
def test_no_width_wraps_a_command_to_the_start_of_a_line(width: int, report: Report) -> None:
    assert_harmless(terminal.write(report, width=width))


def test_the_words_of_a_report_for_python_are_harmless(report: Report) -> None:
    assert_harmless(str(report))
    assert_harmless(repr(report))


def test_a_report_in_json_still_holds_the_very_string(report: Report) -> None:
    assert json.loads(report.to_json())["subject"]["name"].endswith(f"/{POISON}")


def test_a_manifest_is_harmless_and_still_holds_the_very_string(
    subject: Path, processes: None
) -> None:
    statement = tokaudit.manifest(subject)
    assert_harmless(write(statement))
    assert json.loads(write(statement)) == statement
    assert f"{POISON}/config.json#/vocab_size" in statement["predicate"]["facts"]


def test_verify_shows_every_drift_harmless(
    subject: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], processes: None
) -> None:
    statement = tokaudit.manifest(subject)
    statement["predicate"]["facts"][f"{POISON}/config.json#/vocab_size"] = POISON
    statement["subject"][0]["name"] = POISON
    (tmp_path / "m.json").write_text(write(statement))
    assert main(["verify", str(subject), str(tmp_path / "m.json")]) == 1
    shown = capsys.readouterr()
    assert_harmless(shown.out + shown.err)
    assert shown.out.startswith("drift: facts x⏎∷error file=a∷P␛[31m⟨U+202E⟩##⟦group]")


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_trace_shows_every_token_harmless(
    options: tuple[str, ...], subject: Path, capsys: pytest.CaptureFixture[str], processes: None
) -> None:
    assert main(["trace", str(subject), f"bing {POISON}", *options]) == 0
    shown = capsys.readouterr()
    assert_harmless(shown.out + shown.err)


def gguf(key: str) -> bytes:
    """A GGUF header whose only key has a type that there is not."""
    raw = key.encode()
    return b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, len(raw)) + raw + struct.pack("<I", 99)


BROKEN: dict[str, bytes] = {
    f"{POISON}.gguf".replace("/", ""): gguf(POISON),
    f"{POISON}.json": b"{",
    "tokenizer.json": json.dumps({"model": {"type": POISON, "vocab": {}}}).encode(),
    f"{POISON}.tiktoken": POISON.encode(),
    f"{POISON}.model": b"\x0a" + POISON.encode(),
    f"{POISON}.txt": b"\xff" + POISON.encode(),
}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("command", ["audit", "manifest", "trace"])
def test_every_command_says_harmlessly_what_it_cannot_read(
    name: str, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], processes: None
) -> None:
    (tmp_path / name).write_bytes(BROKEN[name])
    main([command, str(tmp_path / name), *(["text"] if command == "trace" else [])])
    shown = capsys.readouterr()
    assert shown.out + shown.err != ""
    assert_harmless(shown.out + shown.err)


REFUSED: dict[str, tuple[str, ...]] = {
    "a subject that is not there": ("audit", f"/{POISON}"),
    "a scheme that there is not": ("audit", f"pkg:{POISON}"),
    "a check that there is not": ("audit", "SUBJECT", "--select", POISON),
    "a tier that there is not": ("audit", "SUBJECT", "--require", POISON),
    "a format that there is not": ("audit", "SUBJECT", "--format", POISON),
    "an output in no folder": ("audit", "SUBJECT", "--out", f"/{POISON}/x.json"),
    "a base that is not there": ("audit", "SUBJECT", "--base", f"/{POISON}"),
    "a library that there is not": ("audit", "SUBJECT", "--against", f"{POISON}:x"),
    "a check to explain": ("checks", POISON),
    "a report that is not there": ("report", f"/{POISON}"),
    "a manifest that is not there": ("verify", "SUBJECT", f"/{POISON}"),
    "a report that is not one": ("report", "FILE"),
    "a manifest that is not one": ("verify", "SUBJECT", "FILE"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_every_refusal_is_harmless(
    what: str, subject: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / f"{POISON}.json"
    file.write_text(json.dumps({"schema": POISON, "_type": POISON}))
    stands_for = {"SUBJECT": str(subject), "FILE": str(file)}
    try:
        code = main([stands_for.get(word, word) for word in REFUSED[what]])
    except SystemExit as end:
        code = int(str(end.code))
    assert code in (2, 3)
    shown = capsys.readouterr()
    assert shown.err != ""
    assert_harmless(shown.out + shown.err)


def test_a_failure_of_our_own_shows_its_traceback_harmless(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def run(options: argparse.Namespace) -> int:
        raise KeyError(POISON, ValueError(POISON)) from ValueError(POISON)

    parser = argparse.ArgumentParser()
    parser.set_defaults(run=run)
    assert _guarded(parser, []) == 4
    error = capsys.readouterr().err
    assert "Traceback (most recent call last):\n" in error
    assert_harmless(error)


@pytest.mark.parametrize(
    "text", ["::", ":::", "::::", "##[", "##VSO[", ":\u200b:", "a\n::b", "####["]
)
def test_what_is_shown_has_no_command_wherever_a_line_is_broken(text: str) -> None:
    for shown in (visible(text), visible(text, spaces=True), visible_lines(text)):
        assert "::" not in shown
        assert_harmless(shown)
    assert json.loads(escaped_json(json.dumps(text, ensure_ascii=False))) == text


def test_what_only_resembles_a_command_stays_as_it_is() -> None:
    assert visible("##ing [#] a:b ##vs[o] #[x]") == "##ing [#] a:b ##vs[o] #[x]"
