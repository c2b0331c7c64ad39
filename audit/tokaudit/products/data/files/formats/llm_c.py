"""llm.c's `.bin`: a header of 256 numbers, then ids, each document after an end-of-text token.

Source: `dev/data/data_common.py` of karpathy/llm.c.
"""

from __future__ import annotations

import struct

from tokaudit.products.data.files import DataFormat, Shard
from tokaudit.products.data.files.batch import Fault, ShardInfo
from tokaudit.products.data.files.files import DataFile, IdDescription

HEADER = 256 * 4  # bytes
VERSIONS = {(20240520, 1): "uint16", (20240801, 7): "uint32"}


def opened(file: DataFile, given: IdDescription) -> Shard:
    """Open the ids after the header."""
    from tokaudit.products.data.files.flat import FlatArray, FlatShard

    magic, version, stated = struct.unpack("<3i", file.head(12))
    dtype = VERSIONS[magic, version]
    array = FlatArray(file, "<u2" if dtype == "uint16" else "<u4", HEADER, 0)
    held = max(0, file.size - HEADER) // array.width
    faults = []
    if HEADER + stated * array.width != file.size:
        message = f"the header states {stated:,} ids; {held:,} follow it"
        faults.append(Fault("count", message, file.name))
    count = min(held, max(0, stated))
    info = ShardInfo(
        file.name,
        "llm.c",
        dtype,
        count,
        0,
        file.size,
        (file.name,),
        bounded=False,
        faults=tuple(faults),
    )
    return FlatShard(info, FlatArray(file, array.dtype, HEADER, count))


def _recognised(file: DataFile, head: bytes) -> bool:
    return len(head) >= 12 and struct.unpack("<2i", head[:8]) in VERSIONS


DATA_FORMAT = DataFormat("llm.c", 2, (".bin",), _recognised, opened)
