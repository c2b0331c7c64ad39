"""The comment of a pull request: subjects, what changed, one text, and the rest folded."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tokaudit.report.model import CheckResult, Finding, Severity, Status, Verdict
from tokaudit.report.recorded import CheckRecord, PartRecord
from tokaudit.report.report import Report
from tokaudit_reports import markdown

FOLDED = re.compile(r"^ *<details>(?:(?!<details>).)*?</details>", re.S | re.M)


def opened(text: str) -> list[str]:
    """The lines that a reader sees before anything is opened, a fold as its title."""
    while FOLDED.search(text):
        text = FOLDED.sub("(folded)", text)
    return [line for line in text.split("\n") if line]


@pytest.fixture
def gate(full: Report) -> Report:
    """Ten subjects, of which nine fail, each with two errors that have texts."""
    names = [f"models/m{n}" for n in range(10)]
    merges = full.results[1].findings[0]
    results = [
        CheckResult(check, Status.FAILED, findings=(replace(merges, check=check),), part=name)
        for name in names[1:]
        for check in ("library/encode", "gate/compare")
    ]
    parts = [
        PartRecord(name, Verdict.PASS if name == names[0] else Verdict.FAIL, "why", "scope", {})
        for name in names
    ]
    return replace(
        full,
        results=tuple(results),
        parts=tuple(parts),
        comparison=None,
        subject=replace(full.subject, name="."),
    )


def test_ten_subjects_are_at_most_forty_lines_before_anything_is_opened(gate: Report) -> None:
    shown = opened(markdown.write(gate))
    assert len(shown) <= 40
    assert shown[0] == "## ❌ tokaudit: fail 10 tokenizers"


def test_the_subjects_are_a_table_the_worst_first(gate: Report) -> None:
    rows = [line for line in markdown.write(gate).split("\n") if line.startswith("| ")]
    said = "the library does not split the contraction that the declared pattern splits"
    assert rows[1] == f"| ❌ | `models/m1` | 1 error: {said} |  |"
    assert rows[-1] == "| ✅ | `models/m0` | no error |  |"


def test_a_subject_that_passes_has_its_notes_counted_and_not_quoted(gate: Report) -> None:
    note = Finding(Severity.INFO, "a note", (), (), cause="n", check="a/b")
    passed = CheckResult("a/b", Status.PASSED, findings=(note,), part="models/m0")
    text = markdown.write(replace(gate, results=(*gate.results, passed)))
    assert "| ✅ | `models/m0` | no error, 1 note |  |" in text


def test_the_open_cause_is_the_first_with_a_text_and_says_why_it_matters(gate: Report) -> None:
    blunt = Finding(Severity.ERROR, "no text here", cause="b", check="a/blunt")
    failed = CheckResult("a/blunt", Status.FAILED, findings=(blunt,), part="models/m1")
    why = CheckRecord("library/encode", "t", "Users get other ids.", "r", Severity.ERROR)
    report = replace(gate, results=(failed, *gate.results), checks=(why,))
    shown = opened(markdown.write(report))
    assert "  - why it matters: Users get other ids." in shown
    assert len([line for line in shown if "minimal text: " in line]) == 1


def test_one_text_is_open(gate: Report) -> None:
    shown = "\n".join(opened(markdown.write(gate)))
    assert shown.count("minimal text: ") == 1


def test_each_finding_has_its_cause_and_what_accepts_it(gate: Report) -> None:
    text = markdown.write(gate)
    assert "- **`library/encode:shown [models/m1]`** " in text
    accepting = '[[suppressions]] in tokaudit.toml with identity = "library/encode:shown"'
    assert f"  - to accept this error: `{accepting}" in text


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("config.json has pad_token_id (3)!", "config.json has pad_token_id (3)!"),
        ("a - b + c = {d}", "a - b + c = {d}"),
        ("1. no list", "1\\. no list"),
        ("- no list", "\\- no list"),
        ("# no heading", "\\# no heading"),
        ("see #12 and @all", "see \\#12 and \\@all"),
        ("*a* _b_ `c` ~d~ $e$", "\\*a\\* \\_b\\_ \\`c\\` \\~d\\~ \\$e\\$"),
        ("[a](http://b.c) www.d.e :tada:", "\\[a\\](http\\://b.c) www\\.d.e \\:tada:"),
        ("<b>&lt; a|b", "\\<b>\\&lt; a\\|b"),
    ],
)
def test_only_what_acts_is_escaped(text: str, escaped: str) -> None:
    assert markdown._plain(text) == escaped
