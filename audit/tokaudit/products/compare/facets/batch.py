"""Truncation and padding stored in a file, which change ids for every user of it.

Texts are compared with both off, so they are a facet by themselves.  Only a library acts on them:
each text is run in a batch of two, since some settings pad to the longest of a batch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tokaudit.engine.evidence import TokenRow, two_rows
from tokaudit.engine.facet_names import BATCH
from tokaudit.engine.sides.side import Side
from tokaudit.engine.sides.trial import EncoderPair, Trial
from tokaudit.engine.texts.shrink import minimise
from tokaudit.foundation.errors import OutOfTime, UpstreamTrouble
from tokaudit.report.comparison import Certificate, Facet, Outcome, Proof
from tokaudit.report.model import Evidence, Place
from tokaudit.runtimes.protocol import EncodeOptions
from tokaudit_reference.spec import TokenizerSpec

LIMITED = EncodeOptions(limits=True)
SECOND_TEXT = "0 1 2 3"  # the other text of each batch
LONGEST = 10_000  # words of a text that is to be truncated
DEFAULTS: dict[str, dict[str, Any]] = {
    "truncation": {"direction": "Right", "strategy": "LongestFirst", "stride": 0},
    "padding": {"direction": "Right", "pad_to_multiple_of": None, "pad_type_id": 0},
}
Rows = tuple[tuple[int, ...], tuple[int, ...]]


def settings_of(spec: TokenizerSpec) -> dict[str, dict[str, Any]]:
    """Return the stored settings of a file, with their defaults.

    >>> from tokaudit_reference.spec import Component, ModelType
    >>> spec = TokenizerSpec(ModelType.BPE, {}, truncation=Component({"max_length": 8}))
    >>> settings_of(spec)["truncation"]["direction"], "padding" in settings_of(spec)
    ('Right', False)
    """
    stated = {"truncation": spec.truncation.options, "padding": spec.padding.options}
    return {name: DEFAULTS[name] | dict(block) for name, block in stated.items() if block}


def batch_settings(left: Side, right: Side, trial: Trial) -> Facet:
    """Return whether both files store the same truncation and padding."""
    ours, theirs = settings_of(left.spec), settings_of(right.spec)
    if not ours and not theirs:
        why = "neither file truncates or pads"
        return Facet(BATCH, Outcome.UNDIFFERING, why, certificate=Certificate(Proof.EQUAL))
    if ours == theirs:
        why = f"both files leave the same {' and '.join(ours)} on"
        return Facet(BATCH, Outcome.IDENTICAL, why)
    changed = [name for name in DEFAULTS if ours.get(name) != theirs.get(name)]
    why = f"the files leave other {' and '.join(changed)} on"
    places = tuple(_places(left, right, changed))
    tried = 0
    for pair in trial.pairs:
        for text in () if pair.reference else _texts(ours, theirs):
            tried += 1
            if apart(pair, text) is not None:
                shown = _shown(left, right, pair, text)
                return Facet(BATCH, Outcome.DIFFERS, why, places, (shown,))
    if not tried:
        return Facet(BATCH, Outcome.UNKNOWN, f"{why}; no library could be run", places)
    return Facet(BATCH, Outcome.UNDIFFERING, f"{why}; {tried} texts get the same ids", places)


def apart(pair: EncoderPair, text: str) -> Rows | None:
    """Encode a text on both sides with the settings on; None if the ids are equal."""
    try:
        one, other = (
            side.encode([text, SECOND_TEXT], LIMITED)[0] for side in (pair.left, pair.right)
        )
    except (UpstreamTrouble, OutOfTime):
        return None
    failed = one.error is not None or other.error is not None
    return None if failed or one.ids == other.ids else (one.ids, other.ids)


def _texts(*sides: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield a short text, and texts just too long for either side."""
    yield "0"
    lengths = [each["truncation"].get("max_length") for each in sides if "truncation" in each]
    for most in sorted({each for each in lengths if isinstance(each, int)}):
        yield " ".join(str(at % 10) for at in range(min(max(most, 0) + 1, LONGEST)))


def _shown(left: Side, right: Side, pair: EncoderPair, text: str) -> Evidence:
    small = minimise(text, lambda texts: [apart(pair, each) is not None for each in texts])
    ours, theirs = apart(pair, small) or ((), ())
    rows = TokenRow(left.name, ours, left.names), TokenRow(right.name, theirs, right.names)
    note = f"run by {pair.who} as the files state, in one batch with {SECOND_TEXT!r}"
    return two_rows(small, *rows, note, minimal=True)


def _places(left: Side, right: Side, changed: Sequence[str]) -> Iterator[Place]:
    for name in changed:
        for side in (left, right):
            yield side.place(BATCH, name, settings_of(side.spec).get(name))
