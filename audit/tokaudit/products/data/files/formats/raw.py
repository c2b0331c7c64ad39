"""Bare ids, as nanoGPT writes them: without a header, so without type and documents.

Source: `data/openwebtext/prepare.py` of karpathy/nanoGPT.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokaudit.products.data.files import DataFormat, Shard
from tokaudit.products.data.files.batch import Fault, ShardInfo, numpy
from tokaudit.products.data.files.files import DataFile, IdDescription

if TYPE_CHECKING:
    from numpy.typing import NDArray

SMALL = 1 << 16
LOOKED_AT = 1 << 16  # bytes from which the type is derived
LEAST = 64  # numbers, of which every other one is 0 by chance in no text
WEIGHTS = (b"PK\x03\x04", b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19")  # of both layouts of torch
RATIO = 4  # so much more often the upper half of a number is small than a half at random


def opened(file: DataFile, given: IdDescription) -> Shard:
    """Open ids of the user's type, or of the type that the numbers show."""
    from tokaudit.products.data.files.flat import FlatArray, FlatShard

    dtype, how = (given.dtype, "as the user says") if given.dtype else derived(file, given)
    array = FlatArray(file, f"<{dtype[0]}{int(dtype.lstrip('uint')) // 8}", 0, 0)
    faults = []
    if file.size % array.width:
        message = f"{file.name} has {file.size:,} bytes, which is not a multiple of {array.width}"
        faults.append(Fault("size", message, file.name))
    count = file.size // array.width
    info = ShardInfo(
        file.name,
        "raw",
        dtype,
        count,
        0,
        file.size,
        (file.name,),
        bounded=False,
        derived=(f"no header states the type of ids: {dtype} {how}",),
        faults=tuple(faults),
    )
    return FlatShard(info, FlatArray(file, array.dtype, 0, count))


def derived(file: DataFile, given: IdDescription) -> tuple[str, str]:
    """Guess the type of ids: two bytes, unless the numbers suit four bytes better.

    Every other of those is 0 where ids take eight bytes.
    """
    head = file.head(LOOKED_AT)
    wide: NDArray[Any] = numpy().frombuffer(head[: len(head) // 4 * 4], "<u4")
    most = given.vocabulary or 1 << 20
    if file.size % 8 == 0 and len(wide) >= LEAST and not wide[1::2].any() and wide[::2].any():
        return "uint64", "by its numbers: read as four bytes every other one is 0"
    if file.size % 4 == 0 and len(wide) and float((wide < most).mean()) > 1 - 1 / RATIO:
        return "uint32", "by its numbers: read as four bytes they are below the vocabulary's size"
    return "uint16", "by its numbers: read as four bytes they are above the vocabulary's size"


def _recognised(file: DataFile, head: bytes) -> bool:
    return file.path.suffix == ".bin" and not head.startswith(WEIGHTS)


DATA_FORMAT = DataFormat("raw", 9, (".bin",), _recognised, opened)
