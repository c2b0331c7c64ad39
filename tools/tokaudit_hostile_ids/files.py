"""Writes hostile files of ids, some for each format that has a header, an index or a packing."""

from __future__ import annotations

import gzip
import json
import struct
import tarfile
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain, repeat
from pathlib import Path

from tokaudit_folders import id_files

ROWS = [[72, 101, 108, 8192]] * 9
LARGE, FAR = (1 << 64) - 1, 1 << 63
MEGABYTE = 1 << 20
BOMB = 500  # megabytes that a packed file becomes
MOST = 1500  # megabytes of a run and its worker together
LESS = 900  # of a file that is large enough to be refused, and no larger
LEAST = 700  # of one whose ids alone would be 540
STREAM = b"\xff\xff\xff\xff"
OBJECTS = (
    b"\x93NUMPY\1\0\x46\0"
    + b"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }".ljust(70)
    + b"cos\n"
)


@dataclass(frozen=True)
class Hostile:
    """One file by its format and what it does, its name, what writes it, and megabytes at most."""

    name: str
    file: str
    write: Callable[[Path], None]
    most: int = MOST


def _changed(write: Callable[..., None], suffix: str, at: int, data: bytes) -> Callable[..., None]:
    """A sound file, of which some bytes of one part are others."""

    def changed(path: Path) -> None:
        write(path, ROWS)
        part = path.with_suffix(suffix) if suffix == ".idx" else path.with_name(path.name + suffix)
        old = bytearray(part.read_bytes())
        old[at : at + len(data)] = data
        part.write_bytes(old)

    return changed


def _array(shape: str) -> Callable[[Path], None]:
    def array(path: Path) -> None:
        head = f"{{'descr': '<u2', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
        path.write_bytes(b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head + bytes(64))

    return array


def _header_of_numpy(path: Path) -> None:
    path.write_bytes(b"\x93NUMPY\2\0" + struct.pack("<I", (1 << 32) - 1) + b"(" * 20_000)


def _llm_c(count: int) -> Callable[[Path], None]:
    head = struct.pack("<3i", 20240520, 1, count).ljust(1024, b"\0")
    return _bytes(lambda: head + bytes(64))


def _bytes(data: Callable[[], bytes]) -> Callable[[Path], None]:
    def written(path: Path) -> None:
        path.write_bytes(data())

    return written


def _gzip(path: Path) -> None:
    part = b" " * MEGABYTE
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(b'{"input_ids": [1]}\n')
        for _ in range(BOMB):
            file.write(part)


def _lines_of_gzip(path: Path) -> None:
    part = b'{"input_ids": [1]}\n' * 50_000
    with gzip.open(path, "wb", compresslevel=9) as file:
        for _ in range(80):
            file.write(part)


def _zstd(path: Path) -> None:
    import zstandard

    packer = zstandard.ZstdCompressor(level=1).compressobj()
    part = b" " * MEGABYTE
    with path.open("wb") as file:
        file.write(packer.compress(b'{"input_ids": [1]}\n'))
        for _ in range(BOMB):
            file.write(packer.compress(part))
        file.write(packer.flush())


def _window_of_zstd(path: Path) -> None:
    """A frame that wants a window of 2 GB and states 2 to the 63 bytes."""
    head = b"\x28\xb5\x2f\xfd" + bytes([0b11000000, 21 << 3]) + struct.pack("<Q", FAR)
    path.write_bytes(head + b"\x01\0\0" * 9)


def _parquet(path: Path) -> None:
    """A thousand rows of 64 thousand times the same id, which a dictionary packs to nothing."""
    import pyarrow
    from pyarrow import parquet

    rows, length = 64, 1 << 16
    offsets = pyarrow.array(range(0, (rows + 1) * length, length), pyarrow.int32())
    ids = pyarrow.repeat(pyarrow.scalar(1, pyarrow.int64()), rows * length)
    batch = pyarrow.record_batch({"input_ids": pyarrow.ListArray.from_arrays(offsets, ids)})
    with parquet.ParquetWriter(path, batch.schema, compression="zstd") as writer:
        for _ in range(16):
            writer.write_batch(batch, row_group_size=rows * 64)
    assert path.stat().st_size < MEGABYTE


def _end_of_parquet(path: Path) -> None:
    id_files.parquet(path, ROWS)
    data = path.read_bytes()
    path.write_bytes(data[:-8] + struct.pack("<I", (1 << 32) - 1) + b"PAR1")


def _numbers_of_parquet(path: Path) -> None:
    """A table of contents in which every number that can is far too large."""
    id_files.parquet(path, ROWS)
    data = bytearray(path.read_bytes())
    (length,) = struct.unpack("<I", data[-8:-4])
    start = len(data) - 8 - length
    for at in range(start, len(data) - 8):
        if data[at] == 18:  # nine rows, as a number of any length is written
            data[at] = 0x7E
    path.write_bytes(data)


def _arrow(at_end: bytes) -> Callable[[Path], None]:
    """A stream in which what follows the first schema states lengths that lie."""

    def arrow(path: Path) -> None:
        id_files.arrow(path, ROWS)
        data = path.read_bytes()
        (length,) = struct.unpack("<I", data[4:8])
        path.write_bytes(data[: 8 + length] + at_end)

    return arrow


def _body_of_arrow(path: Path) -> None:
    """Lengths of buffers that are as large as a number can be."""
    id_files.arrow(path, ROWS)
    data = bytearray(path.read_bytes())
    (length,) = struct.unpack("<I", data[4:8])
    second = 8 + length
    (size,) = struct.unpack("<I", data[second + 4 : second + 8])
    for at in range(second + 8, second + 8 + size - 8, 8):
        if struct.unpack("<q", data[at : at + 8])[0] in (7, 28, 32, 112, 224):
            data[at : at + 8] = struct.pack("<q", FAR - 1)
    path.write_bytes(data)


def _mds(samples: int, header: bytes = b"", first: int | None = None) -> Callable[[Path], None]:
    def mds(path: Path) -> None:
        words = (
            header
            or json.dumps(
                {
                    "column_names": ["input_ids"],
                    "column_encodings": ["ndarray:uint16"],
                    "column_sizes": [None],
                }
            ).encode()
        )
        start = 4 + 4 * (samples + 1) if first is None else first
        count = min(samples, 9)
        places = struct.pack(f"<{count + 1}I", start + len(words), *repeat((1 << 32) - 1, count))
        path.write_bytes(struct.pack("<I", samples & 0xFFFFFFFF) + places + words)

    return mds


def _dolma(rows: bytes, times: int) -> Callable[[Path], None]:
    def dolma(path: Path) -> None:
        path.write_bytes(id_files.flat(ROWS))
        with gzip.open(path.with_name(f"{path.stem}.csv.gz"), "wb", compresslevel=1) as file:
            for _ in range(times):
                file.write(rows)

    return dolma


def _deep() -> bytes:
    return b'{"input_ids": ' + b"[" * 60 * MEGABYTE + b"\n"


def _tensor(shape: list[int], size: int) -> Callable[[Path], None]:
    """Tensors whose header states a shape and an end that need not be those of the file."""

    def tensor(path: Path) -> None:
        stated = {"dtype": "U16", "shape": shape, "data_offsets": [0, size]}
        header = json.dumps({"input_ids": stated}).encode()
        path.write_bytes(struct.pack("<Q", len(header)) + header + bytes(64))

    return tensor


def _tar(kind: str, data: bytes, size: int) -> Callable[[Path], None]:
    """A tar of one sample, whose header states a size."""

    def tar(path: Path) -> None:
        member = tarfile.TarInfo(f"0.{kind}")
        member.size = size
        path.write_bytes(member.tobuf(tarfile.GNU_FORMAT) + data + bytes(-len(data) % 512 + 1024))

    return tar


def _hdf5(**settings: object) -> Callable[[Path], None]:
    """A data set of ids that says little and holds much, or whose numbers lie elsewhere."""

    def hdf5(path: Path) -> None:
        import h5py

        with h5py.File(path, "w") as file:
            file.create_dataset("input_ids", dtype="u2", **settings)

    return hdf5


def _one_line() -> bytes:
    row = b"1000," * (10 * MEGABYTE)
    return b'{"input_ids": [' + row[:-1] + b"]}\n"


def _past_64_bits() -> bytes:
    numbers = b", ".join([b"9223372036854775808", b"-1", b"1e400", b"9" * 5000])
    return b"".join(b'{"input_ids": [%s]}\n' % each for each in chain([numbers], [b"1"] * 3))


IDX = id_files.MEGATRON
HOSTILE = (
    Hostile("megatron, 2^63 sequences", "ids.bin", _changed(
        id_files.megatron, ".idx", 0, IDX.pack(b"MMIDIDX\0\0", 1, 8, FAR, 10))),
    Hostile("megatron, 2^64-1 documents", "ids.bin", _changed(
        id_files.megatron, ".idx", 0, IDX.pack(b"MMIDIDX\0\0", 1, 8, 9, LARGE))),
    Hostile("megatron, lengths of 2^31-1", "ids.bin", _changed(
        id_files.megatron, ".idx", 34, struct.pack("<i", (1 << 31) - 1) * 9)),
    Hostile("megatron, pointers of 2^63-1", "ids.bin", _changed(
        id_files.megatron, ".idx", 34 + 36, struct.pack("<q", FAR - 1) * 9)),
    Hostile("datatrove, ends of 2^64-1", "ids.ds", _changed(
        id_files.datatrove, ".index", 0, struct.pack("<Q", LARGE) * 9)),
    Hostile("datatrove, 2^63 ids", "ids.ds", _changed(
        id_files.datatrove, ".metadata", 0, b"small|4\n9223372036854775808\n")),
    Hostile("datatrove, a number of 4,000 digits", "ids.ds", _changed(
        id_files.datatrove, ".metadata", 0, b"small|2\n" + b"9" * 4000)),
    Hostile("npy, a length of 2^63", "ids.npy", _array("(9223372036854775808,)")),
    Hostile("npy, sides of 2^63", "ids.npy", _array("(9223372036854775808, 9223372036854775808)")),
    Hostile("npy, a length below 0", "ids.npy", _array("(-9,)")),
    Hostile("npy, a header of 2^32-1 bytes", "ids.npy", _header_of_numpy),
    Hostile("safetensors, a shape of 2^63", "ids.safetensors", _tensor([FAR, 2], 64)),
    Hostile("safetensors, an end of 2^63", "ids.safetensors", _tensor([32], FAR)),
    Hostile("webdataset, a sample of 8 GB", "ids.tar", _tar("input_ids.npy", b"", 8 << 30)),
    Hostile("webdataset, a pickle", "ids.tar", _tar("input_ids.pyd", b"cos\nsystem\n", 12)),
    Hostile("webdataset, an array of objects", "ids.tar", _tar(
        "input_ids.npy", OBJECTS, len(OBJECTS))),
    Hostile("hdf5, a chunk of 2 GB", "ids.h5", _hdf5(
        shape=(1 << 30,), chunks=(1 << 30,), compression="gzip")),
    Hostile("hdf5, numbers of another file", "ids.h5", _hdf5(
        shape=(9,), external=[("/etc/passwd", 0, 18)])),
    Hostile("hdf5, cut after its mark", "ids.h5", _bytes(lambda: b"\x89HDF\r\n\x1a\n" + bytes(99))),
    Hostile("raw, half a number", "ids.bin", _bytes(lambda: b"\1")),
    Hostile("llm.c, 2^31-1 ids", "ids.bin", _llm_c((1 << 31) - 1)),
    Hostile("llm.c, fewer than none", "ids.bin", _llm_c(-9)),
    Hostile("litdata, 2^32-1 items", "chunk-0-0.bin", _changed(
        id_files.litdata, "", 0, STREAM)),
    Hostile("litdata, items that end at 2^32-1", "chunk-0-0.bin", _changed(
        id_files.litdata, "", 4, STREAM * 10)),
    Hostile("parquet, ids packed to nothing", "ids.parquet", _parquet, LEAST),
    Hostile("parquet, an end of 2^32-1 bytes", "ids.parquet", _end_of_parquet),
    Hostile("parquet, numbers of rows that lie", "ids.parquet", _numbers_of_parquet),
    Hostile("arrow, a message of 2^31-1 bytes", "ids.arrow", _arrow(
        STREAM + struct.pack("<i", (1 << 31) - 1))),
    Hostile("arrow, a message of less than nothing", "ids.arrow", _arrow(
        STREAM + struct.pack("<i", -9) + bytes(64))),
    Hostile("arrow, buffers of 2^63-1 bytes", "ids.arrow", _body_of_arrow),
    Hostile("jsonl, brackets without an end", "ids.jsonl", _bytes(_deep)),
    Hostile("jsonl, a line of 10 million ids", "ids.jsonl", _bytes(_one_line)),
    Hostile("jsonl, numbers past 64 bits", "ids.jsonl", _bytes(_past_64_bits)),
    Hostile("jsonl.gz, 500 MB of spaces", "ids.jsonl.gz", _gzip),
    Hostile("jsonl.gz, four million lines", "ids.jsonl.gz", _lines_of_gzip, LESS),
    Hostile("jsonl.zst, 500 MB of spaces", "ids.jsonl.zst", _zstd),
    Hostile("jsonl.zst, a window of 2 GB", "ids.jsonl.zst", _window_of_zstd),
    Hostile("mds, 2^32-1 samples", "shard.mds", _mds((1 << 32) - 1, first=44)),
    Hostile("mds, samples of 2^32-1 bytes", "shard.mds", _mds(9)),
    Hostile("mds, a header without an end", "shard.mds", _mds(9, b"[" * MEGABYTE)),
    Hostile("dolma, a table of 17 million documents", "ids.npy", _dolma(
        b"0,0\n" * MEGABYTE, 17), LESS),
    Hostile("dolma, a line of 200 MB", "ids.npy", _dolma(b"0" * MEGABYTE, 200)),
    Hostile("dolma, documents at 2^63", "ids.npy", _dolma(
        b"0,9223372036854775808,a\n9223372036854775808,18446744073709551615,b\n", 1)),
)  # fmt: skip
