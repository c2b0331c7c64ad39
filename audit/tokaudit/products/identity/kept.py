"""Data in a manifest that explains a later drift: probe ids, pieces, and steps.

None of it is gated.  The hashes say whether something drifted, and this says what.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tokaudit.engine.evidence import token_names
from tokaudit.engine.texts.probes import frozen_probes
from tokaudit.products.compare.facets.batch import settings_of
from tokaudit.products.identity.hashes import STAGES
from tokaudit.runtimes.protocol import Encoding
from tokaudit_reference.spec import TokenizerSpec

LONGEST = 1_000  # characters of a stated text; a longer one is kept as its digest


@dataclass(frozen=True)
class Kept:
    """Ids of the frozen probes as text (None without ids), and the tokens' names.

    `steps` are those that files state, `batch` the truncation and padding that they leave on.
    """

    probes: tuple[str | None, ...] = ()
    pieces: Mapping[str, str] = field(default_factory=dict)
    steps: Mapping[str, Any] = field(default_factory=dict)
    batch: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the member `kept` of a manifest's predicate."""
        stated = {"batch": dict(self.batch)} if self.batch else {}
        pieces = dict(self.pieces)
        return {"probes": list(self.probes), "pieces": pieces, "steps": self.steps, **stated}


def kept(spec: TokenizerSpec, encodings: Sequence[Encoding]) -> Kept:
    """Collect the data of a tokenizer and of the ids of its frozen probes."""
    names = token_names(spec)
    batch = settings_of(spec)
    filling = batch.get("padding", {}).get("pad_id")
    used = sorted({id for one in encodings for id in one.ids} | {i for i in names if i == filling})
    rows = (None if one.error is not None else " ".join(map(str, one.ids)) for one in encodings)
    pieces = {str(id): names[id] for id in used if id in names}
    steps = {stage: _short(getattr(spec, stage).options) for stage in STAGES}
    return Kept(tuple(rows), pieces, steps, {name: _short(each) for name, each in batch.items()})


def _short(value: Any) -> Any:
    """Replace long texts in a value by digests."""
    match value:
        case str() if len(value) > LONGEST:
            return "sha256:" + hashlib.sha256(value.encode("utf-8", "surrogatepass")).hexdigest()
        case Mapping():
            return {key: _short(each) for key, each in value.items()}
        case list() | tuple():
            return [_short(each) for each in value]
    return value


def probe_texts() -> tuple[str, ...]:
    """Return the probe texts in order."""
    return frozen_probes()
