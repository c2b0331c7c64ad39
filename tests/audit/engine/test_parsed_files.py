"""What files say is parsed once for all subjects of a run that have the same bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from tokaudit.engine.parsed_files import ParsedFiles
from tokaudit.subject.material import Subject
from tokaudit.subject.opening import open_repository
from tokaudit.subject.representations import Representations, parse_all
from tokaudit_fuzz.samples import SAMPLES, checkpoint
from tokaudit_reference.spec import TokenizerSpec

FORMATS = [(name, number) for name, builds in SAMPLES.items() for number in range(len(builds))]


def copies(folder: Path, files: Mapping[str, bytes], *names: str) -> tuple[Subject, ...]:
    """A repository whose folders of those names hold the same files."""
    for name in names:
        (folder / name).mkdir()
        for file, data in files.items():
            (folder / name / file).write_bytes(data)
    return open_repository(folder).subjects


def told(found: Representations) -> list[dict[str, Any]]:
    """All that representations hold, also what two equal ones may differ in."""
    return [{**vars(each), "spec": each.spec and _whole(each.spec)} for each in found.all]


def _whole(spec: TokenizerSpec) -> dict[str, Any]:
    return {each.name: getattr(spec, each.name) for each in fields(spec)}


@pytest.mark.parametrize(("name", "number"), FORMATS)
def test_a_copy_says_what_parsing_it_would_say(tmp_path: Path, name: str, number: int) -> None:
    first, second = copies(tmp_path, SAMPLES[name][number](), "one", "two")
    parsed = ParsedFiles()
    parsed.of(first, (second,))

    assert told(parsed.of(second)) == told(parse_all(second))


def test_the_entries_of_copies_are_one_table(tmp_path: Path) -> None:
    first, second, third = copies(tmp_path, checkpoint(), "one", "three", "two")
    parsed = ParsedFiles()
    specs = [parsed.of(each).parsed[0][1] for each in (first, second, third)]

    assert specs[1].pieces is specs[0].pieces
    assert specs[2].pieces is specs[0].pieces
    assert [spec.files for spec in specs] == [
        (f"{each}/tokenizer.json",) for each in ("one", "three", "two")
    ]


def test_a_copy_after_another_tokenizer_shares_the_first(tmp_path: Path) -> None:
    for name, entries in (("a", "[UNK]\na\n"), ("b", "[UNK]\na\nb\n"), ("c", "[UNK]\na\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "vocab.txt").write_text(entries)
    subjects = open_repository(tmp_path).subjects
    parsed = ParsedFiles()
    first, _, third = [parsed.of(each, subjects).parsed[0][1] for each in subjects]

    assert third.pieces is first.pieces


def test_what_is_wrong_with_a_copy_names_the_file_of_the_copy(tmp_path: Path) -> None:
    first, second = copies(tmp_path, {"tokenizer.json": b'{"model": {}}'}, "one", "two")
    parsed = ParsedFiles()
    found = [parsed.of(each, (second,)).all[0].error.split()[0] for each in (first, second)]

    assert found == ["one/tokenizer.json", "two/tokenizer.json"]


def test_a_byte_more_or_another_byte_is_parsed_by_itself(tmp_path: Path) -> None:
    copies(tmp_path, {"vocab.txt": b"[UNK]\na\n"}, "one", "three", "two")
    (tmp_path / "three" / "vocab.txt").write_bytes(b"[UNK]\nb\n")
    (tmp_path / "two" / "vocab.txt").write_bytes(b"[UNK]\na\nc\n")
    first, second, third = open_repository(tmp_path).subjects
    parsed = ParsedFiles()
    found = [parsed.of(each, (second, third)).parsed[0][1] for each in (first, second, third)]

    assert [sorted(spec.ids_by_surface) for spec in found] == [
        ["[UNK]", "a"],
        ["[UNK]", "b"],
        ["[UNK]", "a", "c"],
    ]


def test_another_setting_next_to_the_same_file_is_parsed_by_itself(tmp_path: Path) -> None:
    copies(tmp_path, {"vocab.txt": b"[UNK]\na\n"}, "one", "two")
    text = '{"tokenizer_class": "BertTokenizer", "do_lower_case": %s}'
    (tmp_path / "one" / "tokenizer_config.json").write_text(text % "true")
    (tmp_path / "two" / "tokenizer_config.json").write_text(text % "false")
    subjects = open_repository(tmp_path).subjects
    parsed = ParsedFiles()
    lower, kept = [parsed.of(each, subjects).parsed[0][1] for each in subjects]

    assert lower.normalizer != kept.normalizer
