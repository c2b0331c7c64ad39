"""Parse a JSON number as Hugging Face's tokenizers does, to the last bit.

The digits become one integer, as far as 64 bits hold it, and that is scaled by a power of ten.
Both steps round, so the result may be the neighbour of the nearest double; where two segmentations
of a Unigram have the same sum, such a bit decides between them.

Source: `f64_from_parts` and `parse_decimal` in serde_json, without its `float_roundtrip`.
"""

from __future__ import annotations

import re

NUMBER = re.compile(r"(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?")
HIGHEST = 2**64 - 1
SAFE_DIGITS = 19  # always fit in 64 bits
POWERS = tuple(float(f"1e{power}") for power in range(309))  # 10.0**23 is not 1e23
STEP = len(POWERS) - 1


def rust_float(text: str) -> float:
    """Parse a number in JSON text.

    >>> rust_float("-3.9598512649536133"), float("-3.9598512649536133")
    (-3.9598512649536137, -3.9598512649536133)
    >>> rust_float("1e-400"), rust_float("1e400")
    (0.0, inf)
    """
    match = NUMBER.fullmatch(text)
    if match is None:
        return float(text)
    sign, whole, fraction, power = match.groups("")
    digits, exponent = whole + fraction, int(power[:9] or 0)
    held = _held(digits)
    value = _scaled(float(int(digits[:held])), exponent + len(whole) - held)
    return -value if sign else value


def _held(digits: str) -> int:
    """Count the leading digits that fit an integer of 64 bits."""
    if len(digits) <= SAFE_DIGITS:
        return len(digits)
    value = 0
    for place, digit in enumerate(digits):
        value = value * 10 + int(digit)
        if value > HIGHEST:
            return place
    return len(digits)


def _scaled(value: float, exponent: int) -> float:
    while exponent < -STEP and value:
        value /= POWERS[STEP]
        exponent += STEP
    if exponent < 0:
        return value / POWERS[-exponent] if value else 0.0
    if exponent > STEP:
        return value * float("inf") if value else 0.0
    return value * POWERS[exponent]
