"""Check that two packed character maps have equal entries, with an independent reader.

The reader walks the double array unit by unit, as Darts-clone documents it: a unit has an offset, a
label, and whether a value hangs below it.  It shares nothing with the reference's.
"""

from __future__ import annotations

import base64
import binascii

from tokaudit.engine.facet_names import NORMALIZER
from tokaudit.products.compare.proofs.acts_alike.options import plain_steps
from tokaudit.products.compare.proofs.claim import Checker, Claim
from tokaudit.products.compare.proofs.steps_of_files import Options
from tokaudit.report.comparison import Proof

PACKED = "precompiled_charsmap"
UNIT = 4  # bytes
MOST_UNITS, LONGEST = 4_000_000, 64
VALUE = 0x7FFFFFFF


def objection(claim: Claim) -> str:
    """Explain why a map may treat some character differently; "" if not."""
    ours, theirs = (plain_steps(spec, "normalizer") for spec in claim.specs)
    same = len(ours) == len(theirs) and all(map(_same, ours, theirs))
    return "" if same else "the maps of characters do not hold the same entries"


def _same(one: Options, other: Options) -> bool:
    if one == other:
        return True
    rest = [{key: value for key, value in each.items() if key != PACKED} for each in (one, other)]
    if rest[0] != rest[1]:
        return False
    try:
        ours, theirs = (_entries(base64.b64decode(each[PACKED])) for each in (one, other))
    except (ValueError, binascii.Error, KeyError, TypeError):
        return False
    return ours == theirs


def _entries(packed: bytes) -> dict[bytes, bytes]:
    """Return every key and value of a map, in UTF-8."""
    size = int.from_bytes(packed[:UNIT], "little")
    if size % UNIT or size > min(len(packed) - UNIT, MOST_UNITS * UNIT):
        raise ValueError("the map is cut short")
    units = memoryview(packed[UNIT : UNIT + size]).cast("I")
    texts = packed[UNIT + size :]
    found: dict[bytes, bytes] = {}
    rows = [(b"", _jump(units[0]))] if size else []
    while rows:  # a row is a key so far, and where the units that go on with it lie
        deeper: list[tuple[bytes, int]] = []
        for key, base in rows:
            for byte in range(1, 256):
                at = base ^ byte
                if at >= len(units) or units[at] & 0x800000FF != byte:
                    continue
                below = at ^ _jump(units[at])
                if units[at] & 0x100 and below < len(units):
                    start = units[below] & VALUE
                    found[key + bytes((byte,))] = texts[start:].split(b"\0", 1)[0]
                deeper.append((key + bytes((byte,)), below))
        if len(deeper) > MOST_UNITS or (deeper and len(deeper[0][0]) > LONGEST):
            raise ValueError("the map has no end")
        rows = deeper
    return found


def _jump(unit: int) -> int:
    """Return the offset of a unit's children; a large one is in steps of 256."""
    return unit >> 10 << (8 if unit & 0x200 else 0)


CHECKER = Checker(Proof.CHARSMAPS, frozenset({NORMALIZER}), objection)
