"""Writes the samples next to it by the writers themselves; run by hand, in an environment of each.

    pip install datatrove==0.10.1 tokenizers numpy       and then: write_samples.py datatrove
    pip install torch==2.13.0 megatron-core==0.16.1      and then: write_samples.py megatron
    pip install mosaicml-streaming==0.13.0               and then: write_samples.py mds
    pip install litdata==0.2.76 torch==2.14.1            and then: write_samples.py litdata
    pip install h5py==3.16.0                             and then: write_samples.py hdf5
    pip install safetensors==0.8.0 numpy                 and then: write_samples.py safetensors
    pip install webdataset==1.0.2 numpy                  and then: write_samples.py webdataset
    pip install numpy                                    and then: write_samples.py scripts

`scripts` does what the scripts of nanoGPT and llm.c do, which are their own writers.  The ids are in `documents.json`, made by
the tokenizer that `small_tokenizer` of the tests writes, each document with its end of text.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
DOCUMENTS = json.loads((HERE / "documents.json").read_text())


def datatrove() -> None:
    """The tokens file with index, metadata and loss mask."""
    from datatrove.pipeline.tokens.tokenizer import TokenizedFile

    folder = HERE / "datatrove"
    folder.mkdir(exist_ok=True)
    file = TokenizedFile(
        str(folder),
        "00000_unshuffled.ds",
        save_index=True,
        save_loss_metadata=True,
        tokenizer_name_or_path="small",
        save_final_metadata=True,
        token_size=2,
    )
    for ids in DOCUMENTS:
        file.write(ids, [True] * len(ids))
    file.close()


def megatron() -> None:
    """Ids and index by the builder of Megatron, one sequence a document."""
    import numpy
    import torch
    from megatron.core.datasets.indexed_dataset import DType, IndexedDatasetBuilder

    folder = HERE / "megatron"
    folder.mkdir(exist_ok=True)
    dtype = DType.optimal_dtype(8193)
    builder = IndexedDatasetBuilder(str(folder / "ids.bin"), dtype=dtype)
    for ids in DOCUMENTS:
        builder.add_document(torch.tensor(numpy.array(ids, "i8")), [len(ids)])
    builder.finalize(str(folder / "ids.idx"))


def mds() -> None:
    """A dataset of MosaicML Streaming, the ids as an array of uint16."""
    import numpy
    from streaming import MDSWriter

    with MDSWriter(out=str(HERE / "mds"), columns={"tokens": "ndarray:uint16"}) as writer:
        for ids in DOCUMENTS:
            writer.write({"tokens": numpy.array(ids, numpy.uint16)})


def tensor(ids: list[int]) -> Any:
    """The ids as litdata takes them."""
    import torch

    return torch.tensor(ids, dtype=torch.uint16)


def litdata() -> None:
    """Chunks of about 500 bytes for litdata's `TokensLoader`."""
    from litdata import TokensLoader, optimize

    optimize(
        tensor,
        DOCUMENTS,
        str(HERE / "litdata"),
        num_workers=1,
        chunk_bytes=500,
        item_loader=TokensLoader(),
    )


def hdf5() -> None:
    """Rows of any length; rows of one length with labels, packed; and the stacks of Cerebras."""
    import h5py
    import numpy

    folder = HERE / "hdf5"
    folder.mkdir(exist_ok=True)
    with h5py.File(folder / "ragged.h5", "w") as file:
        kind = h5py.vlen_dtype(numpy.uint16)
        rows = file.create_dataset("input_ids", (len(DOCUMENTS),), dtype=kind)
        for place, ids in enumerate(DOCUMENTS):
            rows[place] = ids
    ids, mask = padded()
    with h5py.File(folder / "rows.h5", "w") as file:
        file.create_dataset("input_ids", data=ids, compression="gzip", chunks=(3, ids.shape[1]))
        file.create_dataset("attention_mask", data=mask)
    with h5py.File(folder / "stacks.h5", "w") as file:
        labels = numpy.roll(ids, -1, axis=1)
        file.create_dataset("data", data=numpy.stack([ids, mask, labels], 1), dtype="i4")


def padded() -> Any:
    """The ids as rows of one length, padded by their end, and where they are ids."""
    import numpy

    length = max(map(len, DOCUMENTS))
    rows = [[*ids, *[ids[-1]] * (length - len(ids))] for ids in DOCUMENTS]
    mask = [[1] * len(ids) + [0] * (length - len(ids)) for ids in DOCUMENTS]
    return numpy.array(rows, numpy.int32), numpy.array(mask, numpy.int32)


def safetensors() -> None:
    """Rows of one length with their mask, and all ids as one array."""
    import numpy
    from safetensors.numpy import save_file

    folder = HERE / "safetensors"
    folder.mkdir(exist_ok=True)
    ids, mask = padded()
    save_file({"input_ids": ids, "attention_mask": mask}, folder / "rows.safetensors")
    flat = numpy.array([id for ids in DOCUMENTS for id in ids], numpy.uint16)
    save_file({"tokens": flat}, folder / "flat.safetensors")


def webdataset() -> None:
    """Samples with an array of ids, and samples with ids in JSON, each next to its text."""
    import numpy
    from webdataset import TarWriter

    folder = HERE / "webdataset"
    folder.mkdir(exist_ok=True)
    for name, extension in (("arrays.tar", "input_ids.npy"), ("json.tar", "json")):
        with TarWriter(str(folder / name)) as writer:
            for place, ids in enumerate(DOCUMENTS):
                held = numpy.array(ids, numpy.uint16) if "npy" in extension else {"input_ids": ids}
                writer.write({"__key__": f"{place:06}", extension: held, "txt": "its text"})


def scripts() -> None:
    """Bare ids as nanoGPT writes them, and those of llm.c after its header.

    Sources: `data/openwebtext/prepare.py` of karpathy/nanoGPT, `dev/data/data_common.py` of
    karpathy/llm.c.
    """
    import numpy

    (HERE / "scripts").mkdir(exist_ok=True)
    flat = numpy.array([id for ids in DOCUMENTS for id in ids], numpy.uint16)
    memory = numpy.memmap(
        HERE / "scripts" / "train.bin", dtype=numpy.uint16, mode="w+", shape=(len(flat),)
    )
    memory[:] = flat
    memory.flush()
    header = numpy.zeros(256, dtype=numpy.int32)
    header[:3] = 20240520, 1, len(flat)
    leading = [id for ids in DOCUMENTS for id in (ids[-1], *ids[:-1])]
    with (HERE / "scripts" / "llm_c.bin").open("wb") as file:
        file.write(header.tobytes())
        file.write(numpy.array(leading, dtype=numpy.uint16).tobytes())


WRITERS = (datatrove, megatron, mds, litdata, hdf5, safetensors, webdataset, scripts)

if __name__ == "__main__":
    {each.__name__: each for each in WRITERS}[sys.argv[1]]()
