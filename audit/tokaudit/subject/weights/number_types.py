"""Decoders of the bytes of a matrix to numbers, for every supported type.

Types of blocks hold a scale and small integers that it multiplies.  Sources: the safetensors
format; `ggml-common.h` and `ggml-quants.c` of ggml for Q8_0, Q4_0 and MXFP4; the OCP specifications
of 8-bit floating point and of microscaling formats for the values of their bits.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping, Sequence

Numbers = Callable[[bytes], Sequence[float]]

BLOCK = 32  # numbers of a block
HALVES = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)  # of four bits: a sign, two of exponent, one more


def _plain(letter: str, width: int) -> Numbers:
    def decode(data: bytes) -> Sequence[float]:
        return struct.unpack(f"<{len(data) // width}{letter}", data)

    return decode


def _brain(data: bytes) -> Sequence[float]:
    """Decode bfloat16, the upper half of a float.

    >>> _brain(bytes.fromhex("803f0040"))
    (1.0, 2.0)
    """
    wide = bytearray(2 * len(data))
    wide[2::4], wide[3::4] = data[0::2], data[1::2]
    return struct.unpack(f"<{len(data) // 2}f", wide)


def _looked_up(values: Sequence[float]) -> Numbers:
    def decode(data: bytes) -> Sequence[float]:
        return [values[byte] for byte in data]

    return decode


def _eight_bits(fraction: int, bias: int, *, infinite: bool) -> list[float]:
    """Return the value of each byte, with the given bits of fraction.

    >>> _eight_bits(3, 7, infinite=False)[0x38], _eight_bits(3, 7, infinite=False)[0x7E]
    (1.0, 448.0)
    """
    top = (1 << (7 - fraction)) - 1  # the exponent whose bits are all set

    def value(byte: int) -> float:
        exponent, rest = (byte & 0x7F) >> fraction, byte & ((1 << fraction) - 1)
        if exponent == top and (infinite or rest == (1 << fraction) - 1):
            return float("inf") if infinite and not rest else float("nan")
        share = rest / (1 << fraction)
        return (1 + share) * 2.0 ** (exponent - bias) if exponent else share * 2.0 ** (1 - bias)

    return [value(byte) if byte < 0x80 else -value(byte) for byte in range(256)]


def _blocks(size: int, decode: Callable[[bytes], Iterator[float]]) -> Numbers:
    def numbers(data: bytes) -> Sequence[float]:
        starts = range(0, len(data), size)
        return [number for start in starts for number in decode(data[start : start + size])]

    return numbers


def _q8_0(block: bytes) -> Iterator[float]:
    """Decode a half-precision scale, then 32 signed bytes.

    >>> list(_q8_0(bytes.fromhex("0038") + bytes([2, 254]) + bytes(30)))[:3]
    [1.0, -1.0, 0.0]
    """
    (scale,) = struct.unpack_from("<e", block)
    return (scale * number for number in struct.unpack_from(f"<{BLOCK}b", block, 2))


def _q4_0(block: bytes) -> Iterator[float]:
    """Decode a half-precision scale, then 16 bytes: low halves first, minus eight.

    >>> numbers = list(_q4_0(bytes.fromhex("003c") + b"\\x9a" * 16))
    >>> numbers[0], numbers[16]
    (2.0, 1.0)
    """
    (scale,) = struct.unpack_from("<e", block)
    return (scale * (half - 8) for half in _halves(block[2:]))


def _mxfp4(block: bytes) -> Iterator[float]:
    """Decode a power of two, then 16 bytes: low halves first, 4-bit numbers.

    >>> list(_mxfp4(b"\\x80" + b"\\x0f" * 16))[:1]
    [-12.0]
    """
    scale = 2.0 ** (block[0] - 127) if block[0] != 0xFF else float("nan")
    return (scale * (-HALVES[h & 7] if h & 8 else HALVES[h]) for h in _halves(block[1:]))


def _halves(data: bytes) -> list[int]:
    return [byte & 15 for byte in data] + [byte >> 4 for byte in data]


NUMBERS: Mapping[str, Numbers] = {
    "F64": _plain("d", 8),
    "F32": _plain("f", 4),
    "F16": _plain("e", 2),
    "BF16": _brain,
    "F8_E4M3": _looked_up(_eight_bits(3, 7, infinite=False)),
    "F8_E5M2": _looked_up(_eight_bits(2, 15, infinite=True)),
    "Q8_0": _blocks(34, _q8_0),
    "Q4_0": _blocks(18, _q4_0),
    "MXFP4": _blocks(17, _mxfp4),
}
"""How the bytes of rows become numbers, for each type that is read."""

HALF = bytes((*range(0x7C, 0x80), *range(0xFC, 0x100)))
TELLING: Mapping[str, tuple[int, int, bytes]] = {
    "F64": (7, 8, b"\x7f\xff"),
    "F32": (3, 4, b"\x7f\xff"),
    "BF16": (1, 2, b"\x7f\xff"),
    "F16": (1, 2, HALF),
    "F8_E4M3": (0, 1, b"\x7f\xff"),
    "F8_E5M2": (0, 1, HALF),
    "Q8_0": (1, 34, HALF),
    "Q4_0": (1, 18, HALF),
    "MXFP4": (0, 17, b"\xff"),
}
"""The byte of each number or block in which an infinite one, or none, shows: first, step."""
SCALES = {"Q8_0": ((0, 34), (1, 34)), "Q4_0": ((0, 18), (1, 18))}


def surely_finite(row: bytes, dtype: str) -> bool:
    """Return whether one byte of each number rules out infinities and NaNs.

    Nearly every row is, and so need not be decoded.

    >>> surely_finite(struct.pack("<f", 1.5), "F32"), surely_finite(b"\\0\\0\\xc0\\x7f", "F32")
    (True, False)
    """
    first, step, suspect = TELLING[dtype]
    bytes_that_tell = row[first::step]
    return len(bytes_that_tell.translate(None, suspect)) == len(bytes_that_tell)


def is_zero(row: bytes, dtype: str) -> bool:
    """Return whether a row is all zeros; for blocks, whether every scale is zero.

    >>> is_zero(bytes(8), "F32"), is_zero(b"\\0\\0" + b"\\x88" * 16, "Q4_0")
    (True, True)
    """
    parts = (row[first::step] for first, step in SCALES.get(dtype, ()))
    return not row.strip(b"\0") or (dtype in SCALES and not any(map(any, parts)))
