"""Numbers of ids and positions of the model, by its weights or config."""

from __future__ import annotations

from dataclasses import dataclass

from tokaudit.plugin import Fact, Place, Subject, need
from tokaudit.subject.upstream.checkpoints import position_names
from tokaudit.subject.upstream.model_type import Positions, known_type, treatment
from tokaudit.subject.weights import WeightHeaders, embedding_tensors
from tokaudit_suites.shared.stated_keys import StatedKeys
from tokaudit_suites.shared.stated_roles import ids_in, place_of

UNSET = 10**9  # tokens; from this length on nobody set one: libraries and people write it for none
OTHER_INPUT = ("vision", "visual", "image", "audio", "speech", "patch")


@dataclass(frozen=True)
class Table:
    """A table of positions in the weights."""

    rows: int
    place: Place


@dataclass(frozen=True)
class ModelSizes:
    """Row count of the embedding and number of positions, as far as a file states them.

    `learned` positions end: one more is an index error. Others may be scaled up.
    """

    rows: int | None
    rows_at: Place | None
    positions: Fact | None
    usable: int
    learned: bool
    table: Table | None


@need
def model_sizes(subject: Subject, weights: WeightHeaders | None, keys: StatedKeys) -> ModelSizes:
    """Return the sizes in the weights, or else those in the config."""
    rows, rows_at = _rows(subject, weights)
    kinds = [key.value for key in keys.all if key.key == "position_embedding_type"]
    absolute = all(value == "absolute" for value in kinds)
    table = _table(weights) if absolute else None
    learned = table is not None or _positions_of(subject) is not Positions.OPEN
    facts = subject.facts_named("max_position_embeddings", "n_positions")
    positions = next((f for f in facts if isinstance(f.value, int)), None)
    usable = positions.value - _skipped(subject) if positions is not None else 0
    return ModelSizes(rows, rows_at, positions, usable, learned, table)


def _positions_of(subject: Subject) -> Positions:
    """Return the kind of positions of the model's type; open-ended if unknown."""
    kind = subject.fact("model_type")
    known = known_type(kind.value) if kind is not None and isinstance(kind.value, str) else None
    return Positions.OPEN if known is None else known.positions


def _skipped(subject: Subject) -> int:
    """Count the positions that some models never use: those up to their pad id."""
    pad = subject.fact("pad_token_id")
    if pad is None or _positions_of(subject) is not Positions.AFTER_PAD:
        return 0
    return next(iter(ids_in(pad.value)), -1) + 1


def _rows(subject: Subject, weights: WeightHeaders | None) -> tuple[int | None, Place | None]:
    tensors = {} if weights is None else embedding_tensors(weights)
    shown = {n: t for n, t in tensors.items() if len(t.shape) == 2 and t.dtype[:1] in "FB"}
    if shown:
        name, tensor = max(shown.items(), key=lambda item: item[1].shape[0])
        return tensor.shape[0], Place("embeddings", tensor.file, name, list(tensor.shape))
    facts = [f for f in subject.facts_named("vocab_size") if isinstance(f.value, int)]
    facts = [f for f in facts if subject.base_of(f) == "config.json" and not treatment(subject, f)]
    if not facts:
        return None, None
    largest = max(facts, key=lambda fact: int(fact.value))
    return largest.value, place_of(largest, "config")


def _table(weights: WeightHeaders | None) -> Table | None:
    """Return the table of positions, if there is one for text."""
    found = {
        name: tensor
        for name, tensor in (weights.tensors if weights is not None else {}).items()
        if name.endswith(position_names()) and len(tensor.shape) == 2
        if not any(word in name for word in OTHER_INPUT)
    }
    if len({tensor.shape[0] for tensor in found.values()}) != 1:
        return None  # an encoder and a decoder, each with its table
    name, tensor = next(iter(found.items()))
    return Table(tensor.shape[0], Place("embeddings", tensor.file, name, list(tensor.shape)))
