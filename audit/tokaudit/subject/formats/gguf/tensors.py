"""Read the tensors of a GGUF file: names, types, shapes and offsets, but no weights.

A shape is turned round, so that rows come first.  A type that is not known here has no size that
the file could be compared with.

Source: `docs/gguf.md` of the ggml repository, and the block sizes of `ggml.c`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.formats.gguf.cursor import Cursor
from tokaudit.subject.formats.gguf.metadata import begin, opened, pairs
from tokaudit.subject.material import SourceFile
from tokaudit.subject.tensors import Tensor
from tokaudit_reference.spec import SpecError

LEAST_TENSOR = 24  # bytes of a description
MOST_TENSORS = 1_000_000
MOST_DIMENSIONS = 8  # ggml has 4
CLASSIFIER = "cls."  # whose output has a row for each label, and none for a token
ALIGNMENT, DEFAULT_ALIGNMENT = "general.alignment", 32
TABLE = """
0 F32 1 4, 1 F16 1 2, 2 Q4_0 32 18, 3 Q4_1 32 20, 6 Q5_0 32 22, 7 Q5_1 32 24, 8 Q8_0 32 34,
10 Q2_K 256 84, 11 Q3_K 256 110, 12 Q4_K 256 144, 13 Q5_K 256 176, 14 Q6_K 256 210,
16 IQ2_XXS 256 66, 17 IQ2_XS 256 74, 18 IQ3_XXS 256 98, 19 IQ1_S 256 50, 20 IQ4_NL 32 18,
21 IQ3_S 256 110, 22 IQ2_S 256 82, 23 IQ4_XS 256 136, 24 I8 1 1, 25 I16 1 2, 26 I32 1 4, 27 I64 1 8,
28 F64 1 8, 29 IQ1_M 256 56, 30 BF16 1 2, 34 TQ1_0 256 54, 35 TQ2_0 256 66, 39 MXFP4 32 17
"""
# Type -> its name, how many weights make a block, and the block's bytes.
TYPES: Mapping[int, tuple[str, int, int]] = {
    int(type): (name, int(block), int(size))
    for type, name, block, size in map(str.split, TABLE.split(","))
}


def tensors(file: SourceFile) -> dict[str, Tensor]:
    """Return the tensors by name, without a classifier's, whose rows are not tokens."""
    found = every_tensor(file).items()
    return {name: tensor for name, tensor in found if not name.startswith(CLASSIFIER)}


def every_tensor(file: SourceFile) -> dict[str, Tensor]:
    """Return the tensors by name, with every statement checked against the file.

    Raises `UnreadableError` for a description that lies.  What is wrong before the descriptions,
    in the keys, is said where those are parsed; then there are no tensors here.
    """
    with opened(file) as cursor:
        try:
            count, keys = begin(cursor)
            alignment = pairs(cursor, keys, lambda key: key == ALIGNMENT).get(ALIGNMENT)
        except SpecError:
            return {}
        try:
            return described(cursor, count, DEFAULT_ALIGNMENT if alignment is None else alignment)
        except SpecError as error:
            raise UnreadableError(error.advice) from error


def described(cursor: Cursor, count: int, alignment: object) -> dict[str, Tensor]:
    cursor.count(count, LEAST_TENSOR, "tensors")
    if count > MOST_TENSORS:
        raise cursor.error(f"claims {count:,} tensors; at most {MOST_TENSORS:,} are read")
    found: dict[str, Tensor] = {}
    ends: dict[str, int] = {}
    for _ in range(count):
        cursor.key = ""
        cursor.key = name = cursor.text()
        if name in found:
            raise cursor.error("is given twice")
        found[name], ends[name] = _tensor(cursor)
    begins = _inside(cursor, ends, alignment) if found else 0
    return {
        name: replace(tensor, start=begins + ends[name] - tensor.nbytes)
        for name, tensor in found.items()
    }


def _tensor(cursor: Cursor) -> tuple[Tensor, int]:
    """Read a tensor, and the end of its weights, relative to their start."""
    dimensions = cursor.number("I")
    if dimensions > MOST_DIMENSIONS:
        raise cursor.error(f"has {dimensions:,} dimensions; at most {MOST_DIMENSIONS} are read")
    shape = tuple(cursor.number("Q") for _ in range(dimensions))[::-1]
    type, offset = cursor.number("I"), cursor.number("Q")
    name, block, size = TYPES.get(type, (f"type {type}", 1, 0))
    weights = math.prod(shape)
    if shape and shape[-1] % block:
        raise cursor.error(f"has rows of {shape[-1]:,} weights, which are not blocks of {block}")
    nbytes = weights // block * size
    return Tensor(name, shape, cursor.file, nbytes), offset + nbytes


def _inside(cursor: Cursor, ends: Mapping[str, int], alignment: object) -> int:
    """Return the start of the weights; refuse a tensor beyond the end of the file."""
    cursor.key = ALIGNMENT
    if type(alignment) is not int or alignment < 1 or alignment & (alignment - 1):
        raise cursor.error(f"is {alignment!r}; expected a power of two")
    begins = -(-cursor.at // alignment) * alignment
    room = cursor.size - begins
    name, end = max(ends.items(), key=lambda item: item[1])
    if end > room:
        cursor.key = name
        raise cursor.error(f"ends at {end:,} of {max(0, room):,} bytes of weights")
    return begins
