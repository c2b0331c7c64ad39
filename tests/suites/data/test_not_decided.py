"""Ids of another writer never pass, whole or in one shard; what was not decided is said."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from id_faults import other_equal, without_merges
from id_scans import findings, scan_of
from small_ids import END, documents, small_folder, texts
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers

from tokaudit.engine.check import all_checks
from tokaudit.foundation.errors import Skip
from tokaudit.products.data.ids.documents import drawn
from tokaudit.products.data.work.scan import DataScan
from tokaudit.report.model import Finding, Severity
from tokaudit_folders.folder import Folder
from tokaudit_folders.id_files import datatrove, json_lines, raw
from tokaudit_reference.training.textbook_bpe import train_textbook
from tokaudit_suites.data._judged_shards import tail

Rows = list[list[int]]
LAST = small_folder().vocab[END]
BEGIN = "<s>"


def with_begin() -> Folder:
    """The small tokenizer with a token that begins texts."""
    folder = small_folder().added(BEGIN)
    roles = {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": END, "bos_token": BEGIN}
    return folder.tokenizer_config(**roles)


@pytest.fixture(scope="module")
def beginning(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return with_begin().write(tmp_path_factory.mktemp("begin"))


def outcome(scan: DataScan, id: str = "data/own-encoding") -> tuple[str, list[Finding]]:
    """What a check comes to: "fail", "unverifiable" or "pass", with its findings."""
    check = next(each for each in all_checks() if each.id == id)
    found: list[Finding] = []
    status = "pass"
    try:
        found += (each for each in check.function(scan) if isinstance(each, Finding))
    except Skip:
        status = "unverifiable"
    errors = any(each.severity is Severity.ERROR for each in found)
    return "fail" if errors else status, found


def joined(rows: Rows, seed: int, length: int) -> Rows:
    """Documents without ends, drawn again and again, as one stream of so many ids."""
    draw, found = random.Random(seed), list[int]()
    while len(found) < length:
        found += draw.choice(rows)[:-1]
    return [found[:length]]


@pytest.mark.parametrize("length", [900, 5_000, 60_000])
@pytest.mark.parametrize("share", [1.0, 0.05])
def test_a_stream_without_ends_is_judged_by_windows_at_every_size(
    length: int, share: float, rows: Rows, tokenizer: Path, tmp_path: Path
) -> None:
    raw(tmp_path / "ids.bin", joined(rows, length, length))
    status, found = outcome(scan_of(tmp_path, tokenizer, share=share))
    assert (status, [each.cause for each in found if each.severity != "info"]) == ("pass", [])
    raw(tmp_path / "ids.bin", joined(documents(folder=other_equal()), length, length))
    assert outcome(scan_of(tmp_path, tokenizer, share=share))[0] == "fail"


def test_added_tokens_of_white_space_are_spelled_as_the_tokens_that_they_replace(
    tmp_path: Path,
) -> None:
    reader = small_folder().added("  ", special=False).write(tmp_path / "reader")
    library = Tokenizer.from_str(small_folder().text())
    rows = [[*library.encode(f"if a:\n  {text}").ids, LAST] for text in texts(30)]
    json_lines(tmp_path / "ids.jsonl", rows)
    assert outcome(scan_of(tmp_path / "ids.jsonl", reader))[0] == "fail"


def _first_space(seed: int) -> Tokenizer:
    """Adds a space to texts that begin with none, and always takes one off."""
    made = Tokenizer(models.BPE(unk_token="?"))
    made.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first", split=True)
    made.decoder = decoders.Sequence(
        [decoders.Replace("\u2581", " "), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    return _trained(made, seed)


def _ends_of_words(seed: int) -> Tokenizer:
    """Writes the mark of an end of a word as it is, as CLIP's decoder does by itself."""
    made = Tokenizer(models.BPE(unk_token="?", end_of_word_suffix="</w>"))
    made.normalizer = normalizers.Lowercase()
    made.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    made.decoder = decoders.Fuse()
    return _trained(made, seed, "</w>")


def _trained(made: Tokenizer, seed: int, suffix: str = "") -> Tokenizer:
    """Learns 400 merges; the library's own trainer breaks ties at random."""
    learned = [*random.Random(seed).sample(texts(60), 30), " ".join(map(chr, range(33, 127)))]
    normalize = made.normalizer.normalize_str if made.normalizer else str
    pieces = (made.pre_tokenizer.pre_tokenize_str(normalize(text)) for text in learned)
    counts = Counter(word for found in pieces for word, _ in found)
    spelled = {word: (*word[:-1], word[-1] + suffix) for word in counts}
    symbols = sorted({symbol for word in spelled.values() for symbol in word})
    words = [(tuple(map(symbols.index, spelled[word])), count) for word, count in counts.items()]
    merges = []
    for left, right in train_textbook(words, symbols, 400):
        merges.append((symbols[left], symbols[right]))
        symbols.append(symbols[left] + symbols[right])
    entries = dict.fromkeys(["?", END, *symbols])
    vocab = {entry: id for id, entry in enumerate(entries)}
    made.model = models.BPE(vocab, merges, unk_token="?", end_of_word_suffix=suffix)
    made.add_special_tokens(["?", END])
    return made


@pytest.mark.parametrize("make", [_first_space, _ends_of_words])
@pytest.mark.parametrize("ends", [True, False])
def test_ids_whose_text_is_not_what_they_decode_to_are_decided(
    make: Callable[[int], Tokenizer], ends: bool, tmp_path: Path
) -> None:
    roles = {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": END}
    reader, other = make(1), make(2)
    folder = Folder(json.loads(reader.to_str())).tokenizer_config(**roles).write(tmp_path / "f")
    for name, writer in {"own": reader, "other": other}.items():
        end = [writer.token_to_id(END)] * ends
        rows = [[*writer.encode(f"   {text}").ids, *end] for text in texts(60)]
        raw(tmp_path / f"{name}.bin", rows if ends else [[id for row in rows for id in row]])
    assert outcome(scan_of(tmp_path / "own.bin", folder))[0] == "pass"
    assert outcome(scan_of(tmp_path / "other.bin", folder))[0] == "fail"


def test_a_stream_that_ends_in_a_token_without_a_use_is_not_decided(
    rows: Rows, tmp_path: Path
) -> None:
    folder = small_folder().added("<|masked|>", special=False)
    reader, other = folder.write(tmp_path / "reader"), folder.vocab["<|masked|>"]
    raw(tmp_path / "other.bin", [[*row[:-1], other] for row in rows])
    scan = scan_of(tmp_path / "other.bin", reader)
    assert outcome(scan)[0] == "unverifiable"
    reason = f"every stream ends in '<|masked|>' (id {other}), for which its files state no use"
    with pytest.raises(Skip, match=re.escape(reason)):
        list(next(each for each in all_checks() if each.id == "data/own-encoding").function(scan))
    raw(tmp_path / "own.bin", [[*row[:-1], other, LAST] for row in rows])
    assert outcome(scan_of(tmp_path / "own.bin", reader))[0] == "pass"
    raw(tmp_path / "inside.bin", [[*row[:9], other, *row[9:-1]] for row in rows])
    assert outcome(scan_of(tmp_path / "inside.bin", reader))[0] != "unverifiable"


@pytest.mark.parametrize("length", [900, 60_000])
def test_random_ids_fail_without_ends(length: int, tokenizer: Path, tmp_path: Path) -> None:
    draw = np.random.default_rng(length)
    raw(tmp_path / "ids.bin", [draw.integers(0, LAST, length).tolist()])
    assert outcome(scan_of(tmp_path, tokenizer, share=0.1))[0] == "fail"


def test_missing_merges_are_not_told_from_texts_that_meet(tokenizer: Path, tmp_path: Path) -> None:
    raw(tmp_path / "ids.bin", joined(documents(folder=without_merges(1)), 1, 60_000))
    status, _ = outcome(scan_of(tmp_path, tokenizer))
    assert status in ("fail", "unverifiable")


def test_texts_that_meet_at_a_token_that_is_written_elsewhere_are_the_tokenizers_own(
    tokenizer: Path, tmp_path: Path
) -> None:
    writer = Tokenizer.from_file(str(tokenizer / "tokenizer.json"))
    draw, some = random.Random(4), texts(400)
    longer = (" ".join(draw.sample(some, 7)) for _ in range(300))
    found = [writer.encode(f"e {text} the the the th").ids for text in longer]
    raw(tmp_path / "ids.bin", [[id for row in found for id in row]])
    scan = scan_of(tmp_path, tokenizer)
    the = writer.token_to_id("Ġthe")
    assert scan.total.joints[the] >= 30
    assert outcome(scan)[0] == "pass"


def test_without_windows_nothing_is_decided_and_nothing_passes(
    rows: Rows, tokenizer: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawn, "drawn_units", lambda *_: [])
    raw(tmp_path / "ids.bin", joined(rows, 1, 5_000))
    assert outcome(scan_of(tmp_path, tokenizer))[0] == "unverifiable"


def test_without_a_tokenizer_that_runs_the_reason_says_what_to_give(
    rows: Rows, tokenizer: Path, tmp_path: Path
) -> None:
    datatrove(tmp_path / "ids.ds", rows)
    scan = replace(scan_of(tmp_path, tokenizer), tokenizer=None)
    with pytest.raises(Skip, match="so no id was judged: install the library that runs it"):
        list(next(each for each in all_checks() if each.id == "data/own-encoding").function(scan))


def _shuffled(rows: Rows) -> Rows:
    draw = random.Random(5)
    return [[*draw.sample(row[:-1], len(row) - 1), row[-1]] for row in rows]


WRONG_SHARDS: dict[str, Callable[[Rows], Rows]] = {
    "another tokenizer": lambda rows: documents(folder=other_equal())[: len(rows)],
    "shuffled": _shuffled,
    "plus one": lambda rows: [[*((id + 1) % LAST for id in row[:-1]), LAST] for row in rows],
}


def shards(rows: Rows) -> Iterator[Rows]:
    """Forty shards of other documents each."""
    draw = random.Random(3)
    for _ in range(40):
        yield [[id for row in draw.sample(rows, 2) for id in row[:-1]] + [LAST] for _ in range(30)]


@pytest.mark.parametrize("fault", WRONG_SHARDS)
def test_one_wrong_shard_of_many_fails_with_its_name(
    fault: str, rows: Rows, tokenizer: Path, tmp_path: Path
) -> None:
    for at, some in enumerate(shards(rows)):
        datatrove(tmp_path / f"{at:02}.ds", some if at != 17 else WRONG_SHARDS[fault](some))
    status, found = outcome(scan_of(tmp_path, tokenizer, share=0.01))
    assert status == "fail"
    [one] = [each for each in found if each.severity == "error"]
    assert one.message.startswith("in 1 of 40 shards: 17.ds: ")
    assert one.places[0].file == "17.ds"


def test_many_sound_shards_have_no_finding(rows: Rows, tokenizer: Path, tmp_path: Path) -> None:
    for at, some in enumerate(shards(rows)):
        raw(tmp_path / f"{at:02}.bin", some)
    scan = scan_of(tmp_path, tokenizer, share=0.01)
    assert [each.identity for each in findings(scan)] == []
    assert min(tally.drawn for tally in scan.tallies.values()) >= 4


def test_a_shard_that_is_cut_at_its_end_fails_with_its_name(
    rows: Rows, tokenizer: Path, tmp_path: Path
) -> None:
    for at, some in enumerate(shards(rows)):
        raw(tmp_path / f"{at:02}.bin", some if at != 17 else [*some[:-1], some[-1][:9]])
    status, [one] = outcome(scan_of(tmp_path, tokenizer, share=0.01), "data/boundaries")
    assert (status, one.cause) == ("fail", "cut shard")
    assert one.message.startswith("17.bin ends in the middle of a document; ")


def test_shards_that_are_filled_to_one_size_are_all_left_open(
    rows: Rows, tokenizer: Path, tmp_path: Path
) -> None:
    for at, some in enumerate(shards(rows)):
        raw(tmp_path / f"{at:02}.bin", [*some[:-1], some[-1][:9]])
    assert outcome(scan_of(tmp_path, tokenizer, share=0.01), "data/boundaries")[1] == []


def test_the_headline_counts_every_wrong_document_and_names_the_mistake(
    rows: Rows, tokenizer: Path, tmp_path: Path
) -> None:
    long = [row for row in rows if len(row) >= 40]
    moved = [[*(min(id + 3, LAST - 1) for id in row[:-1]), LAST] for row in long]
    datatrove(tmp_path / "ids.ds", moved)
    status, found = outcome(scan_of(tmp_path, tokenizer))
    [one] = [each for each in found if each.severity == "error"]
    assert status == "fail"
    assert one.message.startswith(f"{len(long)} of {len(long)} (100 %) documents ")
    assert "; each id is 3 too high: with that taken away, they are its encoding" in one.message


def test_swapped_bytes_are_named(rows: Rows, tokenizer: Path, tmp_path: Path) -> None:
    joined_ids = np.array([id for row in rows * 3 for id in row], "<u2")
    (tmp_path / "ids.bin").write_bytes(joined_ids.byteswap().tobytes())
    _, found = outcome(scan_of(tmp_path, tokenizer, dtype="uint16"))
    assert any("with the bytes of each id in the other order" in each.message for each in found)


def errors(scan: DataScan) -> set[str]:
    return {each.identity for each in findings(scan) if each.severity is Severity.ERROR}


def test_a_beginning_that_is_doubled_everywhere_fails(beginning: Path, tmp_path: Path) -> None:
    begin = with_begin().vocab[BEGIN]
    rows = [[begin, *row] for row in documents()]
    json_lines(tmp_path / "ids.jsonl", rows)
    assert errors(scan_of(tmp_path, beginning)) == set()
    json_lines(tmp_path / "ids.jsonl", [[begin, *row] for row in rows])
    assert errors(scan_of(tmp_path, beginning)) == {"data/boundaries:begins-twice"}


@pytest.mark.parametrize("write", [json_lines, raw], ids=["stated", "stream"])
def test_an_end_that_is_doubled_everywhere_fails(
    write: Callable[[Path, Rows], None], rows: Rows, tokenizer: Path, tmp_path: Path
) -> None:
    write(tmp_path / f"ids.{'bin' if write is raw else 'jsonl'}", [[*row, LAST] for row in rows])
    assert errors(scan_of(tmp_path, tokenizer)) == {"data/boundaries:ends-twice"}


def test_an_end_that_is_missing_in_one_document_of_twenty_fails(
    rows: Rows, tokenizer: Path, tmp_path: Path
) -> None:
    some = [row[:-1] if at % 20 == 0 else row for at, row in enumerate(rows)]
    json_lines(tmp_path / "ids.jsonl", some)
    assert errors(scan_of(tmp_path, tokenizer)) == {"data/boundaries:end-is-mixed"}


def test_a_copied_shard_fails(rows: Rows, tokenizer: Path, tmp_path: Path) -> None:
    for at, some in enumerate(list(shards(rows))[:5]):
        json_lines(tmp_path / f"{at}.jsonl", [*some, *_shuffled(some)])
    (tmp_path / "5.jsonl").write_bytes((tmp_path / "2.jsonl").read_bytes())
    assert "data/whole:twins" in errors(scan_of(tmp_path, tokenizer))


def test_labels_that_teach_nothing_fail(rows: Rows, tokenizer: Path, tmp_path: Path) -> None:
    json_lines(tmp_path / "ids.jsonl", rows, labels=[[-100] * len(row) for row in rows])
    assert errors(scan_of(tmp_path, tokenizer)) == {"data/labels:labels-none"}


def _with_beginnings(rows: Rows, ended: bool) -> Rows:
    """Rows of two texts, each of which begins; the first is cut within a word unless it ends."""
    begin, vocab = with_begin().vocab[BEGIN], small_folder().vocab
    cut = [vocab["t"], begin, vocab["h"]]
    inner = [LAST, begin] if ended else cut
    return [[begin, *row[:20], *inner, *row[20:]] for row in rows if len(row) > 25]


def test_beginnings_inside_without_an_end_before_them_are_a_warning(
    beginning: Path, tmp_path: Path
) -> None:
    json_lines(tmp_path / "ids.jsonl", _with_beginnings(documents(), ended=False))
    found = {each.identity: each for each in findings(scan_of(tmp_path, beginning))}
    one = found["data/boundaries:begin-without-an-end"]
    assert one.severity == "warning"
    assert "inside documents without an end before them; words are cut there" in one.message
    json_lines(tmp_path / "ids.jsonl", _with_beginnings(documents(), ended=True))
    identities = {each.identity for each in findings(scan_of(tmp_path, beginning))}
    assert "data/boundaries:begin-without-an-end" not in identities


@pytest.mark.parametrize(("count", "n", "share"), [(3, 3, 0.01), (5, 16, 0.01), (4, 60, 0.1)])
def test_what_chance_gives_is_counted_as_by_a_million_draws(
    count: int, n: int, share: float
) -> None:
    drawn_counts = np.random.default_rng(count).binomial(n, share, 1_000_000)
    assert abs(tail(count, n, share) - float((drawn_counts >= count).mean())) < 2e-3
