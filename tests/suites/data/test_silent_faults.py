"""What nothing refuses and nobody sees: zeros, copies, and documents without a text."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from id_scans import findings, identities, scan_of
from small_ids import END, small_folder
from small_ids import documents as documents_of
from tokenizers import Tokenizer

from tokaudit.engine.check import all_checks
from tokaudit.products.data.ids.counts.tally import MOST_KEPT
from tokaudit.report.model import Finding, Measurement
from tokaudit_folders.folder import Folder
from tokaudit_folders.id_files import WRITERS, IdWriter, datatrove, json_lines, raw

Rows = list[list[int]]
LAST = small_folder().vocab[END]
UNWRITTEN: dict[str, Callable[[Rows], Rows]] = {
    "rows filled up with zeros": lambda rows: [[*row[:-1], *[0] * 6, LAST] for row in rows],
    "a document of zeros": lambda rows: [*rows[:9], [*[0] * 40, LAST], *rows[9:]],
    "an end that was never written": lambda rows: [*rows, [0] * 400],
    "a part in the middle": lambda rows: [*rows[:9], [*[0] * 99, *rows[9]], *rows[10:]],
}


def folder_of_pairs() -> Folder:
    """The small tokenizer with a token for two of its first one, as large ones have."""
    tokenizer = json.loads(small_folder().text())
    model = tokenizer["model"]
    model["merges"].append(["!", "!"])
    model["vocab"]["!!"] = LAST + 1
    roles = {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": END}
    return Folder(tokenizer).tokenizer_config(**roles)


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return folder_of_pairs().write(tmp_path_factory.mktemp("pairs"))


@pytest.fixture(scope="module")
def rows() -> Rows:
    return documents_of(folder=folder_of_pairs())


@pytest.mark.parametrize("fault", UNWRITTEN)
@pytest.mark.parametrize("writer", WRITERS, ids=lambda each: each.name)
def test_what_was_left_at_zero_is_found_in_each_format(
    writer: IdWriter, fault: str, rows: Rows, tokenizer: Path, tmp_path: Path
) -> None:
    writer.write(tmp_path / writer.file, rows)
    assert "data/zeros:zeros" not in identities(scan_of(tmp_path, tokenizer))
    writer.write(tmp_path / writer.file, UNWRITTEN[fault](rows))
    assert "data/zeros:zeros" in identities(scan_of(tmp_path, tokenizer))


def found(data: Path, tokenizer: Path, identity: str) -> Finding:
    [one] = [each for each in findings(scan_of(data, tokenizer)) if each.identity == identity]
    return one


def test_zeros_are_named_with_their_place_and_their_share(
    rows: Rows, tokenizer: Path, tmp_path: Path
) -> None:
    data = tmp_path / "ids.ds"
    datatrove(data, [*rows[:7], [*[0] * 40, LAST], *rows[7:]])
    one = found(data, tokenizer, "data/zeros:zeros")
    assert one.message.startswith(
        "runs of the id 0 ('!') that this tokenizer never produces: 1, in all 40"
    )
    assert one.message.endswith("the first: ids.ds, document 7, position 0, where the id is 0")
    assert one.severity == "error"


def test_zeros_in_the_middle_of_sampled_ids_are_no_finding_below_sixteen(
    rows: Rows, tokenizer: Path, tmp_path: Path
) -> None:
    row = [*rows[0][:5], *[0] * 15, *rows[0][5:]]
    datatrove(tmp_path / "ids.ds", [row, *rows[1:]])
    assert "data/zeros:zeros" not in identities(scan_of(tmp_path, tokenizer))


@pytest.mark.parametrize("role", ["eos_token", "bos_token", "pad_token"])
def test_zeros_that_begin_end_or_pad_are_judged_as_such(
    role: str, rows: Rows, tmp_path: Path
) -> None:
    roles = {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": END, role: "!"}
    folder = Folder(json.loads(small_folder().text())).tokenizer_config(**roles)
    tokenizer = folder.write(tmp_path / "tokenizer")
    datatrove(tmp_path / "ids.ds", [[*row[:-1], *[0] * 20] for row in rows])
    assert "data/zeros:zeros" not in identities(scan_of(tmp_path / "ids.ds", tokenizer))


def test_a_tokenizer_of_characters_writes_its_first_one_many_times(tmp_path: Path) -> None:
    folder = Folder.bpe("\nab").added(END).tokenizer_config(eos_token=END)
    tokenizer = folder.write(tmp_path / "tokenizer")
    assert folder.vocab["\n"] == 0
    datatrove(tmp_path / "ids.ds", [[1, 2, *[0] * 20, 3]] * 3)
    assert "data/zeros:zeros" not in identities(scan_of(tmp_path / "ids.ds", tokenizer))


def test_a_model_that_writes_zero_for_what_it_does_not_know_may_repeat_it(tmp_path: Path) -> None:
    made = Folder.wordlevel(["[UNK]", "a"]).changed(pre_tokenizer={"type": "Whitespace"})
    made = made.added(END)
    folder = made.tokenizer_config(eos_token=END, unk_token="[UNK]").write(tmp_path / "tokenizer")
    assert made.vocab["[UNK]"] == 0
    datatrove(tmp_path / "ids.ds", [[1, *[0] * 20, 2]] * 3)
    assert "data/zeros:zeros" not in identities(scan_of(tmp_path / "ids.ds", folder))


def test_copies_are_counted_and_the_first_pair_is_named(
    rows: Rows, tokenizer: Path, tmp_path: Path
) -> None:
    long = [row for row in rows if len(row) >= 32]
    datatrove(tmp_path / "a.ds", [*long[:9], long[2]])
    json_lines(tmp_path / "b.jsonl", [*long[9:20], long[2], long[5]])
    one = found(tmp_path, tokenizer, "data/duplicates:copies")
    assert one.message == (
        "3 of 23 (13 %) documents are copies of another one; for example, those at "
        "a.ds, document 2, position 0 and a.ds, document 9, position 0"
    )
    assert one.severity == "info"


def test_copies_are_found_in_a_stream_too(rows: Rows, tokenizer: Path, tmp_path: Path) -> None:
    long = [row for row in rows if len(row) >= 32]
    raw(tmp_path / "ids.bin", [*long, long[0]])
    where = sum(map(len, long))
    one = found(tmp_path, tokenizer, "data/duplicates:copies")
    assert one.message.endswith(f"those at ids.bin, position 0 and ids.bin, position {where:,}")


def test_documents_that_differ_in_one_id_are_no_copies(
    rows: Rows, tokenizer: Path, tmp_path: Path
) -> None:
    long = next(row for row in rows if len(row) >= 60)
    changed = [*long[:7], long[8], *long[8:]]
    json_lines(tmp_path / "ids.jsonl", [long, changed])
    assert len(scan_of(tmp_path, tokenizer).total.copies) == 2


def test_of_more_documents_than_are_kept_the_counts_of_those_that_are_kept_are_exact(
    tokenizer: Path, tmp_path: Path
) -> None:
    rows = [[*range(at, at + 40), LAST] for at in range(1500)]
    for name in ("a", "b", "c"):
        json_lines(tmp_path / f"{name}.jsonl", rows)
    sample = scan_of(tmp_path, tokenizer, share=1.0).total.copies
    assert len(sample) == MOST_KEPT
    assert {each.count for each in sample.values()} == {3}


def test_a_share_of_documents_is_the_same_share_of_their_copies(
    tokenizer: Path, tmp_path: Path
) -> None:
    rows = [[*range(at, at + 40), LAST] for at in range(1000)]
    for name in ("a", "b"):
        json_lines(tmp_path / f"{name}.jsonl", rows)
    sample = scan_of(tmp_path, tokenizer, share=0.1).total.copies
    assert {each.count for each in sample.values()} == {2}
    assert 50 < len(sample) < 200


def test_documents_of_nothing_but_an_end_are_information(
    rows: Rows, tokenizer: Path, tmp_path: Path
) -> None:
    json_lines(tmp_path / "ids.jsonl", [*rows, [LAST], [LAST]])
    one = found(tmp_path, tokenizer, "data/boundaries:no-text")
    assert one.message.startswith("2 of 62 (3.23 %) documents hold no text")
    assert one.severity == "info"


def test_an_empty_document_of_a_stream_is_two_ends_in_a_row(
    rows: Rows, tokenizer: Path, tmp_path: Path
) -> None:
    raw(tmp_path / "ids.bin", [*rows[:5], [LAST], *rows[5:]])
    one = found(tmp_path, tokenizer, "data/boundaries:ends-twice")
    assert one.message.startswith("1 ends of text follow another: documents end twice or are empty")


def test_the_library_itself_gives_no_run_of_zeros(tokenizer: Path) -> None:
    library = Tokenizer.from_file(str(tokenizer / "tokenizer.json"))
    assert library.decode([0] * 4) == "!!!!"
    assert library.encode("!!!!").ids != [0] * 4


def test_the_worst_shards_are_measured_first(rows: Rows, tokenizer: Path, tmp_path: Path) -> None:
    wrong = [[*row[:5], row[6], row[5], *row[7:]] for row in rows if len(row) >= 32]
    json_lines(tmp_path / "a.jsonl", rows[:20])
    json_lines(tmp_path / "b.jsonl", [*rows[20:40], *wrong[:5]])
    json_lines(tmp_path / "c.jsonl", wrong[5:])
    check = next(each for each in all_checks() if each.id == "data/own-encoding")
    said = list(check.function(scan_of(tmp_path, tokenizer)))
    found = [each for each in said if isinstance(each, Measurement)]
    shards = [dict(each.dimensions) for each in found if each.key.endswith("by_shard")]
    assert shards == [{"shard": "c.jsonl"}, {"shard": "b.jsonl"}]
