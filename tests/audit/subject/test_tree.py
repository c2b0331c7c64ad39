"""A repository is a tree of subjects: what belongs to which tokenizer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tokaudit
from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.opening import Repository, open_repository, open_subject
from tokaudit.subject.representations import in_order
from tokaudit_folders.folder import Folder

POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n"
MODEL = Folder.bpe("ab", ["a b"]).tokenizer["model"]


def write(root: Path, *names: str) -> Path:
    """A folder of these files: tokenizers and configs that are small and sound."""
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content(path.name))
    return root


def content(name: str) -> bytes:
    if name == "tokenizer.json":
        return json.dumps({"version": "1.0", "added_tokens": [], "model": MODEL}).encode()
    return json.dumps({"model_type": "gpt2", "vocab_size": 3}).encode()


def parts(repository: Repository) -> dict[str, set[str]]:
    """Part -> the names of its files."""
    return {each.part: {file.name for file in each.files} for each in repository.subjects}


def test_one_tokenizer_and_its_model_are_one_subject(tmp_path: Path) -> None:
    write(tmp_path, "tokenizer.json", "config.json")
    (subject,) = open_repository(tmp_path).subjects
    assert subject.part == ""


def test_an_encoder_of_a_pipeline_belongs_to_the_tokenizer_of_its_number(tmp_path: Path) -> None:
    pairs = ("tokenizer", "tokenizer_2")
    write(tmp_path, "model_index.json", *(f"{name}/tokenizer.json" for name in pairs))
    write(tmp_path, "text_encoder/config.json", "text_encoder_2/config.json", "unet/config.json")
    assert parts(open_repository(tmp_path)) == {
        "tokenizer": {"tokenizer/tokenizer.json", "text_encoder/config.json"},
        "tokenizer_2": {"tokenizer_2/tokenizer.json", "text_encoder_2/config.json"},
    }


@pytest.mark.parametrize("name", ["vocab.txt", "bpe.codes", "vocab.json"])
@pytest.mark.parametrize("home", ["tokenizer.json", "model/tokenizer.json"])
def test_a_list_of_a_data_set_is_no_second_tokenizer(tmp_path: Path, name: str, home: str) -> None:
    write(tmp_path, home)
    (tmp_path / "datasets" / "x").mkdir(parents=True)
    (tmp_path / "datasets" / "x" / name).write_text("1\n2\n" if name != "vocab.json" else '{"a":0}')
    (subject,) = open_repository(tmp_path).subjects
    file = subject.file(f"datasets/x/{name}")
    assert file is not None and file.role.startswith("of no tokenizer: a list of words")
    assert [format.name for format, _ in in_order(subject)] == ["tokenizer.json"]


def test_the_dictionary_of_another_engine_makes_no_list_of_words_a_tokenizer(
    tmp_path: Path,
) -> None:
    write(tmp_path, "tokenizer.json", "datasets/x/dict.txt")
    (tmp_path / "datasets" / "x" / "vocab.txt").write_text("1\n2\n")
    (subject,) = open_repository(tmp_path).subjects
    file = subject.file("datasets/x/vocab.txt")
    assert file is not None and file.role.startswith("of no tokenizer: a list of words")


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (["vocab.txt"], "[UNK]\na\n"),
        (["vocab.txt", "tokenizer_config.json"], "a\n"),
        (["vocab.txt", "bpe.codes"], "a b 1\n"),
    ],
)
def test_a_list_that_shows_a_tokenizer_is_one(tmp_path: Path, names: list[str], text: str) -> None:
    write(tmp_path, "tokenizer.json")
    (tmp_path / "other").mkdir()
    for name in names:
        (tmp_path / "other" / name).write_text(text if not name.endswith(".json") else "{}")
    assert len(open_repository(tmp_path).subjects) == 2


def test_a_component_without_a_tokenizer_says_why_it_is_not_read(tmp_path: Path) -> None:
    write(tmp_path, "model_index.json", "tokenizer/tokenizer.json", "unet/config.json")
    (subject,) = open_repository(tmp_path).subjects
    unet = subject.file("unet/config.json")
    assert unet is not None and unet.role == "of no tokenizer: a component of a pipeline"
    assert subject.facts == ()


def test_a_checkpoint_is_a_copy_of_the_tokenizer_above(tmp_path: Path) -> None:
    write(tmp_path, "tokenizer.json", "config.json", "checkpoint-5/tokenizer.json")
    originals = {each.part: each.original for each in open_repository(tmp_path).subjects}
    assert originals == {".": "", "checkpoint-5": "."}


def test_checkpoints_without_a_tokenizer_above_are_copies_of_the_first(tmp_path: Path) -> None:
    write(tmp_path, "checkpoint-10/tokenizer.json", "checkpoint-5/tokenizer.json")
    originals = {each.part: each.original for each in open_repository(tmp_path).subjects}
    assert originals == {"checkpoint-10": "", "checkpoint-5": "checkpoint-10"}


def test_a_checkpoint_without_a_tokenizer_is_held_to_the_one_above(tmp_path: Path) -> None:
    write(tmp_path, "tokenizer.json", "config.json", "checkpoint-5/config.json")
    assert parts(open_repository(tmp_path)) == {
        ".": {"tokenizer.json", "config.json"},
        "checkpoint-5": {"tokenizer.json", "checkpoint-5/config.json"},
    }


def test_another_model_below_a_tokenizer_is_not_its_own(tmp_path: Path) -> None:
    write(tmp_path, "tokenizer.json", "vision/config.json")
    (subject,) = open_repository(tmp_path).subjects
    vision = subject.file("vision/config.json")
    assert vision is not None and vision.role.startswith("of no tokenizer: ")


def test_a_config_above_two_tokenizers_belongs_to_neither(tmp_path: Path) -> None:
    write(tmp_path, "config.json", "one/tokenizer.json", "two/tokenizer.json")
    found = open_repository(tmp_path)
    assert [(file.name, file.role) for file in found.others] == [
        ("config.json", "of no tokenizer: there are 2 below, and none here")
    ]


@pytest.mark.parametrize("key", ["qformer", "qformer_config"])
def test_a_tokenizer_of_a_part_is_held_to_what_the_config_says_of_it(
    tmp_path: Path, key: str
) -> None:
    write(tmp_path, "tokenizer.json", "qformer_tokenizer/tokenizer.json")
    (tmp_path / "config.json").write_text(json.dumps({"vocab_size": 3, key: {"vocab_size": 2}}))
    sizes = {
        each.part: [(fact.value, fact.pointer) for fact in each.facts_named("vocab_size")]
        for each in open_repository(tmp_path).subjects
    }
    assert sizes == {".": [(3, "/vocab_size")], "qformer_tokenizer": [(2, f"/{key}/vocab_size")]}
    report = tokaudit.audit(tmp_path, select=["embeddings/config-vocab-size"])
    assert [(part.name, str(part.verdict)) for part in report.parts] == [
        (".", "pass"),
        ("qformer_tokenizer", "fail"),
    ]


def test_the_part_that_is_named_is_opened_with_its_own_facts(tmp_path: Path) -> None:
    write(tmp_path, "a/tokenizer.json", "a/config.json", "b/tokenizer.json")
    assert open_subject(tmp_path, part="b").part == "b"
    assert {fact.file for fact in open_subject(tmp_path).facts} == {"a/config.json"}


def test_a_tokenizer_that_is_a_pointer_is_said_and_nothing_else(tmp_path: Path) -> None:
    write(tmp_path, "config.json", "tokenizer_config.json")
    (tmp_path / "tokenizer.json").write_bytes(POINTER)
    what = r"tokenizer\.json is a git-lfs pointer, not the file; run git lfs pull$"
    with pytest.raises(UnreadableError, match=what):
        open_repository(tmp_path)


def many(folder: Path, count: int) -> None:
    """Folders whose tokenizers differ in one entry."""
    for n in range(count):
        write(folder, f"t{n:02}/tokenizer.json")
        model = MODEL | {"vocab": {"a": 0, "b": 1, "ab": 2, f"c{n}": 3}}
        (folder / f"t{n:02}" / "tokenizer.json").write_text(json.dumps({"model": model}))


def test_folders_with_the_same_files_are_counted_once_where_there_are_many(tmp_path: Path) -> None:
    write(tmp_path, *(f"t{n}/tokenizer.json" for n in range(30)))
    (subject,) = open_repository(tmp_path).subjects
    roles = [file.role for file in subject.files]
    assert roles.count("tokenizer.json") == 1
    assert roles.count("the same files as t0") == 29


def test_of_too_many_tokenizers_the_first_are_taken_and_the_others_listed(tmp_path: Path) -> None:
    many(tmp_path, 26)
    repository = open_repository(tmp_path)
    assert [subject.part for subject in repository.subjects] == [f"t{n:02}" for n in range(24)]
    assert repository.beyond == ("t24", "t25")
    assert {file.name: file.role.partition(":")[0] for file in repository.others} == {
        "t24/tokenizer.json": "not examined",
        "t25/tokenizer.json": "not examined",
    }


def test_copies_next_to_other_configs_do_not_count_as_tokenizers(tmp_path: Path) -> None:
    many(tmp_path, 24)
    for n in range(3):
        write(tmp_path, f"t00/checkpoint-{n}/config.json")
        copy = (tmp_path / "t00/tokenizer.json").read_bytes()
        (tmp_path / f"t00/checkpoint-{n}/tokenizer.json").write_bytes(copy)
        (tmp_path / f"t00/checkpoint-{n}/config.json").write_text(json.dumps({"vocab_size": n}))
    repository = open_repository(tmp_path)
    assert len(repository.subjects) == 27
    assert repository.beyond == ()


def test_no_audit_passes_over_a_tokenizer_that_it_left_out(tmp_path: Path) -> None:
    many(tmp_path, 26)
    report = tokaudit.audit(tmp_path, tier="quick", select=["vocab/duplicate-id"])
    assert str(report.verdict) == "unverifiable"
    assert report.verdict_reason.startswith(
        "2 tokenizers were not examined, name a folder to audit it: t24, t25"
    )
    assert [file.name for file in report.subject.unread] == [
        "t24/tokenizer.json",
        "t25/tokenizer.json",
    ]


def test_a_report_has_a_verdict_for_each_and_one_on_top(tmp_path: Path) -> None:
    write(tmp_path, "tokenizer.json", "checkpoint-5/tokenizer.json")
    moved = MODEL | {"vocab": {"a": 1, "b": 0, "ab": 2}}
    other = {"version": "1.0", "added_tokens": [], "model": moved}
    (tmp_path / "checkpoint-5" / "tokenizer.json").write_text(json.dumps(other))
    report = tokaudit.audit(
        tmp_path, tier="quick", select=["agreement/copies", "vocab/duplicate-id"]
    )
    assert [(part.name, str(part.verdict)) for part in report.parts] == [
        (".", "pass"),
        ("checkpoint-5", "fail"),
    ]
    assert str(report.verdict) == "fail"
    assert report.verdict_reason == "checkpoint-5: errors from agreement/copies"
    assert {result.part for result in report.results} == {".", "checkpoint-5"}


def test_a_pointer_in_one_folder_fails_that_tokenizer_alone(tmp_path: Path) -> None:
    write(tmp_path, "tokenizer.json", "onnx/config.json")
    (tmp_path / "onnx" / "tokenizer.json").write_bytes(POINTER)
    report = tokaudit.audit(tmp_path, tier="quick", select=["files", "vocab/duplicate-id"])
    assert [(part.name, str(part.verdict)) for part in report.parts] == [
        (".", "pass"),
        ("onnx", "fail"),
    ]
    assert [finding.check for finding in report.errors] == ["files/kind"]


def test_one_check_is_asked_of_every_part(tmp_path: Path) -> None:
    write(tmp_path, "tokenizer.json", "original/tokenizer.json")
    assert str(tokaudit.run_check("agreement/copies", tmp_path).status) == "passed"
