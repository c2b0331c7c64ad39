"""`compare --for replacing` says which tokenizer is better, and fails only below a threshold."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import tokaudit
from tokaudit.foundation.errors import UsageError
from tokaudit.products.train.recipe_file import recipe_json
from tokaudit.products.train.settings import TrainSettings
from tokaudit.report.model import Verdict
from tokaudit.report.reading import decode_report
from tokaudit.report.report import Report
from tokaudit.report.writer import all_writers
from tokaudit.subject.training_recipe import NAME, corpus_files
from tokaudit_folders.folder import Folder
from tokaudit_reports.arranged.replacement import ranking

LETTERS = ["a", "b", "c", "d", "e"]
pytestmark = pytest.mark.usefixtures("processes")


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
    with pytest.raises(UsageError, match="most-tokens works only with --for replacing"):
        tokaudit.compare(*sides[:2], most_tokens=1.0)


def test_a_folder_is_one_corpus_and_its_documents_are_named_by_their_files(
    sides: tuple[str, str, str], tmp_path: Path
) -> None:
    (tmp_path / "held" / "deep").mkdir(parents=True)
    (tmp_path / "held" / "a.txt").write_text("cd\n\nccc\n")
    (tmp_path / "held" / "deep" / "b.jsonl").write_text('"c"\n{"text": "ababab"}\n')
    (tmp_path / "held" / ".hidden").write_text("ababab\n")
    found = replaced((*sides[:2], str(tmp_path / "held"))).replacements[0]
    tokens = found.figure("tokens")
    assert tokens is not None and tokens.left is not None and tokens.right is not None
    assert (tokens.left.value, tokens.right.value, tokens.documents) == (12, 9, 4)
    [shifted] = found.fewer
    assert (shifted.file, shifted.number) == (str(tmp_path / "held" / "deep" / "b.jsonl"), 2)


def test_several_are_ranked_in_one_table_with_the_first_among_them(
    sides: tuple[str, str, str], tmp_path: Path
) -> None:
    left, right, corpus = sides
    third = str(shutil.copytree(left, tmp_path / "same"))
    report = tokaudit.compare(left, right, third, purpose="replacing", corpus=[corpus])
    rows = ranking(report.replacements)
    assert [(row.name, row.ratio.value if row.ratio else None) for row in rows] == [
        ("pairs", pytest.approx(2 / 3)),
        ("letters", 1.0),
        ("same", 1.0),
    ]
    written = {name: writer.write(report) for name, writer in all_writers().items()}
    assert "| pairs | 0.67 | 1.50 | 6 | 3 |" in written["markdown"]
    assert "from the fewest tokens on" in written["terminal"]
    assert "All tokenizers, ranked" in written["html"]


def test_two_are_not_ranked(sides: tuple[str, str, str]) -> None:
    written = all_writers()["html"].write(replaced(sides))
    assert "All tokenizers, ranked" not in written


def test_the_time_to_encode_is_over_the_yardstick_s(sides: tuple[str, str, str]) -> None:
    for time in replaced(sides).replacements[0].times:
        assert time is not None and time.interval is not None
        assert 0 < time.interval[0] <= time.value <= time.interval[1]


def test_the_domains_that_come_with_the_package(sides: tuple[str, str, str]) -> None:
    from tokaudit_suites.shared.sample_texts import load

    domains = {each.language for each in load() if each.kind == "domain"}
    assert domains == {
        *("code_c", "code_python", "math_latex", "numbers_and_tables"),
        *("tables", "markup", "prose_english"),
    }


def with_recipe(folder: str, corpus: Path) -> None:
    text = recipe_json(TrainSettings(), 6, 6, corpus_files([corpus]), {})
    (Path(folder) / NAME).write_text(text)


def test_that_a_recipe_names_the_text_is_said_before_the_gain(sides: tuple[str, str, str]) -> None:
    with_recipe(sides[1], Path(sides[2]))
    report = replaced(sides)
    assert report.replacements[0].made_of == (sides[1],)
    assert report.sentence.startswith(
        "Figures flatter pairs here, as the recipe of pairs names your text as what to learn "
        "from; pairs needs 33 % fewer tokens"
    )


def test_a_recipe_of_another_text_says_nothing(sides: tuple[str, str, str], tmp_path: Path) -> None:
    other = tmp_path / "held.md"
    other.write_text("abab\n")
    with_recipe(sides[1], other)
    assert replaced(sides).replacements[0].made_of == ()
    (Path(sides[1]) / NAME).write_text("{}")
    assert replaced(sides).replacements[0].made_of == ()
