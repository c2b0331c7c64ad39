"""Files of the real writers are read right, as their script and versions say (`written/`)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

import pytest

from tokaudit.products.data.files import Shard
from tokaudit.products.data.files.files import IdDescription, files_of
from tokaudit.products.data.files.opening import open_data, open_shard

WRITTEN = Path(__file__).parent / "written"
DOCUMENTS: list[list[int]] = json.loads((WRITTEN / "documents.json").read_text())
END = DOCUMENTS[0][-1]


def rows(shard: Shard) -> list[list[int]]:
    """The documents of a shard, all of whose batches hold whole ones."""
    found = []
    for piece in shard.pieces():
        for batch in shard.batches(piece, END):
            found += [batch.ids[start:stop].tolist() for _, start, stop, _ in batch.spans()]
    return found


def only_shard(path: Path, dtype: str = "") -> Shard:
    [shard] = open_data([path], IdDescription(dtype, 8193)).shards
    return shard


@pytest.mark.parametrize("folder", ["megatron", "datatrove", "mds"])
def test_documents_are_those_that_were_written(folder: str) -> None:
    shard = only_shard(WRITTEN / folder)
    assert rows(shard) == DOCUMENTS
    assert (shard.info.format, shard.info.dtype) == (folder, "uint16")
    assert shard.info.faults == ()


PADDED = ("hdf5/rows.h5", "safetensors/rows.safetensors")
STACKS = "hdf5/stacks.h5"


@pytest.mark.parametrize("file", ["hdf5/ragged.h5", "webdataset/arrays.tar", "webdataset/json.tar"])
def test_rows_of_any_length_are_those_that_were_written(file: str) -> None:
    shard = only_shard(WRITTEN / file)
    assert rows(shard) == DOCUMENTS
    assert shard.info.format == file.partition("/")[0]


@pytest.mark.parametrize("file", [*PADDED, STACKS])
def test_rows_of_one_length_are_read_with_what_is_next_to_them(file: str) -> None:
    shard = only_shard(WRITTEN / file)
    [batch] = shard.batches(shard.pieces()[0], END)
    mask = batch.columns.loss if file == STACKS else batch.columns.mask
    assert mask is not None
    spans = [(row, start, stop) for row, start, stop, _ in batch.spans()]
    assert [
        batch.ids[start : start + sum(mask[start:stop])].tolist() for _, start, stop in spans
    ] == (DOCUMENTS)
    assert shard.info.packed is (file == STACKS)


def test_one_tensor_of_ids_is_cut_at_the_end_of_text() -> None:
    shard = only_shard(WRITTEN / "safetensors" / "flat.safetensors")
    assert rows(shard) == DOCUMENTS
    assert (shard.info.dtype, shard.info.bounded) == ("uint16", False)


def test_chunks_of_litdata_have_the_documents_in_order() -> None:
    shards = open_data([WRITTEN / "litdata"], IdDescription()).shards
    assert [row for shard in shards for row in rows(cast("Shard", shard))] == DOCUMENTS
    assert {(shard.info.format, shard.info.dtype) for shard in shards} == {("litdata", "uint16")}
    assert [shard.info.faults for shard in shards] == [(), ()]


def test_bare_ids_are_cut_at_the_end_of_text_and_their_type_is_derived() -> None:
    shard = only_shard(WRITTEN / "scripts" / "train.bin")
    assert rows(shard) == DOCUMENTS
    assert shard.info.dtype == "uint16"
    assert shard.info.derived[0].startswith("no header states the type of ids: uint16 by its")


def test_documents_of_llm_c_begin_with_the_end_of_text() -> None:
    shard = only_shard(WRITTEN / "scripts" / "llm_c.bin")
    assert rows(shard) == [[END, *ids[:-1]] for ids in DOCUMENTS]
    assert shard.info.faults == ()


def test_a_loss_mask_is_read_with_the_ids() -> None:
    shard = only_shard(WRITTEN / "datatrove")
    [batch] = shard.batches(shard.pieces()[0], END)
    assert batch.columns.loss is not None
    assert batch.columns.loss.tolist() == [1] * sum(map(len, DOCUMENTS))


def test_the_tokenizer_that_the_metadata_name_is_known() -> None:
    assert only_shard(WRITTEN / "datatrove").info.tokenizer == "small"


def test_a_shard_is_opened_by_its_file_alone() -> None:
    [file] = files_of([WRITTEN / "megatron" / "ids.bin"])
    assert open_shard(file, IdDescription()).info.documents == len(DOCUMENTS)


def test_files_of_one_name_in_two_folders_have_names_that_tell_them_apart(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "ids.bin").write_bytes(bytes(8))
    found = files_of([tmp_path / "one", tmp_path / "two"])
    assert [file.name for file in found] == [
        str(tmp_path / "one" / "ids.bin"),
        str(tmp_path / "two" / "ids.bin"),
    ]
