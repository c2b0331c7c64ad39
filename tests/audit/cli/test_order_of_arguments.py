"""Options may lie between the names that a command takes several of."""

from __future__ import annotations

import pytest

from tokaudit.cli import _parsed, _parser_of


@pytest.mark.parametrize(
    "arguments",
    [
        ["A", "B", "C", "--for", "serving", "--tier", "quick"],
        ["A", "--for", "serving", "B", "--tier", "quick", "C"],
        ["--for", "serving", "A", "B", "--tier", "quick", "C"],
        ["--for", "serving", "--tier", "quick", "--", "A", "B", "C"],
    ],
)
def test_compare_takes_its_options_anywhere(arguments: list[str]) -> None:
    found = _parsed(_parser_of("compare"), arguments)
    assert found.subjects == ["A", "B", "C"]
    assert (found.purpose, found.tier) == ("serving", "quick")


def test_train_takes_its_options_anywhere() -> None:
    arguments = ["one.txt", "--out", "made", "two.txt", "--vocab-size", "300"]
    found = _parsed(_parser_of("train"), arguments)
    assert [str(path) for path in found.corpus] == ["one.txt", "two.txt"]
    assert (str(found.out), found.vocab_size) == ("made", [300])


def test_verify_takes_its_options_between_subject_and_manifest() -> None:
    found = _parsed(_parser_of("verify"), ["A", "--base", "B", "manifest.json"])
    assert (found.subject, found.base, found.manifest) == ("A", "B", "manifest.json")


def test_after_two_dashes_names_may_begin_with_a_dash() -> None:
    found = _parsed(_parser_of("trace"), ["--no-special", "--", "A", "-1"])
    assert (found.subject, found.text) == ("A", "-1")


def test_an_option_that_does_not_exist_is_refused_between_names_too() -> None:
    with pytest.raises(SystemExit) as ended:
        _parsed(_parser_of("compare"), ["A", "--fro", "serving", "B"])
    assert ended.value.code == 2
