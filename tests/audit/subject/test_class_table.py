"""The table of classes is data: each row has a source, and each rule for ids is kept."""

from __future__ import annotations

import json
import re
from pathlib import Path

import class_folders
import pytest
from class_folders import model, of_class, pieces_of

import tokaudit
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit.subject.upstream.loading_class import class_of
from tokaudit.subject.upstream.model_type import ModelValue, every_type, known_type, value_of
from tokaudit.subject.upstream.tokenizer_class import Ids, every_class
from tokaudit_reference.spec import TokenizerSpec

MOVED = sorted(name for name, known in every_class().items() if known.layout is not None)
SHAPE = r"absent|true|false|(\d+ ?)*|[\d.]+|-1"


def spec_of(folder: Path) -> TokenizerSpec:
    return parse_all(open_subject(folder)).parsed[0][1]


def test_every_row_names_its_source() -> None:
    assert all(row.source.endswith(".py") for row in every_class().values())


def test_every_class_that_moves_ids_has_a_layout_with_its_method() -> None:
    moved = [name for name, known in every_class().items() if known.ids is Ids.MOVED]
    assert sorted(moved) == MOVED
    layouts = (known.layout for known in every_class().values())
    assert all(layout.source for layout in layouts if layout is not None)


def test_only_a_class_with_listed_ids_has_a_list() -> None:
    for known in every_class().values():
        assert known.listed is None or known.ids is Ids.LISTED


def test_a_model_type_leads_to_a_class() -> None:
    marian, roberta = known_type("marian"), known_type("xlm-roberta")
    assert marian is not None and marian.tokenizer == "MarianTokenizer"
    assert roberta is not None and roberta.tokenizer == "XLMRobertaTokenizer"


@pytest.mark.parametrize("name", MOVED)
def test_a_piece_has_the_id_that_the_layout_gives_it(name: str, tmp_path: Path) -> None:
    folder = of_class(every_class()[name], tmp_path / "model")
    spec, layout = spec_of(folder), every_class()[name].layout
    assert layout is not None
    place = 30
    piece = spec.pieces[place + layout.offset].value
    file = folder / every_class()[name].files[0]
    assert pieces_of(file.read_bytes())[place] == piece
    assert spec.piece_ids[place] == place + layout.offset


@pytest.mark.parametrize("name", ["XLMRobertaTokenizer", "MarianTokenizer", "BartphoTokenizer"])
def test_the_library_and_the_reference_give_the_ids_of_the_class(
    name: str, tmp_path: Path, processes: None
) -> None:
    folder = of_class(every_class()[name], tmp_path / "model")
    with tokaudit.open(folder) as opened:
        (ours,), (theirs,) = (
            each.encode(["the cat sat"]) for each in (opened.reference, opened.library)
        )
        assert ours.ids == theirs.ids
        texts = [str(opened.spec.pieces[id].value) for id in ours.ids]
    assert "".join(texts) == "▁the▁cat▁sat"


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("BartphoTokenizer", "dict.txt"),
        ("M2M100Tokenizer", "vocab.json"),
        ("MarianTokenizer", "vocab.json"),
    ],
)
def test_a_piece_without_an_id_becomes_the_unknown_token(
    name: str, file: str, tmp_path: Path, processes: None
) -> None:
    folder = class_folders.pruned(of_class(every_class()[name], tmp_path / "model"), file)
    spec = spec_of(folder)
    lost = max(spec.unlisted, key=len)
    with tokaudit.open(folder) as opened:
        (ours,), (theirs,) = (
            each.encode([lost.replace("\u2581", " ").strip()])
            for each in (opened.reference, opened.library)
        )
    assert ours.ids == theirs.ids and spec.unk_id in ours.ids


def test_a_file_name_names_the_class_where_nothing_else_does(tmp_path: Path) -> None:
    (tmp_path / "sentencepiece.bpe.model").write_bytes(model())
    named = class_of(open_subject(tmp_path))
    assert named is not None
    assert named.rule == "sentencepiece.bpe.model is a file of XLMRobertaTokenizer"


def test_the_class_goes_before_the_type_of_the_model(tmp_path: Path) -> None:
    (tmp_path / "spiece.model").write_bytes(model())
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "xlm-roberta"}))
    (tmp_path / "tokenizer_config.json").write_text(
        json.dumps({"tokenizer_class": "AlbertTokenizerFast"})
    )
    named = class_of(open_subject(tmp_path))
    assert named is not None and named.name == "AlbertTokenizer"


def test_a_class_that_is_in_no_table_is_said(tmp_path: Path) -> None:
    (tmp_path / "spiece.model").write_bytes(model())
    (tmp_path / "tokenizer_config.json").write_text(
        json.dumps({"tokenizer_class": "AcornTokenizer"})
    )
    (finding,) = tokaudit.run_check("files/tokenizer-class", tmp_path).findings
    assert finding.message.endswith(
        "tokaudit uses the ids in the file, because it does not know the class."
    )


def test_moved_ids_are_said_with_a_piece(tmp_path: Path) -> None:
    folder = of_class(every_class()["XLMRobertaTokenizer"], tmp_path / "model")
    (finding,) = tokaudit.run_check("files/tokenizer-class", folder).findings
    assert "which gives the pieces of sentencepiece.bpe.model its own ids" in finding.message


def test_a_value_that_a_config_leaves_out_is_known_by_kind_and_version() -> None:
    assert value_of("llama", "eos_token_id") == ModelValue("eos_token_id", "2", "2")
    assert value_of("own", "eos_token_id") is None
    known = (value for kind in every_type().values() for value in kind.values.values())
    assert all(re.fullmatch(SHAPE, said) for each in known for said in (each.four, each.five))


def test_a_class_that_builds_a_model_is_in_the_table_with_its_kind() -> None:
    built = [known.builds for known in every_class().values() if known.builds]
    assert set(built) == {"BPE", "Unigram", "WordPiece"} and len(built) > 50
