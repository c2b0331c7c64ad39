"""numpy's `.npy`: one array of ids, or rows of one length; nothing in it is unpickled."""

from __future__ import annotations

import ast
import struct

from tokaudit.foundation.errors import UnreadableError
from tokaudit.products.data.files import DataFormat, Shard
from tokaudit.products.data.files.batch import Fault, ShardInfo
from tokaudit.products.data.files.files import DataFile, IdDescription
from tokaudit.subject.numbers import whole

MAGIC = b"\x93NUMPY"
LONGEST_HEADER = 10_000  # bytes, as numpy itself takes
KINDS = {f"{sign}{width}" for sign in "iu" for width in (1, 2, 4, 8)}


def opened(file: DataFile, given: IdDescription) -> Shard:
    """Open the array; raise `UnreadableError` if it does not hold whole numbers."""
    from tokaudit.products.data.files.flat import FlatArray, FlatShard, of_rows

    descr, shape, start = header(file)
    count = shape[0] * (shape[1] if len(shape) == 2 else 1)
    array = FlatArray(file, descr, start, count)
    held = max(0, file.size - start) // array.width
    faults = []
    if start + count * array.width != file.size:
        faults.append(
            Fault(
                "size",
                f"the header states {count:,} ids, which take {count * array.width:,} bytes; "
                f"{file.size - start:,} follow it",
                file.name,
            )
        )
        count = min(count, held)
        array = FlatArray(file, descr, start, count)
    length = shape[1] if len(shape) == 2 else 0
    rows = count // length if length else 0

    info = ShardInfo(
        file.name,
        "npy",
        array_type(descr),
        count,
        rows,
        file.size,
        (file.name,),
        bounded=bool(length),
        packed=bool(length),
        faults=tuple(faults),
    )
    return FlatShard(info, array, of_rows(length))


def array_type(descr: str) -> str:
    """Return the type of numbers in words.

    >>> array_type("<u2"), array_type("|i1")
    ('uint16', 'int8')
    """
    return f"{'u' if descr[1] == 'u' else ''}int{8 * int(descr[2:])}"


def header(file: DataFile) -> tuple[str, tuple[int, ...], int]:
    """Return the type, the shape and the offset of the first number."""
    head = file.head(12 + LONGEST_HEADER)
    if not head.startswith(MAGIC) or len(head) < 12:
        raise UnreadableError(f"{file.name}: is not a NumPy array file")
    wide = head[6] > 1
    (length,) = struct.unpack_from("<I" if wide else "<H", head, 8)
    start = (12 if wide else 10) + length
    if length > LONGEST_HEADER or start > len(head):
        raise UnreadableError(
            f"{file.name}: the file states a header of {length:,} bytes, which is too long"
        )
    try:
        stated = ast.literal_eval(head[12 if wide else 10 : start].decode("latin-1").strip())
        descr, order, shape = (stated[key] for key in ("descr", "fortran_order", "shape"))
    except (ValueError, SyntaxError, KeyError, TypeError, RecursionError, MemoryError) as error:
        raise UnreadableError(f"{file.name}: its header cannot be read: {error}") from error
    if not isinstance(descr, str) or descr[1:] not in KINDS or descr[:1] not in "<>|=":
        raise UnreadableError(
            f"{file.name}: has values of type {descr!r}; ids must be whole numbers"
        )
    sizes = shape if isinstance(shape, tuple) else ()
    if len(sizes) not in (1, 2) or any(whole(size, 1 << 48) is None for size in sizes):
        raise UnreadableError(
            f"{file.name}: has the shape {shape!r}; only 1 or 2 dimensions can be read"
        )
    if order and len(sizes) == 2:
        raise UnreadableError(
            f"{file.name}: is stored column by column; only arrays stored row by row can be read"
        )
    return descr, sizes, start


def _recognised(file: DataFile, head: bytes) -> bool:
    return head.startswith(MAGIC)


DATA_FORMAT = DataFormat("npy", 3, (".npy",), _recognised, opened)
