"""Matrices whose row count differs from the settings' labels, types or tokens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tokaudit.plugin import (
    Basis,
    Decider,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Repair,
    Severity,
    Subject,
    Tensor,
    check,
    decision,
)
from tokaudit.subject.upstream.checkpoints import RowsOf
from tokaudit.subject.upstream.checkpoints import stated_rows as records
from tokaudit.subject.upstream.model_class import model_classes
from tokaudit.subject.weights import WeightHeaders
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.embeddings._draft_head import DraftHead
from tokaudit_suites.embeddings._undecided import INTEGERS
from tokaudit_suites.shared.repairs import person_decides, repaired, set_to
from tokaudit_suites.shared.stated_keys import StatedKeys
from tokaudit_suites.shared.vocab_entries import name_of
from tokaudit_suites.shared.wording import main_file, plural, quote

CONFIG, OWN_CODE = "config.json", "auto_map"


@check(
    "embeddings/stated-rows",
    title="Matrices have the rows that settings count",
    why="A classification head has one row for each label, an encoder has one embedding row for "
    "each token type, and the head of a draft model has one row for each token. Loaders build as "
    "many rows as the config states, and refuse weights with another number of rows. If a loader "
    "accepts weights with too few rows, the model never predicts the last labels or tokens.",
    remedy="Set {pointer|the key} in {file|the config} to the number of rows of this tensor in "
    "{other|the weights}.",
    repair=person_decides("no second file has the names of labels or the tokens of rows"),
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=(Basis.WEIGHTS, Basis.CROSS_FILE),
    left_to_code=True,
    incident="A config copied from another checkpoint named 11 labels for 14 rows "
    "(huggingface/transformers #10449); 'size mismatch for embeddings.token_type_embeddings.weight'"
    ": 5 rows, and type_vocab_size was 3 (lanyunshi/Multi-hopComplexKBQA #4).",
)
def stated_rows(
    subject: Subject,
    weights: WeightHeaders,
    keys: StatedKeys,
    spec: TokenizerSpec,
    draft: DraftHead,
) -> Iterator[Finding]:
    """Compare each recorded matrix with the config's counts, and with the ids."""
    stated = {key.key: key.value for key in keys.all if key.file == CONFIG}
    model, classes = str(stated.get("model_type")), tuple(model_classes(subject))
    rows = [
        (row, found)
        for row in records().values()
        if row.is_of(model, classes) and (found := _matrices(row, weights))
    ]
    if not rows:
        raise NotApplicable("the weights hold no matrix of labels, types or drafts")
    if OWN_CODE in stated:
        raise NotApplicable("the checkpoint's own code builds the model")
    for row, found in rows:
        other = [*_other(row, found, stated)]
        yield from other
        if row.filler is not None:
            yield from _other_than_ids(row, row.filler, found, spec)
        elif row.tokens and not other:
            yield from _short(row, found, stated, spec, draft)


def _matrices(row: RowsOf, weights: WeightHeaders) -> dict[str, Tensor]:
    """Return the matrices of a record whose shape shows their rows."""
    return {
        name: tensor
        for name, tensor in weights.tensors.items()
        if len(tensor.shape) == 2 and tensor.dtype not in INTEGERS and row.names(name)
    }


def _counted(stated: dict[str, Any], pointers: tuple[str, ...]) -> dict[str, int]:
    """Return the count at each pointer: a number, or the length of a list or object."""
    found = {}
    for pointer in pointers:
        value: Any = stated
        for part in pointer.split("/")[1:]:
            value = value.get(part) if isinstance(value, dict) else None
        if isinstance(value, list | dict) and value:
            found[pointer] = len(value)
        elif type(value) is int and value > 0:
            found[pointer] = value
    return found


def _other(row: RowsOf, found: dict[str, Tensor], stated: dict[str, Any]) -> Iterator[Finding]:
    """Report matrices without the stated number of rows, or a count below the tokens."""
    said = _counted(stated, row.counts)
    if not said and row.unstated is None:
        return
    pointer, wanted = next(iter(said.items()), ("", row.unstated or 0))
    allowed = {wanted, *_counted(stated, row.fewer).values()}
    if any(tensor.shape[0] in allowed for tensor in found.values()):
        return  # parts of one checkpoint may be of several models
    name, tensor = next(iter(found.items()))
    have = tensor.shape[0]
    says = f"counts {plural(wanted, row.of)} ({pointer[1:]})"
    if not pointer:
        says = f"names no {row.of}, so that its class takes {wanted}"
    place = Place("config", CONFIG, pointer, _shown(stated, pointer))
    yield Finding(
        Severity.ERROR,
        f"{CONFIG} {says}, but {name} in {tensor.file} has {plural(have, 'row')}: loaders refuse "
        "the weights, or leave the matrix at random values.",
        (place, Place("embeddings", tensor.file, name, list(tensor.shape))),
        cause=f"rows of {row.of}",
        repair=_as_the_weights(place, have) if len(found) == 1 else None,
    )


def _shown(stated: dict[str, Any], pointer: str) -> Any:
    value: Any = stated if pointer else None
    for part in pointer.split("/")[1:]:
        value = value[part]
    return value


def _as_the_weights(place: Place, rows: int) -> Repair | None:
    """Set a numeric count to the row count of the weights."""
    return repaired(set_to(place, rows)) if type(place.value) is int else None


def _short(
    row: RowsOf,
    found: dict[str, Tensor],
    stated: dict[str, Any],
    spec: TokenizerSpec,
    draft: DraftHead,
) -> Iterator[Finding]:
    """Report a token matrix with fewer rows than ids, if nothing says which tokens it covers."""
    fewer = {draft.rows, *_counted(stated, row.fewer).values()}
    for name, tensor in found.items():
        have = tensor.shape[0]
        if have < spec.size() and have not in fewer:
            first = name_of(spec, have)
            last = f", from {quote(first)} on" if first is not None else ""
            yield Finding(
                Severity.ERROR,
                f"{name} in {tensor.file} has {plural(have, 'row')} for {spec.size():,} ids{last}: "
                "the draft never proposes the last tokens, and engines refuse the shape.",
                (
                    Place("embeddings", tensor.file, name, list(tensor.shape)),
                    Place("vocab", main_file(spec), "", spec.size()),
                ),
                cause=f"short of {row.of}",
            )


def _other_than_ids(
    row: RowsOf, filler: int, found: dict[str, Tensor], spec: TokenizerSpec
) -> Iterator[Finding]:
    """Report a matrix built from the vocabulary; a repeated line explains a difference."""
    wanted = spec.size() + filler
    for name, tensor in found.items():
        have = tensor.shape[0]
        if have == wanted or spec.duplicate_keys:
            continue
        more = plural(abs(have - wanted), row.of)
        says = f"lacks {more}" if have > wanted else f"has {more} too many"
        yield Finding(
            Severity.ERROR,
            f"{name} in {tensor.file} has {plural(have, 'row')}, but loaders build the model with "
            f"{wanted:,} rows for the {spec.size():,} ids of {main_file(spec)}, which {says}: "
            "loading stops, or each later id takes the row of another id.",
            (
                Place("vocab", main_file(spec), "", spec.size()),
                Place("embeddings", tensor.file, name, list(tensor.shape)),
            ),
            remedy=f"Replace {main_file(spec)} by the file that belongs to these weights.",
            cause=f"rows of {row.of}",
            repair=decision(Decider.PERSON, "no file says which line it lacks, or has more,"),
        )
