"""A user's documents in an audit: encoded and decoded piece by piece, with the same result always."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from small_ids import small_folder, texts

import tokaudit
from tokaudit.engine.corpus import documents as reading
from tokaudit.foundation.errors import UsageError
from tokaudit.report.model import Measurement
from tokaudit.shards import running
from tokaudit_folders.folder import Folder

pytestmark = pytest.mark.usefixtures("processes")
CHECKS = ["fertility/corpus", "round_trip/corpus"]


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_folder().write(tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a file of lines and one of JSON lines."""
    folder = tmp_path_factory.mktemp("corpus")
    (folder / "de").mkdir()
    lines = [text.replace("\n", " ") for text in texts(90)]
    (folder / "de" / "lines.txt").write_text("\n".join(lines))
    rows = (json.dumps({"text": text.upper()}) for text in texts(40))
    (folder / "rows.jsonl").write_text("\n".join(rows))
    return folder


def audited(tokenizer: Path, corpus: Path, **how: Any) -> tokaudit.Report:
    return tokaudit.audit(tokenizer, corpus=[corpus], select=CHECKS, **how)


def said(report: tokaudit.Report) -> str:
    every = report.results
    return repr([(each.check, each.status, each.findings, each.measurements) for each in every])


def figures(report: tokaudit.Report, key: str) -> dict[str, Measurement]:
    found = [m for each in report.results for m in each.measurements if m.key == key]
    return {each.dimensions["corpus"]: each for each in found}


def test_two_processes_and_a_resumed_run_give_what_one_gives(
    tokenizer: Path, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "PIECE", 2_000)
    assert len(reading.tasks_of(corpus)) > 4
    one = said(audited(tokenizer, corpus))
    assert said(audited(tokenizer, corpus, jobs=2, resume=tmp_path / "kept")) == one
    monkeypatch.setattr(running, "_run", lambda work, job, tasks, *_: iter(_none(tasks)))
    assert said(audited(tokenizer, corpus, resume=tmp_path / "kept")) == one


def _none(tasks: Any) -> tuple[()]:
    assert list(tasks) == []
    return ()


def test_each_file_has_its_figures_with_an_interval_around_them(
    tokenizer: Path, corpus: Path
) -> None:
    report = audited(tokenizer, corpus)
    found = figures(report, "fertility/corpus_bytes_per_token")
    assert {name: each.n for name, each in found.items()} == {"de/lines.txt": 90, "rows.jsonl": 40}
    for each in found.values():
        assert each.interval is not None
        assert each.interval[0] < each.value < each.interval[1]
    assert found["rows.jsonl"].value < found["de/lines.txt"].value  # capitals cost more


def test_the_figures_are_those_of_all_documents(tmp_path: Path) -> None:
    tokenizer = Folder.bpe("abcd ", ["a b", "ab c"]).write(tmp_path / "one")
    (tmp_path / "lines.txt").write_text("abc d\nab\n")  # 3 and 1 tokens of 5 and 2 bytes
    report = audited(tokenizer, tmp_path / "lines.txt")
    values = [
        (each.key, each.value, each.n)
        for result in report.results
        for each in result.measurements
        if result.check == "fertility/corpus"
    ]
    assert values == [
        ("fertility/corpus_bytes_per_token", 1.75, 2),
        ("fertility/corpus_tokens_per_character", 4 / 7, 2),
        ("fertility/corpus_tokens_per_word", 4 / 3, 2),
    ]


def test_documents_that_do_not_come_back_are_one_error_with_a_minimal_text(
    corpus: Path, tmp_path: Path
) -> None:
    changed = json.loads(small_folder().text())
    changed["decoder"] = None
    report = audited(Folder(changed).write(tmp_path / "broken"), corpus)
    [one] = report.errors
    assert one.identity == "round_trip/corpus:other-text"
    assert one.message.startswith(
        "130 of 130 documents of the corpus change when encoded and decoded: "
    )
    assert one.places[0].component == "decoder"
    assert figures(report, "round_trip/corpus_changed")["rows.jsonl"].value == 1.0


def test_what_a_normalizer_declares_to_change_is_no_finding(tmp_path: Path) -> None:
    folder = Folder(json.loads(small_folder().text())).changed(normalizer={"type": "NFC"})
    tokenizer = folder.write(tmp_path / "nfc")
    (tmp_path / "lines.txt").write_text("cafe\u0301\nplain\n")
    report = audited(tokenizer, tmp_path / "lines.txt")
    assert report.errors == ()
    assert figures(report, "round_trip/corpus_changed")["lines.txt"].value == 0.0


def test_a_line_that_holds_no_text_is_named(tokenizer: Path, tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text('"a"\n{"body": 1}\n')
    report = audited(tokenizer, tmp_path / "rows.jsonl")
    assert report.result("fertility/corpus").reason == (
        f"--corpus: {tmp_path / 'rows.jsonl'}: line 2 has no text: "
        "expected a string, or an object with the key 'text' or 'content'"
    )


def test_without_pyarrow_the_command_that_installs_it_is_named_before_the_work(
    tokenizer: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rows.parquet").write_bytes(b"PAR1")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageError, match=r"run: pip install 'tokaudit\[parquet\]'"):
        audited(tokenizer, tmp_path / "rows.parquet")


def test_an_empty_corpus_has_no_figures(tokenizer: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("")
    report = audited(tokenizer, tmp_path / "empty.txt")
    assert report.result("round_trip/corpus").status == "not_applicable"
    assert [m for each in report.results for m in each.measurements] == []
