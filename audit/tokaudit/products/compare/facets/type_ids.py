"""Type ids of tokens, which distinguish two texts of a pair, and models that use them."""

from __future__ import annotations

from dataclasses import replace

from tokaudit.engine.evidence import TokenRow, two_rows
from tokaudit.engine.facet_names import TYPE_IDS
from tokaudit.engine.sides.side import Side
from tokaudit.engine.sides.trial import EncoderPair
from tokaudit.foundation.errors import OutOfTime, UpstreamTrouble
from tokaudit.report.model import Evidence
from tokaudit.runtimes.protocol import EncodeOptions
from tokaudit.subject.formats.common.settings import tokenizer_class
from tokaudit.subject.material import Subject
from tokaudit.subject.upstream.tokenizer_class import input_of

PAIRED = EncodeOptions(add_special_tokens=True, second="b")
TYPED = (
    (EncodeOptions(add_special_tokens=True, type_ids=True), ""),
    (replace(PAIRED, type_ids=True), f", with {PAIRED.second!r} as the second text of a pair"),
)


def reads_types(subject: Subject | None) -> bool | None:
    """Return whether the model was trained with type ids; None if unknown.

    A model without rows for types takes none, and of the others only an encoder's class tells two
    texts apart by them.
    """
    if subject is None:
        return None
    rows, named = subject.fact("type_vocab_size"), tokenizer_class(subject)
    if rows is not None and rows.value == 0:
        return False
    return None if named is None else input_of(str(named.value)).types_apart


def types_apart(left: Side, right: Side, pair: EncoderPair) -> Evidence | None:
    """Return the first text or pair whose tokens have other type ids."""
    for options, what in TYPED if tells_types(pair) else ():
        try:
            one, other = (each.encode(["a"], options)[0] for each in (pair.left, pair.right))
        except (UpstreamTrouble, OutOfTime):
            continue
        types = one.type_ids, other.type_ids
        if one.error is None and other.error is None and types[0] != types[1]:
            ours = TokenRow(left.name, one.ids, left.names)
            theirs = TokenRow(right.name, other.ids, right.names)
            shown = " and ".join(str([*(each or ())]) for each in types)
            return two_rows("a", ours, theirs, f"{TYPE_IDS} {shown}; run by {pair.who}{what}")
    return None


def tells_types(pair: EncoderPair) -> bool:
    """Return whether both encoders return type ids."""
    return all("type_ids" in each.capabilities for each in (pair.left, pair.right))
