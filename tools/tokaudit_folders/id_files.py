"""Writes documents of ids in each format, with whatever is to be wrong in them."""

from __future__ import annotations

import gzip
import json
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Rows = Sequence[Sequence[int]]
MEGATRON = struct.Struct("<9sQBQQ")


@dataclass(frozen=True)
class IdWriter:
    """A format: its name, the name of the file, and what writes it; `stated` bounds or none."""

    name: str
    file: str
    write: Callable[[Path, Rows], None]
    stated: bool = True


def flat(rows: Rows) -> bytes:
    """All ids one after the other; one that does not fit wraps around."""
    import numpy as np

    joined = np.array([id for row in rows for id in row], "<i8")
    return joined.astype("<u2").tobytes()


def megatron(path: Path, rows: Rows) -> None:
    """Ids, and an index of one sequence for each document."""
    import numpy as np

    lengths = np.array([len(row) for row in rows], "<i4")
    pointers = (np.cumsum(lengths) - lengths).astype("<i8") * 2
    head = MEGATRON.pack(b"MMIDIDX\0\0", 1, 8, len(rows), len(rows) + 1)
    bounds = np.arange(len(rows) + 1, dtype="<i8")
    path.write_bytes(flat(rows))
    index = head + lengths.tobytes() + pointers.tobytes() + bounds.tobytes()
    path.with_suffix(".idx").write_bytes(index)


def datatrove(path: Path, rows: Rows) -> None:
    """Ids, the ends of documents, and the words about them."""
    import numpy as np

    ends = np.cumsum([len(row) for row in rows]).astype("<u8")
    path.write_bytes(flat(rows))
    path.with_name(f"{path.name}.index").write_bytes(ends.tobytes())
    words = f"small|2\n{sum(map(len, rows))}\n1 K"
    path.with_name(f"{path.name}.metadata").write_text(words)


def npy(path: Path, rows: Rows) -> None:
    """One array of all ids."""
    import numpy as np

    np.save(path, np.frombuffer(flat(rows), "<u2"))


def dolma(path: Path, rows: Rows) -> None:
    """Bare ids under the name of an array, and the table of documents."""
    import numpy as np

    ends = np.cumsum([len(row) for row in rows]).tolist()
    lines = [
        f"{end - len(row)},{end},{at},a.json,{at}"
        for at, (row, end) in enumerate(zip(rows, ends, strict=True))
    ]
    path.write_bytes(flat(rows))
    path.with_name(f"{path.stem}.csv.gz").write_bytes(gzip.compress("\n".join(lines).encode()))


def raw(path: Path, rows: Rows) -> None:
    """Bare ids."""
    path.write_bytes(flat(rows))


def llm_c(path: Path, rows: Rows) -> None:
    """Ids after the header, each document after its end of text."""
    moved = [[row[-1], *row[:-1]] for row in rows]
    head = struct.pack("<3i", 20240520, 1, sum(map(len, rows))).ljust(1024, b"\0")
    path.write_bytes(head + flat(moved))


def litdata(path: Path, rows: Rows) -> None:
    """A chunk with the table of its items, and the index that states their type."""
    import numpy as np

    table = 4 * (len(rows) + 2)
    places = table + np.cumsum([0, *(2 * len(row) for row in rows)])
    head = struct.pack("<I", len(rows)) + places.astype("<u4").tobytes()
    path.write_bytes(head + flat(rows))
    index = {
        "chunks": [
            {
                "chunk_bytes": path.stat().st_size,
                "chunk_size": len(rows),
                "dim": sum(map(len, rows)),
                "filename": path.name,
            }
        ],
        "config": {"data_format": ["no_header_tensor:20"], "item_loader": "TokensLoader"},
    }
    path.with_name("index.json").write_text(json.dumps(index))


def json_lines(
    path: Path, rows: Rows, *, named: str = "input_ids", **columns: Sequence[Any]
) -> None:
    """A line for each document, with its ids under a name."""
    lines = [
        json.dumps({named: list(row), **{name: of[at] for name, of in columns.items()}})
        for at, row in enumerate(rows)
    ]
    text = "".join(f"{line}\n" for line in lines).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else packed(path, text))


def packed(path: Path, data: bytes) -> bytes:
    """The bytes as the suffix asks for."""
    if path.suffix != ".zst":
        return data
    import zstandard

    return zstandard.ZstdCompressor().compress(data)


def parquet(path: Path, rows: Rows, *, named: str = "input_ids", **columns: Sequence[Any]) -> None:
    """A row for each document, with its ids under a name."""
    import pyarrow
    from pyarrow import parquet as writer

    writer.write_table(pyarrow.table({named: list(map(list, rows)), **columns}), path)


def arrow(path: Path, rows: Rows, **columns: Sequence[Any]) -> None:
    """A row for each document, in batches of seven."""
    import pyarrow

    table = pyarrow.table({"input_ids": list(map(list, rows)), **columns})
    with pyarrow.ipc.new_stream(str(path), table.schema) as writer:
        writer.write_table(table, max_chunksize=7)


WRITERS = (
    IdWriter("megatron", "ids.bin", megatron),
    IdWriter("datatrove", "ids.ds", datatrove),
    IdWriter("npy", "ids.npy", npy, stated=False),
    IdWriter("dolma", "ids.npy", dolma),
    IdWriter("raw", "ids.bin", raw, stated=False),
    IdWriter("llm.c", "ids.bin", llm_c, stated=False),
    IdWriter("litdata", "chunk-0-0.bin", litdata),
    IdWriter("jsonl", "ids.jsonl", json_lines),
    IdWriter("jsonl.gz", "ids.jsonl.gz", json_lines),
    IdWriter("jsonl.zst", "ids.jsonl.zst", json_lines),
    IdWriter("parquet", "ids.parquet", parquet),
    IdWriter("arrow", "ids.arrow", arrow),
)
