"""Norms of the embedding rows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from statistics import median

from tokaudit.plugin import (
    Basis,
    Harm,
    Measured,
    Measurement,
    NotApplicable,
    Severity,
    Tensor,
    check,
    interval_of_median,
)
from tokaudit.subject.upstream.checkpoints import embedding_names
from tokaudit.subject.weights import WeightHeaders, embedding_tensors
from tokaudit.subject.weights.rows import WeightRows, most_rows
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.embeddings._heights import height
from tokaudit_suites.embeddings._undecided import refuse

ORDINARY, ADDED, NOBODY = "ordinary tokens", "added tokens", "no token"
PERCENTILES = {"0": 0.0, "1": 0.01, "25": 0.25, "50": 0.5, "75": 0.75, "99": 0.99, "100": 1.0}

Norms = Mapping[int, float]


@check(
    "embeddings/norms",
    title="Norms of embedding rows",
    why="If the embedding rows of added tokens are far shorter or longer than other rows, they "
    "look like newly initialised rows; models often repeat or skip tokens with such rows.",
    remedy="Train the added rows, or initialise them with the mean of the other rows.",
    severity=Severity.INFO,
    harm=Harm.STYLE,
    basis=Basis.WEIGHTS,
    incident="Tokens that no training text has keep the row they began with, and models repeat or "
    "skip them ('Fishing for Magikarp', arXiv 2405.05417).",
    measures=(
        Measured("embeddings/median_norm", dimensions={"kind": (ORDINARY, ADDED, NOBODY)}),
        Measured("embeddings/norm_percentile", dimensions={"percentile": tuple(PERCENTILES)}),
    ),
    only_measures=True,
)
def norms(spec: TokenizerSpec, weights: WeightHeaders, rows: WeightRows) -> Iterator[Measurement]:
    """Measure all rows of a small matrix, or an evenly spread sample of a large one."""
    refuse(weights, embedding_names())
    tensors = embedding_tensors(weights)
    if not tensors:
        raise NotApplicable("the weights hold no token embedding that can be recognised")
    for name, tensor in tensors.items():
        kinds = {kind: dict(rows.norms(tensor, ids)) for kind, ids in _chosen(spec, tensor).items()}
        for kind, norms in kinds.items():
            yield from _median(name, kind, _finite(norms))
        yield from _percentiles(name, _finite(kinds.get(ORDINARY, {})))


def _chosen(spec: TokenizerSpec, tensor: Tensor) -> dict[str, Sequence[int]]:
    """Return the ids of each kind to read: an even sample up to the kind's share."""
    rows, most = height(tensor), most_rows(tensor)
    added = {token.id for token in spec.added_tokens}
    kinds: dict[str, Sequence[int]] = {
        ORDINARY: sorted(id for id in spec.pieces if id < rows and id not in added),
        ADDED: sorted(id for id in added if id < rows),
        NOBODY: range(spec.size(), rows),
    }
    shares = {ORDINARY: most // 2, ADDED: most // 4, NOBODY: most // 4}
    return {kind: _spread(ids, shares[kind]) for kind, ids in kinds.items() if ids}


def _spread(ids: Sequence[int], most: int) -> Sequence[int]:
    """Return at most `most` ids, evenly spread, with the first.

    >>> _spread(range(10), 3), _spread([4, 5], 3)
    (range(0, 10, 4), [4, 5])
    """
    return ids if len(ids) <= most else ids[:: -(-len(ids) // max(1, most))]


def _finite(norms: Norms) -> list[float]:
    return sorted(norm for norm in norms.values() if math.isfinite(norm))


def _median(name: str, kind: str, norms: Sequence[float]) -> Iterator[Measurement]:
    if norms:
        yield Measurement(
            "embeddings/median_norm",
            "Median norm of embedding rows",
            median(norms),
            "L2 norm",
            len(norms),
            METHOD,
            interval_of_median(norms),
            {"tensor": name, "kind": kind},
        )


def _percentiles(name: str, norms: Sequence[float]) -> Iterator[Measurement]:
    for percentile, share in PERCENTILES.items() if norms else ():
        yield Measurement(
            "embeddings/norm_percentile",
            "Norm of embedding rows of ordinary tokens",
            norms[round(share * (len(norms) - 1))],
            "L2 norm",
            len(norms),
            METHOD,
            dimensions={"tensor": name, "percentile": percentile},
        )


METHOD = "rows read from the weights, evenly spread over the ids"
