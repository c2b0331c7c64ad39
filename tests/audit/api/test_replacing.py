"""`compare --for replacing` says which tokenizer is better, and fails only below a threshold."""

from __future__ import annotations

from pathlib import Path

import pytest

import tokaudit
from tokaudit.foundation.errors import UsageError
from tokaudit.report.model import Verdict
from tokaudit.report.reading import decode_report
from tokaudit.report.report import Report
from tokaudit.report.writer import all_writers
from tokaudit_folders.folder import Folder

LETTERS = ["a", "b", "c", "d", "e"]
pytestmark = pytest.mark.process


@pytest.fixture
def sides(tmp_path: Path) -> tuple[str, str, str]:
    """A tokenizer of letters, one that has a merge, and a corpus of two documents."""
    vocab = {token: id for id, token in enumerate([*LETTERS, "ab"])}
    Folder.bpe({token: id for token, id in vocab.items() if token != "ab"}, []).write(
        tmp_path / "letters"
    )
    Folder.bpe(vocab, [["a", "b"]]).write(tmp_path / "pairs")
    corpus = tmp_path / "held.txt"
    corpus.write_text("abab\ncd\n")
    return str(tmp_path / "letters"), str(tmp_path / "pairs"), str(corpus)


def replaced(sides: tuple[str, str, str], **settings: object) -> Report:
    left, right, corpus = sides
    return tokaudit.compare(left, right, purpose="replacing", corpus=[corpus], **settings)  # type: ignore[arg-type]


def test_the_sentence_says_who_needs_fewer_tokens_and_at_what_price(
    sides: tuple[str, str, str],
) -> None:
    report = replaced(sides, width=1_000_000)
    assert report.verdict is Verdict.PASS
    assert report.sentence == (
        "pairs needs 33 % fewer tokens than letters on your text; 3 of the 6 entries of pairs are "
        "never used there; at width 1,000,000 its embedding has 1 M parameters more."
    )


def test_the_figures_are_those_of_the_corpus(sides: tuple[str, str, str]) -> None:
    found = replaced(sides).replacements[0]
    tokens = found.figure("tokens")
    assert tokens is not None and tokens.left is not None and tokens.right is not None
    assert (tokens.left.value, tokens.right.value, tokens.documents) == (6, 4, 2)
    assert found.uses[0].never == 1 and found.uses[1].once == 2
    assert found.fewer[0].line.text == "abab" and found.more == ()
    assert (found.rows.kept, found.rows.moved, found.rows.new) == (5, 0, 1)


def test_a_threshold_that_is_missed_fails(sides: tuple[str, str, str]) -> None:
    report = replaced(sides, most_tokens=0.5)
    assert report.verdict is Verdict.FAIL
    assert report.verdict_reason == (
        "more than 0.5 tokens for each of the first: pairs needs 0.667"
    )
    assert replaced(sides, most_tokens=0.7).verdict is Verdict.PASS


def test_every_format_writes_it_and_reads_it_back(sides: tuple[str, str, str]) -> None:
    report = replaced(sides)
    written = {name: writer.write(report) for name, writer in all_writers().items()}
    assert decode_report(written["json"]).replacements == report.replacements
    for name in ("terminal", "html", "markdown"):
        assert "33 % fewer tokens" in written[name].replace("\n", " ")


def test_three_are_each_compared_with_the_first(sides: tuple[str, str, str]) -> None:
    left, right, corpus = sides
    report = tokaudit.compare(left, right, left, purpose="replacing", corpus=[corpus])
    assert [each.right for each in report.replacements] == [right, left]
    assert report.sentence.count("on your text") == 2


def test_an_unknown_language_is_refused_with_the_nearest(sides: tuple[str, str, str]) -> None:
    with pytest.raises(UsageError, match="did you mean deu_Latn"):
        replaced(sides, parity="deu_Latin")


def test_a_setting_of_this_purpose_is_refused_with_any_other(sides: tuple[str, str, str]) -> None:
    with pytest.raises(UsageError, match="most-tokens needs --for replacing"):
        tokaudit.compare(*sides[:2], most_tokens=1.0)
