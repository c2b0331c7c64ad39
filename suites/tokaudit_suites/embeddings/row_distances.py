"""Plain tokens whose rows are near the mean of all rows."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    Finding,
    Harm,
    Measured,
    Measurement,
    NotApplicable,
    Options,
    Place,
    Severity,
    Subject,
    Tensor,
    check,
)
from tokaudit.subject.upstream.checkpoints import embedding_names
from tokaudit.subject.weights import WeightHeaders, embedding_tensors
from tokaudit.subject.weights.rows import read_rows
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.embeddings._distances import (
    MOST_NUMBERS,
    WITH_ALL_ROWS,
    Distances,
    RowDistance,
    distances,
)
from tokaudit_suites.embeddings._undecided import refuse
from tokaudit_suites.embeddings._uses import Uses, uses_of
from tokaudit_suites.shared.vocab_entries import name_of
from tokaudit_suites.shared.wording import ids_evidence, plural, quote, some

ENOUGH = 200  # rows; of fewer the mean says little
LISTED, CHARTED = 20, 80
NEAR, OTHERS = "near the mean", "other tokens"


@check(
    "embeddings/row-distances",
    title="No ordinary token's row is near the mean",
    why="An embedding row near the mean of all rows carries little about its token. A token with "
    "such a row is called a glitch token: models answer texts that contain a glitch token with "
    "evasions, repetitions or other words. Only a run of the model can confirm that a token is a "
    "glitch token.",
    remedy="Ask the model to repeat these tokens; leave them out of prompts, or train their rows.",
    severity=Severity.INFO,
    harm=Harm.OTHER_PROMPT,
    milder="a distance is measured; what the model makes of the token is not.",
    basis=Basis.WEIGHTS,
    left_to_code=True,
    incident="' SolidGoldMagikarp' and its like are near the mean of GPT-2's embedding; 'Fishing "
    "for Magikarp' (arXiv 2405.05417) finds such tokens in many models by their rows.",
    measures=(Measured("embeddings/row_distance", dimensions={"kind": (NEAR, OTHERS)}),),
    no_example="A mean needs some hundreds of rows, which no small file shows.",
)
def row_distances(
    spec: TokenizerSpec, subject: Subject, weights: WeightHeaders, options: Options
) -> Iterator[Finding | Measurement]:
    """Measure the rows of plain tokens, within the limit, and list those near the mean."""
    refuse(weights, embedding_names())
    uses = uses_of(spec, subject)
    measured = 0
    for name, tensor in embedding_tensors(weights).items():
        found = _measured(subject, tensor, uses, options)
        if found is not None:
            measured += 1
            yield from _figures(spec, name, found)
            if found.near:
                yield _listed(spec, found, Place("embeddings", tensor.file, name))
    if not measured:
        raise NotApplicable("the rows are too few, placeholders, or not read")


def _measured(subject: Subject, tensor: Tensor, uses: Uses, options: Options) -> Distances | None:
    matrix = read_rows(subject, tensor, uses.sample)
    if matrix is None or len(set(matrix.rows.values())) < len(matrix.rows) / 2:
        return None
    every = options.read_embeddings
    most = WITH_ALL_ROWS if every else MOST_NUMBERS
    found = distances(matrix, sorted(uses.plain), most, quickly=every)
    return found if found is not None and len(found.rows) >= ENOUGH else None


def _figures(spec: TokenizerSpec, name: str, found: Distances) -> Iterator[Measurement]:
    near = {row.id for row in found.near}
    shown = {row.id: row for row in (*found.near[:LISTED], *found.spread(CHARTED))}
    for row in shown.values():
        kind = NEAR if row.id in near else OTHERS
        yield Measurement(
            "embeddings/row_distance",
            "Distance of embedding rows from the mean",
            round(row.distance, 4),
            "L2 distance",
            len(found.rows),
            "rows of plain tokens, evenly spread over the ids",
            dimensions={
                "tensor": name,
                "kind": kind,
                "token": _named(spec, row),
                "norm": f"{row.norm:.4f}",
            },
        )


def _named(spec: TokenizerSpec, row: RowDistance) -> str:
    return f"{row.id} {quote(name_of(spec, row.id) or '')}"


def _listed(spec: TokenizerSpec, found: Distances, place: Place) -> Finding:
    names = [f"{_named(spec, row)} at {row.distance:.3f}" for row in found.near]
    return Finding(
        Severity.INFO,
        f"{place.pointer} has {plural(len(found.near), 'row')} of {len(found.rows):,} plain tokens "
        f"nearer to the mean than half the median ({found.median:.3f}), candidates for glitch "
        f"tokens: {some(names, LISTED)}.",
        (place,),
        (ids_evidence(row.id for row in found.near),),
        cause="near the mean",
    )
