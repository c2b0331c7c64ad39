"""lit-gpt's packed `.bin`, as TinyLlama has it: a short header, then ids in rows of one length.

Source: `lit_gpt/packed_dataset.py` of jzhang38/TinyLlama.
"""

from __future__ import annotations

import struct

from tokaudit.foundation.errors import UnreadableError
from tokaudit.products.data.files import DataFormat, Shard
from tokaudit.products.data.files.batch import Fault, ShardInfo
from tokaudit.products.data.files.files import DataFile, IdDescription

MAGIC = b"LITPKDS"
HEADER = struct.Struct("<7sQBQ")
TYPES = {1: "uint8", 2: "int8", 3: "int16", 4: "int32", 5: "int64", 8: "uint16"}


def opened(file: DataFile, given: IdDescription) -> Shard:
    """Open the ids after the header, which states their number."""
    from tokaudit.products.data.files.flat import FlatArray, FlatShard

    _, version, code, stated = HEADER.unpack(file.head(HEADER.size).ljust(HEADER.size, b"\0"))
    if version != 1 or code not in TYPES:
        raise UnreadableError(
            f"{file.name}: the header states version {version:,} and type code {code}; tokaudit "
            f"reads version 1 and the type codes {', '.join(map(str, TYPES))}"
        )
    dtype = TYPES[code]
    array = FlatArray(file, f"<{dtype[0]}{int(dtype.lstrip('uint')) // 8}", HEADER.size, 0)
    held = max(0, file.size - HEADER.size) // array.width
    faults: tuple[Fault, ...] = ()
    if HEADER.size + stated * array.width != file.size:
        message = f"the header states {stated:,} ids; {held:,} follow it"
        faults = (Fault("count", message, file.name),)
    count = min(held, stated)
    info = ShardInfo(
        file.name,
        "lit-gpt",
        dtype,
        count,
        0,
        file.size,
        (file.name,),
        bounded=False,
        faults=faults,
    )
    return FlatShard(info, FlatArray(file, array.dtype, HEADER.size, count))


def _recognised(file: DataFile, head: bytes) -> bool:
    return head.startswith(MAGIC)


DATA_FORMAT = DataFormat("lit-gpt", 2, (".bin",), _recognised, opened)
